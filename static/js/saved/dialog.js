// Forms that are pages of their own, shown in a dialog over the page that links to them.
//
//   open(address, options)   Fetches the form at an address and shows it. `options.fill(form)` puts into it
//                            what only this page knows; `options.done(told)` hears what the server answers
//                            once the work is done. Where it is refused, the form comes back with the faults.
//   send(form)               Sends a form that needs no dialog; what the server tells, or null with a message.

import { csrf } from '../csrf.js';
import { element } from '../studio/element.js';

const JSON_WANTED = { accept: 'application/json', ...csrf };
const UNREACHABLE = 'The server does not answer. Nothing was written; your entries are kept.';

const parser = new DOMParser();

function formIn(html) {
  return parser.parseFromString(html, 'text/html').querySelector('[data-dialog-form]');
}

async function answerOf(form) {
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.action, { method: 'POST', body, headers: JSON_WANTED });
  const content = await answer.json();
  return answer.ok ? content : { fault: content.detail ?? `The server answered ${answer.status}.` };
}

export async function send(form, toast) {
  const told = await answerOf(form).catch(() => ({ fault: UNREACHABLE }));
  if (!told.fault) return told;
  toast.say(told.fault);
  return null;
}

export class FormDialog {
  constructor(toast) {
    this.toast = toast;
    this.dialog = element('dialog', { className: 'form-dialog' });
    this.dialog.addEventListener('submit', (event) => this.submit(event));
    this.dialog.addEventListener('click', (event) => this.click(event));
    this.dialog.addEventListener('close', () => this.closed());
    document.body.append(this.dialog);
  }

  async open(address, { fill, done, opener } = {}) {
    this.fill = fill;
    this.done = done;
    this.opener = opener ?? document.activeElement;
    const fetched = await fetch(address).then((answer) => answer.text()).catch(() => null);
    const form = fetched && formIn(fetched);
    if (!form) return this.toast.say(fetched === null ? UNREACHABLE : 'There is nothing there any more. Reload the page.');
    this.show(form);
    return this.dialog;
  }

  show(form) {
    this.dialog.replaceChildren(form);
    const title = form.querySelector('h1');
    title.id = 'dialog-title';
    this.dialog.setAttribute('aria-labelledby', title.id);
    this.fill?.(form);
    if (!this.dialog.open) this.dialog.showModal();
    const first = form.querySelector('[autofocus], [aria-invalid]') ?? form.querySelector('input:not([type="hidden"]), a, button');
    first?.focus();
    if (first?.matches('input:not([type])')) first.select();
    this.dialog.dispatchEvent(new CustomEvent('shown', { bubbles: true }));
  }

  async submit(event) {
    event.preventDefault();
    const form = event.target;
    if (this.dialog.querySelector('.is-busy')) return;
    form.classList.add('is-busy');
    const told = await answerOf(form).catch(() => ({ fault: UNREACHABLE }));
    form.classList.remove('is-busy');
    if (told.fault) this.refuse(form, told.fault);
    else if (told.form) this.show(formIn(told.form));
    else {
      this.dialog.close();
      this.done?.(told);
    }
  }

  refuse(form, reason) {
    let place = form.querySelector('.form-faults');
    if (!place) form.prepend((place = element('div', { className: 'form-faults', role: 'alert' })));
    place.replaceChildren(element('p', { className: 'field-error' }, reason));
  }

  click(event) {
    const onGround = event.target === this.dialog && event.clientX !== 0 && !inside(this.dialog, event);
    if (!event.target.closest('[data-close]') && !onGround) return;
    event.preventDefault();
    this.dialog.close();
  }

  // What was typed may be wanted again, but a form is filled in a moment: only the focus goes back.
  closed() {
    this.dialog.replaceChildren();
    if (this.opener?.isConnected) this.opener.focus();
  }
}

function inside(dialog, { clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
