exports.total = (lines) => lines.reduce((sum, { price, count }) => sum + price * count, 0);
