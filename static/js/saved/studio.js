// What the studio does with saved work: drafts, saving, comparing, files, and designs of the library.

import { csrf } from '../csrf.js';
import { addressOf, encoded, LONGEST_STATE } from '../studio/address.js';
import { download } from '../studio/share.js';
import { DraftKeeper } from './draft_bar.js';
import { SavedPage } from './page.js';
import { Saving } from './saving.js';

const TOO_LARGE = 'These changes are too large for an address';

export class StudioSaved {
  constructor({ store, data, recalculation, isChanged }) {
    this.store = store;
    this.isChanged = isChanged;
    this.page = new SavedPage({ changed: (told) => this.changed(told) });
    this.drafts = new DraftKeeper(store, data.saved, this.page.toast);
    this.saving = new Saving({ store, page: this.page, drafts: this.drafts, saved: data.saved });
    this.recalculation = recalculation;
  }

  get toast() {
    return this.page.toast;
  }

  open() {
    this.drafts.open(new URL(location.href).searchParams.has('s'));
  }

  get actions() {
    return {
      save: () => this.saving.save(),
      'save-as': () => this.saving.saveAs(),
      'compare-saved': () => this.compare(),
      share: () => this.share(),
      export: ({ dataset: { format } }) => this.export(format),
      'save-design': ({ dataset: { kind } }) => this.saveDesign(kind),
      detach: ({ dataset: { part } }) => this.detach(part),
    };
  }

  async share() {
    const address = await addressOf(this.store, this.isChanged());
    if (address.whole) return this.toast.copy(address.href, 'Link copied: it carries every input');
    const size = address.size.toLocaleString('en');
    this.toast.say(`${TOO_LARGE} (${size} letters). Save it and share the saved one, or export it.`, { action: 'Save', run: () => this.saving.save(), forMs: 20_000 });
  }

  async compare() {
    const state = await encoded(this.store.values);
    if (state.length > LONGEST_STATE) {
      this.toast.say(`${TOO_LARGE}, so they cannot be compared before they are saved.`, { action: 'Save as', run: () => this.saving.saveAs() });
      return;
    }
    const { key } = this.store;
    location.assign(`/compare?${new URLSearchParams({ a: key, b: key, s: state })}`);
  }

  async export(format) {
    try {
      const answer = await post(`/studio/export/${format}`, { key: this.store.key, scenario: this.store.values, own_prices: document.querySelector('[data-own-prices]')?.checked ?? false });
      if (!answer.ok) return this.toast.say(`Not exported: ${(await answer.json()).detail}`);
      download(nameOf(answer), await answer.blob());
    } catch {
      this.toast.say('The server does not answer; your entries are kept.');
    }
  }

  saveDesign(kind) {
    const query = new URLSearchParams({ kind, key: this.store.key });
    const fill = (form) => form.querySelector('form').elements.scenario && (form.querySelector('form').elements.scenario.value = JSON.stringify(this.store.values));
    this.page.dialog.open(`/library/new?${query}`, {
      fill,
      done: ({ said, saved }) => {
        if (saved.use) this.store.replace({ ...this.store.values, [saved.kind]: { design: saved.id } }, { urgent: true, rewrite: true });
        this.toast.say(said, saved.use ? { action: 'Undo use', run: () => this.store.undo() } : {});
      },
    });
  }

  async detach(part) {
    try {
      const answer = await (await post('/studio/detach', { key: this.store.key, scenario: this.store.values, part })).json();
      if (!answer.scenario) return this.toast.say(answer.errors?.[0].message ?? answer.detail);
      this.store.replace(answer.scenario, { urgent: true, rewrite: true });
    } catch {
      this.toast.say('The server does not answer; your entries are kept.');
    }
  }

  // After a dialog or a quiet button of the page.
  changed(told) {
    if (told.saved?.id !== this.store.key) return this.page.leave(told.saved ? `/designs/${told.saved.id}` : told.address, { said: told.said });
    if (told.undo) return this.page.leave('/', { said: told.said, undo: told.undo }, told.address);
    this.saving.versioned(told.saved);
    this.recalculation.now();
  }
}

const post = (address, body) => fetch(address, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', accept: 'application/json, */*', ...csrf } });

function nameOf(answer) {
  const header = answer.headers.get('content-disposition') ?? '';
  const whole = header.match(/filename\*=UTF-8''([^;]+)/);
  return whole ? decodeURIComponent(whole[1]) : (header.match(/filename="([^"]+)"/)?.[1] ?? 'scenario');
}
