// Colours of the current theme, for charts: "var(--c1)" in a figure becomes what c1 is now.

const NAME = /^var\((--[\w-]+)\)$/;

let look;
let known = new Map();

// A colour is worked out once for each look: every question makes the browser compute styles anew.
function coloursNow() {
  const { color, backgroundColor } = getComputedStyle(document.body);
  const contrast = matchMedia('(prefers-contrast: more)').matches;
  const now = [color, backgroundColor, contrast, document.documentElement.dataset.printing].join();
  if (now !== look) known = new Map();
  look = now;
  return known;
}

function computed(name) {
  const probe = document.createElement('i');
  probe.style.color = `var(${name})`;
  probe.style.forcedColorAdjust = 'none'; // a chart in one colour only says nothing
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  const mixed = colour.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/);
  if (!mixed) return colour;
  return `rgb(${mixed.slice(1, 4).map((part) => Math.round(255 * Number(part))).join(', ')})`;
}

// The same in a theme that may not be the page's: nothing is painted before the page has its own again.
export function withThemeOf(value, theme) {
  const { dataset } = document.documentElement;
  const own = dataset.theme;
  const forget = () => (look = undefined);
  try {
    forget();
    dataset.theme = theme;
    return withTheme(value);
  } finally {
    if (own === undefined) delete dataset.theme;
    else dataset.theme = own;
    forget();
  }
}

// A copy of `value` with every colour name replaced.
export function withTheme(value) {
  const colours = coloursNow();
  const replace = (part) => {
    if (typeof part === 'string') {
      const name = part.match(NAME)?.[1];
      if (!name) return part;
      if (!colours.has(name)) colours.set(name, computed(name));
      return colours.get(name);
    }
    if (Array.isArray(part)) return part.map(replace);
    if (part && typeof part === 'object') {
      return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replace(inner)]));
    }
    return part;
  };
  return replace(value);
}
