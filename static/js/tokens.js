// Colours of the current theme, for charts: "var(--c1)" in a figure becomes what c1 is now.

const NAME = /^var\((--[\w-]+)\)$/;

function computed(name, probe) {
  probe.style.color = `var(${name})`;
  const colour = getComputedStyle(probe).color;
  const mixed = colour.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/);
  if (!mixed) return colour;
  return `rgb(${mixed.slice(1, 4).map((part) => Math.round(255 * Number(part))).join(', ')})`;
}

// A copy of `value` with every colour name replaced.
export function withTheme(value) {
  const probe = document.createElement('i');
  document.body.append(probe);
  const known = new Map();
  const replace = (part) => {
    if (typeof part === 'string') {
      const name = part.match(NAME)?.[1];
      if (!name) return part;
      if (!known.has(name)) known.set(name, computed(name, probe));
      return known.get(name);
    }
    if (Array.isArray(part)) return part.map(replace);
    if (part && typeof part === 'object') {
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replace(inner)]));
    }
    return part;
  };
  const replaced = replace(value);
  probe.remove();
  return replaced;
}
