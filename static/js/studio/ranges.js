// Ranges of number fields: `uncertainty.inputs` of the scenario holds them by field, the field its point value.

import { numberOf, numberText } from './numbers.js';
import { valueAt, withValue } from './values.js';

const TO = /\s+to\s+|\s*\u2013\s*/i;
const DISTRIBUTION = /\s+(triangular|log_triangular|uniform|pert|normal|lognormal)$/i;

export const rangeAt = (values, path) => valueAt(values, 'uncertainty.inputs')?.[path];

export function withRange(values, path, range, whole) {
  const inputs = { ...valueAt(values, 'uncertainty.inputs'), [path]: range };
  return withValue(withValue(values, path, pointOf(range, whole)), 'uncertainty.inputs', inputs);
}

// Its correlations go with it; the field keeps its number.
export function withoutRange(values, path) {
  if (!rangeAt(values, path)) return values;
  const { [path]: gone, ...inputs } = valueAt(values, 'uncertainty.inputs');
  const pairs = (values.uncertainty.correlations ?? []).filter(({ between }) => !between.includes(path));
  const left = withValue(values, 'uncertainty.inputs', Object.keys(inputs).length ? inputs : undefined);
  return withValue(left, 'uncertainty.correlations', pairs.length ? pairs : undefined);
}

// The range of a field as another scenario has it, with those of its correlations whose other field is a range here.
export function withRangeOf(values, other, path) {
  const left = withoutRange(values, path);
  const range = rangeAt(other, path);
  if (!range) return left;
  const inputs = { ...valueAt(left, 'uncertainty.inputs'), [path]: range };
  const held = (other.uncertainty.correlations ?? []).filter(
    ({ between }) => between.includes(path) && between.every((field) => inputs[field] !== undefined),
  );
  const pairs = [...(left.uncertainty?.correlations ?? []), ...held];
  const whole = withValue(left, 'uncertainty.inputs', inputs);
  return withValue(whole, 'uncertainty.correlations', pairs.length ? pairs : undefined);
}

// The range that is typed into a box, nothing where it is none.
export function rangeOf(text, factor) {
  const distribution = DISTRIBUTION.exec(text)?.[1].toLowerCase();
  const ends = text.replace(DISTRIBUTION, '').trim().split(TO).map((end) => numberOf(end, factor));
  if (![2, 3].includes(ends.length) || ends.some((end) => typeof end !== 'number')) return undefined;
  const range = { low: ends[0], ...(ends.length === 3 && { typical: ends[1] }), high: ends.at(-1) };
  return distribution ? { ...range, distribution } : range;
}

export function rangeText({ low, typical, high, distribution }, factor) {
  const ends = [low, typical, high].filter((end) => end !== undefined && end !== null);
  const text = ends.map((end) => numberText(end, factor)).join(' to ');
  return distribution ? `${text} ${distribution}` : text;
}

// As the server takes it: the typical value, else the geometric mean, else the arithmetic one.
function pointOf({ low, typical, high }, whole) {
  const mean = low > 0 && high > 0 ? Math.sqrt(low) * Math.sqrt(high) : low / 2 + high / 2;
  return typical ?? (whole ? Math.round(mean) : Number(mean.toPrecision(12)));
}
