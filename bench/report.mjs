// The rows of the result: both sides, their ratio and the goals beside it.

/** @returns a report: `add` prints a row at once, `rows` keeps them all */
export function createReport(print = console.log) {
  const rows = [];
  print('| measure | raw SDK | mcpify | ratio | must | strive for | |');
  print('| --- | ---: | ---: | ---: | ---: | ---: | --- |');
  return {
    rows,
    /**
     * @param measure what was measured, with its unit
     * @param raw values of the raw SDK, one a round
     * @param ours values of mcpify, from the same rounds
     * @param goals.must bound of the ratio, a lower one where `moreIsBetter`
     */
    add(measure, raw, ours, { must, strive, moreIsBetter = false } = {}) {
      const ratio = pairedRatio(ours, raw);
      const isMet = must === undefined ? undefined : moreIsBetter ? ratio >= must : ratio <= must;
      rows.push({ measure, raw: median(raw), ours: median(ours), ratio, must, strive, isMet });
      print(cells(measure, median(raw), median(ours), ratio, must, strive, verdict(isMet)));
    },
    /** A figure of mcpify alone, with an absolute goal. */
    addAbsolute(measure, ours, { must, strive } = {}) {
      const isMet = must === undefined ? undefined : median(ours) <= must;
      rows.push({ measure, ours: median(ours), must, strive, isMet });
      print(cells(measure, '', median(ours), '', must, strive, verdict(isMet)));
    },
  };
}

/** The median of the ratios round by round: it holds when the machine's speed drifts. */
function pairedRatio(as, bs) {
  return median(as.map((a, index) => a / bs[index]));
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function verdict(isMet) {
  return isMet === undefined ? '' : isMet ? 'met' : 'MISSED';
}

function cells(...values) {
  return `| ${values.map(toText).join(' | ')} |`;
}

function toText(value) {
  if (typeof value !== 'number') return value ?? '';
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
