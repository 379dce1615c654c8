// Terms of the glossary in labels: underlined without a change of the page, explained on hover, keyboard focus and tap.

const LABELS = 'main :is(label, legend, th, dt, h2, h3, .label, .explained, .key-label, .tabs a, .eyebrow, .chip)';
const OUTSIDE = '.segment, select, option, svg, script, textarea, .unit, .term, .term-popover, .term-list, .help-text, .formula';
// Names with another meaning in labels: a generation of hardware, a loss of time, a tier of storage.
const AMBIGUOUS = new Set(['generation', 'interval', 'hop', 'bias', 'loss', 'tier', 'weights', 'optics', 'pod', 'stencil', 'iteration', 'interleaving', 'offload', 'ub', 'sp', 'ep', 'cp', 'dp', 'pp', 'tp']);
const LONGEST_LABEL = 200;
const MOST_SHOWN = 3;
const MOST_MARKED = 1500;
const REST_MS = 300; // the pointer rests on a term, or is gone from it
const FOCUS_MS = 700;
const SETTLED_MS = 400;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isAcronym = (name) => name.length <= 6 && name === name.toUpperCase();

class Glossary {
  constructor(terms) {
    this.byName = new Map();
    for (const term of terms) {
      for (const name of [term.term, ...term.aliases]) {
        if (!AMBIGUOUS.has(name.toLowerCase())) this.byName.set(name.toLowerCase(), { term, name });
      }
    }
    const names = [...this.byName.keys()].sort((one, other) => other.length - one.length);
    this.pattern = new RegExp(`(?<![\\w-])(${names.map(escaped).join('|')})(?:s|ism)?(?![\\w-])`, 'gi');
  }

  // Terms of a text in its order, each with where it begins and ends.
  in(text) {
    const found = [];
    for (const match of text.matchAll(this.pattern)) {
      const { term, name } = this.byName.get(match[1].toLowerCase());
      if (isAcronym(name) && match[1] !== name) continue;
      found.push({ term, start: match.index, end: match.index + match[0].length });
    }
    return found;
  }
}

function* textsOf(label) {
  const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.length > 2 && node.data.length < LONGEST_LABEL && !node.parentElement.closest(OUTSIDE)) yield node;
  }
}

// Where terms are on the page: found anew when it has changed, and asked for what is under the pointer.
class Marks {
  constructor(glossary) {
    this.glossary = glossary;
    this.found = [];
  }

  renew() {
    this.found = [];
    for (const label of document.querySelectorAll(LABELS)) {
      for (const node of textsOf(label)) {
        for (const { term, start, end } of this.glossary.in(node.data)) {
          if (this.found.length === MOST_MARKED) break;
          const range = new Range();
          range.setStart(node, start);
          range.setEnd(node, end);
          this.found.push({ term, range });
        }
      }
    }
    // Each term is underlined where it comes first, and explained wherever it is. A browser without highlights
    // explains terms that are not underlined.
    const first = new Map();
    for (const { term, range } of this.found) if (!first.has(term)) first.set(term, range);
    if (CSS.highlights) CSS.highlights.set('glossary', new Highlight(...first.values()));
  }

  at(x, y) {
    const top = document.elementFromPoint(x, y);
    if (!top) return null;
    for (const { term, range } of this.found) {
      const holder = range.startContainer.parentElement;
      if (!holder || !(top.contains(holder) || holder.contains(top))) continue;
      const box = [...range.getClientRects()].find(({ left, right, top: above, bottom }) => x >= left && x <= right && y >= above && y <= bottom);
      if (box) return { terms: [term], box };
    }
    return null;
  }
}

class Note {
  constructor() {
    this.place = document.createElement('div');
    this.place.id = 'glossary-note';
    this.place.className = 'term-popover';
    this.place.popover = 'manual';
    this.place.setAttribute('role', 'note');
    this.place.setAttribute('aria-label', 'Glossary');
    this.described = null;
    document.body.append(this.place);
  }

  get isOpen() {
    return this.place.matches(':popover-open');
  }

