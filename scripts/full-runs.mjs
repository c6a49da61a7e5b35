// The runs of `npm run test:full`: each leaves a report of its own in .reports/.

/** Node majors that are supported. The one that runs `npm test` is not run again. */
const SUPPORTED_MAJORS = [20, 22, 24, 26];
const [currentMajor] = process.versions.node.split('.').map(Number);

/** Node majors that come from packages of npm. */
export const OTHER_MAJORS = SUPPORTED_MAJORS.filter((major) => major !== currentMajor);

/** What takes long: many calls, packages as npm installs them. */
export const LONG_RUN = 'long';

/** Reports that must be there in the end: one that is missing is a run that crashed. */
export const REPORTS = ['test', ...OTHER_MAJORS.map((major) => `node-${major}`), LONG_RUN, 'demo'];
