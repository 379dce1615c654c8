// The command palette: Ctrl+K or Cmd+K finds inputs of the page, figures, pages, designs, parts, help and terms.

const WAIT_MS = 90;
const MOST_INPUTS = 6;
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// The design of this page: of the studio, or of a page in detail.
function openDesign() {
  const studio = document.getElementById('studio')?.dataset.key;
  return studio ?? location.pathname.match(/^\/(?:designs|fabric|facility|economics|operations|serving|explore)\/([^/]+)/)?.[1] ?? '';
}

const isStudio = () => document.getElementById('studio') !== null;

// A label without the words of what it labels, as a select has them.
function textOf(label) {
  const copy = label.cloneNode(true);
  for (const inner of copy.querySelectorAll('select, button, .visually-hidden, svg')) inner.remove();
  return copy.textContent.trim().replace(/\s+/g, ' ');
}

// Every labelled control of the page with the group that it is in.
function inputsOfPage() {
  const found = new Map();
  const add = (control, name) => {
    if (!control || control.type === 'hidden' || control.disabled || !name || found.has(control)) return;
    const title = control.closest('details, section')?.querySelector('summary, h2');
    const group = (title?.querySelector('h2, h3') ?? title)?.textContent.trim() ?? '';
    found.set(control, { name, group });
  };
  for (const row of document.querySelectorAll('main [data-path][data-label]')) {
    const controls = [...row.querySelectorAll('input:not([type=range]), select, textarea')];
    add(controls.find(({ hidden }) => !hidden) ?? controls[0], row.dataset.label);
  }
  for (const label of document.querySelectorAll('main label')) {
    if (label.closest('[data-path], .segment')) continue;
    add(label.control, textOf(label));
  }
  return [...found].map(([control, { name, group }]) => ({ name, note: group ? `Input, ${group}` : 'Input', control }));
}

function fitting(entries, words) {
  const rank = ({ name }) => {
    const lower = name.toLowerCase();
    const own = lower.split(/[\s/-]+/);
    if (lower.startsWith(words.join(' '))) return 0;
    return words.every((word) => own.some((one) => one.startsWith(word))) ? 1 : 2;
  };
  return entries
    .filter(({ name, note }) => words.every((word) => `${name} ${note}`.toLowerCase().includes(word)))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, MOST_INPUTS);
}

function reveal(control) {
  for (let above = control.parentElement; above; above = above.parentElement) {
    if (above.tagName === 'DETAILS') above.open = true;
  }
  if (control.getClientRects().length === 0) document.querySelector('[data-action="sheet"]:not([hidden])')?.click();
  const shown = control.hidden ? control.parentElement.querySelector('input:not([hidden])') ?? control : control;
  shown.focus({ focusVisible: true });
  shown.scrollIntoView({ block: 'center' });
}

class Palette {
  constructor() {
    this.input = element('input', {
      id: 'palette-input', type: 'text', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-list',
      'aria-autocomplete': 'list', 'aria-label': 'Search inputs, figures, pages, designs, parts and help',
      placeholder: 'Search inputs, figures, pages, designs, parts, help', autocomplete: 'off', spellcheck: 'false', maxlength: '100',
    });
    this.list = element('div', { id: 'palette-list', role: 'listbox', 'aria-label': 'Results' });
    this.status = element('p', { class: 'palette-status', role: 'status' });
    const close = element('button', { type: 'button', class: 'link-button palette-close' }, 'Close');
    const keys = element('p', { class: 'palette-keys', 'aria-hidden': 'true' }, '↑ ↓ to move, Enter to open, Esc to close');
    this.dialog = element('dialog', { id: 'palette', class: 'palette', 'aria-label': 'Search' },
      element('div', { class: 'palette-head' }, this.input, close), this.list, element('div', { class: 'palette-foot' }, this.status, keys));
    document.body.append(this.dialog);
    this.options = [];
    this.timer = 0;
    close.addEventListener('click', () => this.dialog.close());
    this.input.addEventListener('input', () => this.later());
    this.input.addEventListener('keydown', (event) => this.key(event));
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    this.dialog.addEventListener('close', () => this.asked?.abort());
    this.list.addEventListener('click', (event) => {
      const place = this.options.findIndex(({ option }) => option.contains(event.target));
      if (place >= 0) this.take(place, event.ctrlKey || event.metaKey);
    });
    this.list.addEventListener('pointermove', (event) => {
      const place = this.options.findIndex(({ option }) => option.contains(event.target));
      if (place >= 0) this.select(place, false);
    });
  }

