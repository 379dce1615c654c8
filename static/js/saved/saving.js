// Saving what is open in the studio, and the choice that is offered where somebody saved meanwhile.

import { keepSteps } from '../studio/steps.js';
import { same } from '../studio/values.js';
import { UNDO_MS } from '../toast.js';

export class Saving {
  constructor({ store, page, drafts, saved }) {
    Object.assign(this, { store, page, drafts, saved });
    addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      const open = document.querySelector('dialog[open]');
      if (!open) this.save();
      else if (!open.querySelector('[data-conflict]')) open.querySelector('form[action$="/save"]')?.requestSubmit();
    });
    document.addEventListener('shown', ({ target }) => this.offerTheirs(target));
  }

  get isChanged() {
    return !same(this.store.values, this.store.base);
  }

  save() {
    if (this.saved && !this.isChanged) return this.page.toast.say(`Nothing to save: revision ${this.saved.revision} holds all of this.`);
    return this.ask(`/designs/${this.store.key}/save`);
  }

  saveAs() {
    return this.ask(`/designs/${this.store.key}/save?new=yes`);
  }

  ask(address) {
    const sent = this.store.values;
    return this.page.dialog.open(address, { fill: (form) => this.fill(form, sent), done: (told) => this.done(told, sent) });
  }

  // The scenario as it stands here, and the revision it was made from. A conflict brings its own numbers.
  fill(root, values) {
    const form = root.querySelector('form');
    if (!form || root.querySelector('[data-conflict]')) return;
    form.elements.scenario.value = JSON.stringify(values);
    const { name } = form.elements;
    const { revision, version } = this.drafts.madeFrom();
    if (form.elements.version && version) {
      form.elements.version.value = version;
      form.elements.revision.value = revision;
    }
    if (name && values.name && values.name !== this.store.base.name && !root.querySelector('.field-error')) name.value = values.name;
  }

  done({ said, saved, address }, sent) {
    if (saved.is_new) {
      this.drafts.forget(null);
      keepSteps(saved.id, { ...this.store, values: null });
      this.page.leave(address, { said });
      return;
    }
    if (saved.values) this.merged(said, saved);
    else {
      this.page.toast.say(said);
      this.settle(sent, saved);
    }
  }

  // What others saved meanwhile is in it now; Undo brings back what was typed here, as it was.
  merged(said, { values, ...saved }) {
    this.store.replace(values, { urgent: true, rewrite: true });
    this.settle(values, saved);
    this.page.toast.say(said, { action: 'Undo', forMs: UNDO_MS, run: () => this.store.undo() });
  }

  // From here on changes count from what was saved; what was typed meanwhile stays a change.
  settle(values, { revision, version }) {
    this.saved = { revision, version };
    this.store.rebase(values, revision);
    this.drafts.forget(this.saved);
    if (this.isChanged) this.drafts.keep();
  }

  offerTheirs(dialog) {
    const link = dialog.querySelector('[data-take-theirs]');
    link?.addEventListener('click', (event) => {
      event.preventDefault();
      const theirs = JSON.parse(dialog.querySelector('[data-conflict]').dataset.theirs);
      dialog.close();
      this.take(theirs);
    });
  }

  // Mine stay: set aside as a draft, and one step back in the undo history.
  take({ values, revision, version }) {
    this.drafts.drafts.setAside({ values: this.store.values, ...this.drafts.madeFrom() });
    this.store.replace(values, { urgent: true, rewrite: true });
    this.settle(values, { revision, version });
    this.page.toast.say(`Revision ${revision} taken`, { action: 'Undo', run: () => this.store.undo() });
    this.drafts.offerAside();
  }

  // Tags or a new name make a version without changing the scenario.
  versioned({ revision, version }) {
    if (this.saved && this.saved.revision === revision) {
      this.saved.version = version;
      this.drafts.saved = this.saved;
    }
  }
}
