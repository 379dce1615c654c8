// Accepted estimates of the scenario, by place in the design: places have dots, so they are no paths.

import { numberOf } from './numbers.js';
import { withValue } from './values.js';

const SET_BY_HAND = 'set by hand; suggested was: ';

// Estimates accepted or changed; null takes one out.
export function withEstimates(values, changes) {
  const kept = Object.entries({ ...values.estimates, ...changes }).filter(([, one]) => one !== null);
  return withValue(values, 'estimates', kept.length ? Object.fromEntries(kept) : undefined);
}

// The value of one set: its range is widened to hold it. Undefined where the text is no number.
export function restated(values, place, text) {
  const one = values.estimates?.[place];
  const value = numberOf(text, 1);
  if (!one || typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  const { low, high } = one;
  const rule = one.rule.startsWith(SET_BY_HAND) ? one.rule : SET_BY_HAND + one.rule;
  const changed = { ...one, value, low: Math.min(low, value), high: Math.max(high, value), rule };
  return withEstimates(values, { [place]: changed });
}
