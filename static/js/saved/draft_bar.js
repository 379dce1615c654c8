// Keeps what is typed as a draft, and says calmly what was restored when a design is opened.

import { element } from '../studio/element.js';
import { same } from '../studio/values.js';
import { Drafts } from './drafts.js';
import { clockOrDate } from './when.js';

const AFTER_MS = 250;

export class DraftKeeper {
  constructor(store, saved, toast) {
    this.store = store;
    this.saved = saved; // what the page shows: {revision, version}, or null
    this.toast = toast;
    this.drafts = new Drafts(store.key);
    this.bars = document.getElementById('bars');
    store.addEventListener('change', () => this.later());
    for (const [target, name] of [[window, 'pagehide'], [document, 'visibilitychange']]) {
      target.addEventListener(name, () => this.timer && this.keep());
    }
  }

  // An address that carries a scenario wins; a draft that differs from it is set aside, not lost.
  open(carried) {
    const draft = this.drafts.read();
    const { values, base } = this.store;
    if (draft && !same(draft.values, carried ? values : base)) {
      if (carried) this.drafts.setAside(draft);
      else this.restore(draft);
    }
    if (carried || draft) this.keep();
    this.offerAside();
  }

  restore(draft) {
    this.began = draft; // a save of it answers for the revision it was typed into
    this.store.replace(draft.values, { urgent: true, rewrite: true });
    const since = this.saved && draft.revision && draft.revision !== this.saved.revision
      ? ` They were made on revision ${draft.revision}; revision ${this.saved.revision} was saved since.` : '';
    this.show('draft-bar', `Unsaved changes from ${clockOrDate(new Date(draft.at))} restored.${since}`, [
      ['Discard', () => this.discard()],
    ]);
  }

  discard() {
    this.began = null;
    this.store.replace(this.store.base, { urgent: true, rewrite: true });
    this.toast.say('Changes discarded', { action: 'Undo', run: () => this.store.undo() });
  }

  offerAside() {
    const draft = this.drafts.aside();
    if (!draft || same(draft.values, this.store.values) || same(draft.values, this.store.base)) return this.drafts.removeAside();
    this.show('aside-bar', `Your changes from ${clockOrDate(new Date(draft.at))} were set aside.`, [
      ['Bring them back', () => this.bringBack(draft)],
      ['Discard', () => this.drafts.removeAside()],
    ]);
  }

  // The two change places, so that neither is lost.
  bringBack(draft) {
    const now = this.store.values;
    if (same(now, this.store.base)) this.drafts.removeAside();
    else this.drafts.setAside({ values: now, ...this.madeFrom() });
    this.began = draft;
    this.store.replace(draft.values, { urgent: true, rewrite: true });
    this.offerAside();
  }

  // The revision and version that the changes at hand were made on.
  madeFrom() {
    const { revision, version } = this.began ?? this.saved ?? {};
    return { revision, version };
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), AFTER_MS);
  }

  keep() {
    clearTimeout(this.timer);
    this.timer = null;
    const { values, base } = this.store;
    if (same(values, base)) {
      this.began = null;
      this.drafts.remove();
      document.getElementById('draft-bar')?.remove();
    } else if (!this.drafts.write({ values, ...this.madeFrom(), at: this.typedAt(values) }) && !this.told) {
      this.told = true;
      this.toast.say('This browser keeps no drafts: its storage is full or forbidden. Save, or export, to keep your changes.', { forMs: 20_000 });
    }
  }

  // A draft that is only opened again is as old as it was.
  typedAt(values) {
    const draft = this.drafts.read();
    return draft && same(draft.values, values) ? draft.at : Date.now();
  }

  // What was saved is no draft any more.
  forget(saved) {
    clearTimeout(this.timer);
    this.timer = null;
    this.began = null;
    this.saved = saved;
    this.drafts.remove();
    document.getElementById('draft-bar')?.remove();
  }

  show(id, text, actions) {
    document.getElementById(id)?.remove();
    const buttons = actions.map(([name, run]) => {
      const button = element('button', { type: 'button', className: 'button' }, name);
      button.addEventListener('click', () => {
        document.getElementById(id)?.remove();
        run();
      });
      return button;
    });
    const bar = element('div', { className: 'note calm slim', id }, element('span', {}, text), ...buttons);
    bar.setAttribute('role', 'status');
    this.bars.append(bar);
  }
}
