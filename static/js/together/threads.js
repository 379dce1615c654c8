// Threads of comments in a page or a panel: forms are sent without leaving it, and what is typed is never lost.

import { csrf } from '../csrf.js';
import { sayWhen } from '../saved/when.js';
import { element } from '../studio/element.js';
import { fragment } from '../studio/morph.js';
import { Names } from './names.js';

const UNREACHABLE = 'The server does not answer. Nothing was written; your entries are kept.';

export class Threads {
  // `address()` gives what to fetch; `shown(root)` hears of every new showing, `toast` says what was done.
  constructor(place, { address, shown, toast }) {
    Object.assign(this, { place, address, shown, toast });
    place.addEventListener('submit', (event) => this.submit(event));
    this.ready();
  }

  get isTyping() {
    return [...this.place.querySelectorAll('textarea')].some(({ value, defaultValue }) => value !== defaultValue);
  }

  async load() {
    const answer = await fetch(this.address(), { headers: { accept: 'text/html' } }).catch(() => null);
    if (!answer?.ok) return this.toast.say(answer ? 'The comments are not there any more. Reload the page.' : UNREACHABLE);
    const hadFocus = this.place.contains(document.activeElement);
    this.place.replaceChildren(...fragment(await answer.text()).children);
    this.ready();
    if (hadFocus) this.place.querySelector('.composer textarea, h2, summary')?.focus({ preventScroll: true });
  }

  // Somebody else wrote: shown at once, unless that would take away what is being typed.
  async renew() {
    if (!this.isTyping) return this.load();
    if (this.place.querySelector('.threads-news')) return;
    const button = element('button', { type: 'button', className: 'button small threads-news' }, 'Show new comments');
    button.addEventListener('click', () => this.load());
    this.place.prepend(element('p', { role: 'status' }, button));
  }

  ready() {
    const names = JSON.parse(this.place.querySelector('[data-names-list]')?.textContent ?? '[]');
    if (names.length) for (const field of this.place.querySelectorAll('textarea[data-names]')) new Names(field, names);
    sayWhen(this.place);
    this.shown?.(this.place);
  }

  async submit(event) {
    const form = event.target.closest('form[data-comment-form]');
    if (!form) return;
    event.preventDefault();
    if (form.classList.contains('is-busy')) return;
    form.classList.add('is-busy');
    const told = await send(form).catch(() => ({ faults: [UNREACHABLE] }));
    form.classList.remove('is-busy');
    if (told.faults) return refuse(form, told.faults);
    for (const field of form.querySelectorAll('textarea')) field.value = field.defaultValue;
    await this.load();
    this.toast.say(told.said);
  }
}

async function send(form) {
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'application/json', ...csrf } });
  const told = await answer.json();
  return answer.ok ? told : { faults: [told.detail ?? `The server answered ${answer.status}.`] };
}

function refuse(form, faults) {
  form.querySelector('.form-faults')?.remove();
  form.prepend(element('div', { className: 'form-faults', role: 'alert' }, ...faults.map((fault) => element('p', { className: 'field-error' }, fault))));
}
