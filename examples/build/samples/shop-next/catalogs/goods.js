exports.goods = ['apple', 'pear', 'plum', 'quince'];
