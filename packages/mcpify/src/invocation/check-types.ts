import type { Parameter } from '../schema/command-model.js';
import type { ValueType } from '../schema/parameter-description.js';
import { checkPath } from './check-path.js';
import { describeSent } from './describe-problem.js';
import type { Problem } from './problem.js';

export interface PathLimits {
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Folder that `path` values must lie in. @default no limit */
  readonly root?: string | undefined;
}

/** The rules of a parameter's type that JSON Schema has no portable word for: dates, JSON texts, paths, exactness. */
export function checkTypes(parameter: Parameter, value: unknown, limits: PathLimits): readonly Problem[] {
  // The operator's own values are his to choose.
  if (parameter.pinned) return NONE;
  if (!Array.isArray(value)) return checkElement(parameter, value, limits);
  return value.flatMap((element: unknown) => checkElement(parameter, element, limits));
}

const NONE: readonly Problem[] = [];

function checkElement(
  { property, shape, secret }: Parameter,
  element: unknown,
  limits: PathLimits,
): readonly Problem[] {
  const problem = findProblem(element, shape.type, limits);
  if (problem === undefined) return NONE;
  return [{ property, message: `"${property}" ${problem}; ${describeSent(element, secret)}.` }];
}

function findProblem(value: unknown, type: ValueType, limits: PathLimits): string | undefined {
  if (typeof value === 'number') return isExact(value) ? undefined : NOT_EXACT;
  if (typeof value !== 'string') return undefined;
  switch (type) {
    case 'path':
      return limits.root === undefined ? undefined : checkPath(value, limits.root, limits.cwd);
    case 'date':
      return isDate(value)
        ? undefined
        : 'must be an ISO 8601 date, such as 2026-01-31 or 2026-01-31T08:30:00Z';
    case 'json':
      return isJson(value) ? undefined : 'must be JSON text';
    default:
      return undefined;
  }
}

const NOT_EXACT = `must lie between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}, where whole numbers are exact`;

/** Beyond this the number that was sent is no longer the one that arrived: `1e400` arrives as Infinity. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (!match || Number.isNaN(Date.parse(text))) return false;
  // `Date` takes the 30th of February for the 1st or 2nd of March.
  const [year, month, day] = match.slice(1, 4).map(Number);
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  return day !== undefined && day <= lastDay;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
