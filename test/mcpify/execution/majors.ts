import * as commander12 from 'commander12';
import * as commander13 from 'commander13';
import * as commander14 from 'commander14';
import * as commander15 from 'commander15';

export type Commander = typeof commander14;

export const MAJORS = Object.entries({
  12: commander12,
  13: commander13,
  14: commander14,
  15: commander15,
}) as unknown as readonly (readonly [major: string, commander: Commander])[];
