/**
 * An integer within bounds: for the command line, which refuses another, and for the schema of a tool.
 *
 * @param standard the initial value of the field
 */
export function amount(least: number, most: number, standard: number) {
  return {
    type: 'integer',
    schema: { type: 'integer', minimum: least, maximum: most, default: standard },
    parse(text: string): number {
      const value = Number(text);
      if (/^\d+$/.test(text) && value >= least && value <= most) return value;
      throw new RangeError(`It must be an integer from ${least} to ${most}.`);
    },
  } as const;
}
