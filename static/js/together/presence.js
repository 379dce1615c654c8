// Who else has it open, as initials beside the title, and a quiet mark on the field that somebody else is at.

import { csrf } from '../csrf.js';
import { element } from '../studio/element.js';

const QUIET_MS = 1500;
const MOST_INITIALS = 4;

export const initialsOf = (name) => name.replace(/^Guest: /, '').split(/\s+/).filter(Boolean).map((word) => [...word][0].toUpperCase()).filter((_, at, all) => at === 0 || at === all.length - 1).join('') || '?';

export class Presence {
  constructor({ address, stream, place, form }) {
    Object.assign(this, { address, place, form, here: { people: [], more: 0, tabs: 0 } });
    stream.addEventListener('hello', ({ detail }) => {
      this.page = detail.presence;
      this.said = '';
      this.tellLater();
    });
    stream.addEventListener('presence', ({ detail }) => this.show(detail));
    form?.addEventListener('focusin', ({ target }) => this.at(target.closest('.field')?.dataset.path ?? ''));
    form?.addEventListener('focusout', () => this.at(''));
  }

  at(path) {
    this.path = path;
    this.tellLater();
  }

  // Walking through the form tells where it ends.
  tellLater() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.tell(), QUIET_MS);
  }

  async tell() {
    const path = this.path ?? '';
    if (!this.page || path === this.said) return;
    this.said = path;
    const query = new URLSearchParams({ page: this.page, place: path });
    await fetch(`${this.address}/presence?${query}`, { method: 'POST', headers: { ...csrf } }).catch(() => (this.said = null));
  }

  show(here) {
    this.here = here;
    const { people, more, tabs } = here;
    const words = [...people.map(({ name }) => name), ...(more ? [`${more} more`] : [])];
    this.place.replaceChildren();
    if (words.length) {
      const shown = people.slice(0, MOST_INITIALS).map(({ name }) => element('span', { className: 'initials', ariaHidden: 'true', title: name }, initialsOf(name)));
      const rest = people.length - shown.length + more;
      if (rest > 0) shown.push(element('span', { className: 'initials', ariaHidden: 'true' }, `+${rest}`));
      const button = element('button', { type: 'button', title: words.join(', ') }, ...shown, element('span', { className: 'visually-hidden' }, `Also here: ${words.join(', ')}`));
      const list = element('div', { className: 'menu presence-list', id: 'presence-list', popover: 'auto' }, element('b', {}, 'Also here'), ...people.map(({ name, place }) => element('div', {}, place ? `${name}, at ${this.labelOf(place)}` : name)), ...(more ? [element('div', {}, `and ${more} more`)] : []));
      button.setAttribute('popovertarget', list.id);
      this.place.append(button, list);
    } else if (tabs) this.place.append(element('span', { className: 'caption' }, 'Also open in another tab'));
    this.mark();
  }

  labelOf(path) {
    return this.form?.querySelector(`.field[data-path="${CSS.escape(path)}"]`)?.dataset.label ?? path;
  }

  // Marks are put on again whenever the server has written the fields anew.
  mark() {
    for (const old of this.form?.querySelectorAll('.editor-mark') ?? []) old.remove();
    for (const { name, place } of this.here.people) {
      const row = place && this.form?.querySelector(`.field[data-path="${CSS.escape(place)}"]`);
      if (row && !row.querySelector(':scope > .editor-mark')) row.append(element('span', { className: 'editor-mark', title: `${name} is at this field` }, name, element('span', { className: 'visually-hidden' }, ' is at this field')));
    }
  }
}
