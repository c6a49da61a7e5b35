exports.goods = ['apple', 'pear', 'plum'];