  open() {
    if (this.dialog.open) return this.dialog.close();
    for (const popover of document.querySelectorAll(':popover-open')) popover.hidePopover();
    this.inputs = inputsOfPage();
    this.input.value = '';
    this.list.replaceChildren();
    delete this.list.dataset.of;
    this.options = [];
    this.wanted = null;
    this.dialog.showModal();
    this.input.focus();
    this.refresh();
  }

  later() {
    this.wanted = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), WAIT_MS);
  }

  async refresh() {
    const text = this.input.value.trim();
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const inputs = words.length ? fitting(this.inputs, words) : [];
    this.asked?.abort();
    this.asked = new AbortController();
    const query = new URLSearchParams({ q: text, design: openDesign(), s: new URLSearchParams(location.search).get('s') ?? '' });
    try {
      const answer = await fetch(`/palette.json?${query}`, { signal: this.asked.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const { groups } = await answer.json();
      this.show([{ title: 'Inputs', entries: inputs }, ...groups], text);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.show([{ title: 'Inputs', entries: inputs }], text);
      this.status.textContent = 'The server does not answer: only inputs of this page are searched.';
    }
  }

  // Of the text that is named: Enter that came before its results takes the first of them.
  show(groups, text) {
    this.list.dataset.of = text;
    this.options = [];
    const filled = groups.filter(({ entries }) => entries.length);
    this.list.replaceChildren(...filled.map(({ title, entries }, number) => {
      const heading = element('p', { class: 'palette-group', id: `palette-group-${number}`, role: 'presentation' }, title);
      const options = entries.map((entry) => {
        const option = element('div', { role: 'option', id: `palette-option-${this.options.length}`, 'aria-selected': 'false' },
          element('span', { class: 'palette-name' }, entry.name), ' ', element('span', { class: 'palette-note' }, entry.note));
        this.options.push({ option, entry });
        return option;
      });
      return element('div', { role: 'group', 'aria-labelledby': heading.id }, heading, ...options);
    }));
    const count = this.options.length;
    this.status.textContent = count ? `${count} result${count === 1 ? '' : 's'}` : `Nothing matches “${text}”. Each word must be found.`;
    this.select(0);
    if (this.wanted && count) this.take(0, this.wanted.inNewTab);
    this.wanted = null;
  }

  select(place, scroll = true) {
    this.place = Math.min(place, this.options.length - 1);
    for (const [number, { option }] of this.options.entries()) option.setAttribute('aria-selected', String(number === this.place));
    const chosen = this.options[this.place]?.option;
    if (!chosen) return this.input.removeAttribute('aria-activedescendant');
    this.input.setAttribute('aria-activedescendant', chosen.id);
    if (scroll) chosen.scrollIntoView({ block: 'nearest' });
  }

  key(event) {
    const last = this.options.length - 1;
    const moves = {
      ArrowDown: this.place === last ? 0 : this.place + 1,
      ArrowUp: this.place <= 0 ? last : this.place - 1,
      PageDown: Math.min(last, this.place + 8),
      PageUp: Math.max(0, this.place - 8),
    };
    if (event.key in moves) {
      event.preventDefault();
      this.select(moves[event.key]);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const inNewTab = event.ctrlKey || event.metaKey;
      if (this.list.dataset.of !== this.input.value.trim()) this.wanted = { inNewTab };
      else if (this.options.length) this.take(this.place, inNewTab);
    }
  }

  take(place, inNewTab) {
    const { control, address } = this.options[place].entry;
    this.dialog.close();
    if (control) return reveal(control);
    // what is changed and not saved goes along to pages of the same design
    const key = openDesign();
    const state = key && address.includes(`/${key}/`) ? new URLSearchParams(location.search).get('s') : null;
    const to = state ? `${address}?s=${encodeURIComponent(state)}` : address;
    const path = address.match(/\/explain\/(.+)$/)?.[1];
    const shown = path && isStudio() && document.querySelector(`#results [data-explain="${CSS.escape(path)}"]`);
    if (inNewTab) return open(to, '_blank', 'noopener');
    if (shown) return shown.click(); // the studio explains it beside the inputs
    location.assign(to);
  }
}

const button = document.getElementById('palette-button');
const palette = new Palette();
button.hidden = false;
if (isMac) button.querySelector('kbd').textContent = '⌘ K';
button.addEventListener('click', () => palette.open());
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  palette.open();
});
