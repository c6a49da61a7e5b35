const { total } = require('./order.js');

exports.invoice = (order) => `To be paid: ${total(order.lines)}`;
