// What somebody else saves while the studio is open: taken in place where nothing was changed here, else offered.

import { element } from '../studio/element.js';

const OWN_SAVE_MS = 1500; // what this page saved is told to it as well, sometimes before its own answer has come

export class LiveUpdate {
  constructor({ store, saved, stream, recalculation, isChanged }) {
    Object.assign(this, { store, saved, recalculation, isChanged, bars: document.getElementById('bars') });
    for (const name of ['hello', 'saved', 'merged', 'renamed']) stream.addEventListener(name, ({ detail }) => this.newer(detail));
    for (const name of ['hello', 'tagged']) stream.addEventListener(name, ({ detail }) => this.versioned(detail));
    stream.addEventListener('deleted', ({ detail }) => this.deleted(detail));
    stream.addEventListener('restored', () => this.remove('deleted-bar'));
    store.addEventListener('change', () => this.settled());
  }

  get shown() {
    return this.saved.saving.saved;
  }

  newer({ revision, you }) {
    if (revision <= this.shown.revision) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.look(revision), you ? OWN_SAVE_MS : 0);
  }

  async look(revision) {
    if (revision <= this.shown.revision) return;
    const since = this.shown.revision;
    const answer = await fetch(`/designs/${this.store.key}/newest?since=${since}`).catch(() => null);
    if (!answer?.ok) return;
    const newest = await answer.json();
    if (!newest.values || since !== this.shown.revision) return; // saved here meanwhile
    newest.who = newest.you ? 'You, in another tab,' : newest.by || 'Someone';
    if (this.isChanged() || document.querySelector('dialog[open]')) this.offer(newest);
    else this.take(newest);
  }

  take({ values, revision, version, who, changed, brief }) {
    this.remove('changed-bar');
    this.store.replace(values, { urgent: true, rewrite: true });
    this.saved.saving.settle(values, { revision, version });
    this.recalculation.now();
    this.saved.toast.say(`${who} saved revision ${revision}: ${changed ? brief : 'nothing that the scenario states'}. It is shown here now.`);
  }

  offer(newest) {
    const { revision, who, changed } = newest;
    const since = this.shown.revision;
    const { key } = this.store;
    const see = element('a', { className: 'button', href: `/compare?${new URLSearchParams({ a: `${key}@${since}`, b: `${key}@${revision}` })}`, target: '_blank', rel: 'noopener' }, 'See what changed');
    const take = element('button', { type: 'button', className: 'button' }, 'Take theirs');
    take.addEventListener('click', () => {
      this.remove('changed-bar');
      this.saved.saving.take(newest);
    });
    const fields = `${changed} field${changed === 1 ? '' : 's'}`;
    this.show('changed-bar', `${who} saved revision ${revision} (${fields}). Keep editing: your changes are merged when you save.`, see, take);
  }

  // Other tags, or a new state without a new revision: the head is written anew.
  versioned({ revision, version }) {
    if (revision !== this.shown.revision || version <= this.shown.version) return;
    this.saved.saving.versioned({ revision, version });
    this.recalculation.now();
  }

  deleted({ by, you }) {
    this.show('deleted-bar', `${you ? 'You' : by || 'Someone'} deleted this scenario. What you have here stays; it can be restored from the deleted ones, or saved under a name.`);
  }

  // A save that was merged has brought what was offered.
  settled() {
    const bar = document.getElementById('changed-bar');
    if (bar && Number(bar.dataset.revision) <= this.shown.revision) bar.remove();
  }

  show(id, text, ...actions) {
    this.remove(id);
    const bar = element('div', { className: 'note calm slim changed-bar', id, role: 'status' }, element('span', {}, text), ...(actions.length ? [element('span', { className: 'actions' }, ...actions)] : []));
    bar.dataset.revision = text.match(/revision (\d+)/)?.[1] ?? '';
    this.bars.append(bar);
  }

  remove(id) {
    document.getElementById(id)?.remove();
  }
}
