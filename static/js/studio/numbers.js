// Text of number boxes: values in the unit that is shown; a prefix or an exponent counts from the base unit.

const PREFIXES = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 };
const TEXT = /^([-+]?(?:\d+\.?\d*|\.\d+))(e[-+]?\d+)?([kmgtp]?)$/i;

// The value of a text; text that is no number stays text, for the server to refuse in its own words.
export function numberOf(text, factor) {
  const bare = text.replace(/[\s,_%\u00a0\u202f]/g, '').replace('\u2212', '-');
  const found = TEXT.exec(bare);
  if (!found) return text.trim();
  const [, digits, exponent = '', prefix] = found;
  const scale = exponent || prefix ? PREFIXES[prefix.toLowerCase()] : factor;
  return Number((Number(digits + exponent) * scale).toPrecision(15));
}

export function numberText(value, factor) {
  const exact = Number((value / factor).toPrecision(12));
  return exact.toLocaleString('en-US', { maximumFractionDigits: 20, maximumSignificantDigits: 12 });
}
