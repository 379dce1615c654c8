// Brings the nodes of a page to what the server now says, keeping those that are there: focus, scroll
// position and opened details stay. Charts that are there keep their place; charts.js fills them.

const KEPT = new Set(['open', 'hidden', 'aria-expanded', 'aria-current', 'aria-pressed']);

export function fragment(html) {
  const parser = document.createElement('template');
  parser.innerHTML = html;
  return parser.content;
}

// Children of `live` become those of `wanted`. A chart goes where it is wanted, whatever comes before it.
export function morphChildren(live, wanted) {
  root = live;
  taken.clear();
  children(live, wanted);
}

let root; // of the nodes that are being changed
const taken = new Map(); // charts that have left their place, by id

function take(gone) {
  gone.remove();
  if (gone.nodeType !== Node.ELEMENT_NODE) return;
  for (const chart of [gone, ...gone.querySelectorAll('figure.chart')]) if (isChart(chart)) taken.set(chart.id, chart);
}

// What is put in anew may hold the place of a chart that is there.
function adopt(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  for (const place of node.querySelectorAll('figure.chart')) {
    const chart = taken.get(place.id) ?? document.getElementById(place.id);
    if (chart && (taken.has(place.id) || root.contains(chart))) place.replaceWith(chart);
  }
}

function children(live, wanted) {
  const theirs = [...wanted.childNodes];
  let at = live.firstChild;
  for (const node of theirs) {
    if (isSame(node)) {
      at = keep(live, at, node);
      continue;
    }
    const chart = isChart(node) && (taken.get(node.id) ?? document.getElementById(node.id));
    if (chart) {
      if (chart === at || !(taken.has(node.id) || root.contains(chart))) at = at?.nextSibling ?? null; // itself, or what keeps its place while it is enlarged
      else live.insertBefore(chart, at);
      continue;
    }
    const match = at && alike(at, node) ? at : ahead(at, node);
    if (match) {
      while (at !== match) {
        const gone = at;
        at = at.nextSibling;
        take(gone);
      }
      at = at.nextSibling;
      morph(match, node);
    } else {
      adopt(node);
      live.insertBefore(node, at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    take(gone);
  }
}

// What the page shows already comes as its place alone.
const isSame = (node) => node.nodeType === Node.ELEMENT_NODE && node.hasAttribute('data-same');

function keep(live, at, { dataset: { path } }) {
  const own = root.querySelector(`.field[data-path="${CSS.escape(path)}"]`);
  if (!own) return at;
  if (own !== at) live.insertBefore(own, at);
  return own === at ? at.nextSibling : at;
}

// A node with a name of its own is looked for among those that follow; others match in place only.
function ahead(at, node) {
  const name = nameOf(node);
  if (!name) return null;
  for (let other = at; other; other = other.nextSibling) if (nameOf(other) === name) return other;
  return null;
}

const nameOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.path || '' : '');

const isChart = (node) => node.nodeName === 'FIGURE' && node.classList.contains('chart');

function alike(one, other) {
  return one.nodeType === other.nodeType && one.nodeName === other.nodeName && nameOf(one) === nameOf(other);
}

function morph(live, wanted) {
  if (live.nodeType !== Node.ELEMENT_NODE) {
    if (live.nodeValue !== wanted.nodeValue) live.nodeValue = wanted.nodeValue;
    return;
  }
  if (live.isEqualNode(wanted) && live.nodeName !== 'INPUT') return;
  if (live.nodeName === 'SELECT') return morphSelect(live, wanted);
  attributes(live, wanted);
  if (live.nodeName === 'INPUT') return morphInput(live, wanted);
  if (live.hasAttribute('data-own')) return morphOwn(live, wanted);
  children(live, wanted);
}

function attributes(live, wanted) {
  const fieldState = live.matches('.was, .field-error, a[data-place]');
  for (const { name, value } of [...wanted.attributes]) {
    if (KEPT.has(name) && !fieldState) continue;
    if (live.classList.contains('strip') && name === 'class') continue;
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  for (const { name } of [...live.attributes]) {
    if (wanted.hasAttribute(name) || (KEPT.has(name) && !fieldState)) continue;
    if (name === 'style' || name.startsWith('data-own')) continue;
    live.removeAttribute(name);
  }
}

// What somebody is typing is theirs.
function morphInput(live, wanted) {
  if (live.type === 'radio' || live.type === 'checkbox') {
    if (live.checked !== wanted.hasAttribute('checked')) live.checked = wanted.hasAttribute('checked');
    return;
  }
  if (document.activeElement === live && live.type !== 'range') return;
  if (live.type === 'range' && live.matches(':active')) return;
  const value = wanted.getAttribute('value') ?? '';
  if (live.value !== value) live.value = value;
}

// What a script has built around a select is its own; what is selected is the server's to say.
function morphOwn(live, wanted) {
  const [own, theirs] = [live, wanted].map((host) => host.querySelector('select'));
  if (own && theirs) morphSelect(own, theirs);
}

function morphSelect(live, wanted) {
  const selected = wanted.dataset.selected ?? wanted.value;
  if (wanted.dataset.selected !== undefined) live.dataset.selected = selected;
  const chosen = wanted.querySelector('option[selected]');
  if (chosen && ![...live.options].some((option) => option.value === chosen.value)) live.prepend(chosen);
  live.value = selected;
  live.dispatchEvent(new Event('written', { bubbles: true }));
}
