// Completes @names while a comment is typed: arrows choose, Enter or Tab takes, Escape closes.

import { element } from '../studio/element.js';

const MOST = 8;
const BEGUN = /(^|[^\w@])@"?([\p{L}\p{N}.'-]*(?: [\p{L}\p{N}.'-]*)?)$/u;

export class Names {
  constructor(field, names) {
    Object.assign(this, { field, names });
    this.list = element('ul', { className: 'names-list', role: 'listbox', id: `names-${Math.random().toString(36).slice(2)}`, hidden: true, ariaLabel: 'People' });
    field.setAttribute('aria-controls', this.list.id);
    field.setAttribute('aria-autocomplete', 'list');
    field.parentElement.append(this.list);
    field.addEventListener('input', () => this.offer());
    field.addEventListener('keydown', (event) => this.key(event));
    field.addEventListener('blur', () => setTimeout(() => this.close(), 150));
    this.list.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const chosen = event.target.closest('li');
      if (chosen) this.take(chosen.textContent);
    });
  }

  offer() {
    const before = this.field.value.slice(0, this.field.selectionStart);
    const begun = before.match(BEGUN)?.[2].toLowerCase();
    const found = begun === undefined ? [] : this.names.filter((name) => name.toLowerCase().split(' ').some((_, at, words) => words.slice(at).join(' ').startsWith(begun))).slice(0, MOST);
    if (!found.length) return this.close();
    this.list.replaceChildren(...found.map((name, at) => element('li', { role: 'option', id: `${this.list.id}-${at}` }, name)));
    this.list.hidden = false;
    this.point(0);
  }

  point(at) {
    const all = [...this.list.children];
    this.at = (at + all.length) % all.length;
    all.forEach((one, index) => one.setAttribute('aria-selected', index === this.at));
    this.field.setAttribute('aria-activedescendant', all[this.at].id);
  }

  key(event) {
    if (this.list.hidden) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) this.point(this.at + steps[event.key]);
    else if (event.key === 'Enter' || event.key === 'Tab') this.take(this.list.children[this.at].textContent);
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  take(name) {
    const { value, selectionStart } = this.field;
    const before = value.slice(0, selectionStart).replace(BEGUN, `$1${name.includes(' ') ? `@"${name}"` : `@${name}`} `);
    this.field.value = before + value.slice(selectionStart);
    this.field.setSelectionRange(before.length, before.length);
    this.close();
  }

  close() {
    this.list.hidden = true;
    this.field.removeAttribute('aria-activedescendant');
  }
}
