// Which inputs are shown: a dozen at first, all of them, those that are changed, or those that match what is typed.

const KEPT = 'podwright-inputs';
const MODES = ['basic', 'all', 'changed'];

export class Find {
  constructor(form) {
    this.form = form;
    this.box = form.querySelector('#find-input');
    this.none = form.querySelector('#find-none');
    this.buttons = [...form.querySelectorAll('[data-inputs]')];
    this.opened = new Map(); // groups as they were before all that match were opened
    this.mode = MODES.find((mode) => mode === kept()) ?? 'basic';
    this.box.addEventListener('input', (event) => {
      event.stopPropagation();
      this.show();
    });
    this.box.addEventListener('change', (event) => event.stopPropagation());
    this.box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') event.preventDefault();
      if (event.key === 'Escape' && this.box.value) this.clear();
    });
    for (const button of this.buttons) button.addEventListener('click', () => this.choose(button.dataset.inputs));
    this.show();
  }

  choose(mode) {
    this.mode = mode;
    keep(mode);
    this.box.value = '';
    this.show();
  }

  clear() {
    this.box.value = '';
    this.show();
  }

  // A field that something else leads to is in sight, whatever is shown.
  reveal(row) {
    if (row.hasAttribute('data-own-out')) this.choose('all');
  }

  // Groups are opened when what is shown is chosen; a result leaves them as they are.
  show({ opening = true } = {}) {
    const words = this.box.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const narrowed = words.length > 0 || this.mode !== 'all';
    for (const button of this.buttons) button.setAttribute('aria-pressed', String(!words.length && button.dataset.inputs === this.mode));
    let shown = 0;
    for (const row of this.form.querySelectorAll('.panel-parts .field')) {
      const isOut = !this.matches(row, words);
      row.toggleAttribute('data-own-out', isOut);
      shown += !isOut;
    }
    for (const group of this.form.querySelectorAll('.panel-section, .panel-more')) this.group(group, narrowed, opening);
    this.none.hidden = shown > (words.length ? 0 : 1) || !narrowed; // the name is there unless it is looked for
    this.none.textContent = words.length ? `No input is called \u201c${this.box.value.trim()}\u201d.` : 'Nothing is changed.';
  }

  matches(row, words) {
    const { path, label } = row.dataset;
    if (words.length) {
      const text = `${label} ${path.replaceAll(/[._]/g, ' ')} ${row.querySelector('label')?.title ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    }
    if (path === 'name' || this.mode === 'all' || row.classList.contains('is-refused')) return true;
    return this.mode === 'changed' ? row.classList.contains('is-changed') : 'basic' in row.dataset || row.classList.contains('is-changed');
  }

  // A group with nothing to show is out; one with something is open while less than all is shown.
  group(group, narrowed, opening) {
    const isAdvanced = group.id === 'advanced';
    const isEmpty = isAdvanced ? narrowed : !group.querySelector('.field:not([data-own-out])');
    group.toggleAttribute('data-own-out', narrowed && isEmpty);
    if (!opening) return;
    if (narrowed && !isEmpty) {
      if (!this.opened.has(group)) this.opened.set(group, group.open);
      group.open = true;
    } else if (!narrowed && this.opened.has(group)) {
      group.open = this.opened.get(group);
      this.opened.delete(group);
    }
  }
}

// A browser may refuse to keep anything.
function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(mode) {
  try {
    localStorage.setItem(KEPT, mode);
  } catch {
    // it holds for this page
  }
}
