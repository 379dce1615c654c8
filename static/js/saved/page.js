// What all pages of saved work share: forms in dialogs, quiet buttons, messages that outlive a page.

import { Toast, UNDO_MS } from '../toast.js';
import { FormDialog, send } from './dialog.js';
import { openImported, startImport } from './import.js';
import { startWhen } from './when.js';

const SAID = 'podwright-said';

export class SavedPage {
  // `changed(told)` brings the page up to date; without it the page is loaded again.
  constructor({ changed } = {}) {
    this.changed = changed ?? ((told) => this.reload(told));
    this.toast = new Toast(document.getElementById('toast'));
    this.dialog = new FormDialog(this.toast);
    document.addEventListener('click', (event) => this.click(event));
    document.addEventListener('submit', (event) => this.submit(event));
    startImport(this.dialog);
    startWhen();
    this.sayAgain();
  }

  click(event) {
    if (event.target.closest('[data-copy]')) return this.copy(event.target.closest('[data-copy]'));
    const link = event.target.closest('a[data-dialog]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    link.closest('[popover]')?.hidePopover();
    this.dialog.open(link.href, { done: (told) => this.told(told), opener: link.closest('[popover]') ? openerOf(link) : link });
  }

  // What stands in the field beside a button. A message at the foot of the page would lie under a dialog.
  async copy(button) {
    const field = button.parentElement.querySelector('[data-copied]');
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Press Ctrl+C';
    }
  }

  async submit(event) {
    const form = event.target.closest('form[data-quiet]');
    if (!form) return;
    event.preventDefault();
    form.closest('[popover]')?.hidePopover();
    const told = await send(form, this.toast);
    if (told) this.told(told);
  }

  told(told) {
    if (told.scenario) return openImported(told, this.toast);
    this.say(told);
    this.changed(told);
  }

  say({ said, undo }) {
    if (!said) return;
    if (!undo) return this.toast.say(said);
    this.toast.say(said, { action: 'Undo', forMs: UNDO_MS, run: () => this.undo(undo) });
  }

  async undo(address) {
    const form = Object.assign(document.createElement('form'), { action: address, method: 'post' });
    const told = await send(form, this.toast);
    if (told) this.told(told);
  }

  // The message is said by the page that comes next.
  reload({ said, undo, address }) {
    this.leave(address && new URL(address, location.href).pathname !== location.pathname ? address : location.href, { said, undo });
  }

  // Where nothing can be kept for the next page, `bare` is an address that says it by itself.
  leave(address, told, bare = address) {
    try {
      sessionStorage.setItem(SAID, JSON.stringify(told));
      location.assign(address);
    } catch {
      location.assign(bare);
    }
  }

  sayAgain() {
    try {
      const told = JSON.parse(sessionStorage.getItem(SAID));
      sessionStorage.removeItem(SAID);
      if (told) this.say(told);
    } catch {
      // nothing was kept
    }
  }
}

const openerOf = (link) => document.querySelector(`[popovertarget="${link.closest('[popover]').id}"]`);