  show({ terms, box }, control) {
    this.hide();
    this.place.replaceChildren(...terms.flatMap((term) => this.words(term)));
    this.place.showPopover();
    const { width, height } = this.place.getBoundingClientRect();
    const below = box.bottom + 8 + height <= innerHeight;
    Object.assign(this.place.style, {
      inset: 'auto',
      margin: '0',
      left: `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`,
      top: `${below ? box.bottom + 8 : Math.max(8, box.top - height - 8)}px`,
    });
    if (control && !control.hasAttribute('aria-describedby')) {
      control.setAttribute('aria-describedby', this.place.id);
      this.described = control;
    }
  }

  hide() {
    if (this.isOpen) this.place.hidePopover();
    this.described?.removeAttribute('aria-describedby');
    this.described = null;
  }

  words(term) {
    const paragraph = (...parts) => {
      const made = document.createElement('p');
      made.append(...parts);
      return made;
    };
    const strong = document.createElement('strong');
    strong.textContent = term.term;
    const link = document.createElement('a');
    link.href = term.href;
    link.textContent = 'Glossary';
    const last = paragraph(`${term.source} · `, link);
    last.className = 'caption';
    return [paragraph(strong), paragraph(`${term.what} ${term.why}`), last];
  }
}

function follow(glossary, marks, note) {
  let timer = 0;
  let byKeyboard = false; // a note beside what was clicked, or was given the focus back, would cover what comes next
  const later = (run, ms) => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
  const hide = () => {
    clearTimeout(timer);
    note.hide();
  };
  document.addEventListener('pointermove', ({ pointerType, clientX, clientY, target }) => {
    if (pointerType === 'touch') return;
    if (note.place.contains(target)) return clearTimeout(timer);
    later(() => {
      const found = marks.at(clientX, clientY);
      if (found) note.show(found);
      else if (!note.described) note.hide();
    }, REST_MS);
  });
  document.addEventListener('pointerdown', ({ pointerType, clientX, clientY, target }) => {
    if (note.place.contains(target)) return;
    byKeyboard = false;
    hide();
    const found = pointerType === 'touch' && !target.closest('a, button, input') && marks.at(clientX, clientY);
    if (found) later(() => note.show(found), REST_MS);
  });
  document.addEventListener('focusin', ({ target }) => {
    if (note.place.contains(target)) return;
    hide();
    if (!byKeyboard || !target.matches(':focus-visible')) return;
    const label = target.labels?.[0] ?? target;
    if (!label.closest(LABELS)) return;
    const text = [...textsOf(label)].map(({ data }) => data).join(' ');
    const terms = [...new Set(glossary.in(text).map(({ term }) => term))].slice(0, MOST_SHOWN);
    if (terms.length) later(() => note.show({ terms, box: target.getBoundingClientRect() }, target), FOCUS_MS);
  });
  document.addEventListener('input', hide); // the control is being used, and its note would cover what changes
  document.addEventListener('focusout', ({ relatedTarget }) => {
    if (!note.place.contains(relatedTarget)) hide();
  });
  document.addEventListener('keydown', (event) => {
    byKeyboard = event.key === 'Tab' || (byKeyboard && event.key.startsWith('Arrow'));
    if (event.key === 'Escape' && note.isOpen) event.stopPropagation();
    if (!['Tab', 'Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) hide();
  }, true);
  // What is about to be shown stays so: a page scrolls to a control that has got the focus.
  document.addEventListener('scroll', () => note.isOpen && hide(), { capture: true, passive: true });
}

async function start() {
  const answer = await fetch('/api/v1/terms');
  if (!answer.ok) return; // the glossary page and the terms at the foot of views remain
  const glossary = new Glossary((await answer.json()).items);
  const marks = new Marks(glossary);
  follow(glossary, marks, new Note());
  marks.renew();
  let timer = 0;
  new MutationObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => idle(() => marks.renew()), SETTLED_MS);
  }).observe(document.getElementById('main'), { childList: true, characterData: true, subtree: true });
}

const idle = window.requestIdleCallback ?? ((run) => setTimeout(run, 200));
idle(() => start().catch(() => {})); // a page that is left, or a server that is gone: labels stay as they are
