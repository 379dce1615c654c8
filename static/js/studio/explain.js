// The side panel that explains a figure. Not modal: the page stays usable, Escape closes, focus returns.

import { addressOf } from './address.js';
import { element } from './element.js';
import { same } from './values.js';

export class Explanation {
  constructor(panel, store, toast) {
    this.panel = panel;
    this.store = store;
    this.toast = toast;
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.panel.hidden && !event.defaultPrevented) this.close();
    });
  }

  async open(path, opener) {
    this.opener = opener ?? this.opener;
    this.path = path;
    const shown = await this.load();
    if (!shown) return;
    this.panel.hidden = false;
    document.documentElement.classList.add('is-explaining');
    this.panel.focus({ preventScroll: true });
    this.mark();
  }

  // The same figure of the scenario as it is now.
  async refresh() {
    if (!this.panel.hidden) await this.load();
    this.mark();
  }

  async load() {
    const { values, key } = this.store;
    const asked = this.path;
    try {
      const answer = await fetch('/studio/explain', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/html' },
        body: JSON.stringify({ key, scenario: values, path: asked }),
      });
      if (!answer.ok || asked !== this.path) return false;
      const scrolled = this.panel.scrollTop;
      this.panel.innerHTML = await answer.text();
      this.panel.scrollTop = scrolled;
      return true;
    } catch {
      this.toast.say('The server does not answer, so this figure cannot be explained now.');
      return false;
    }
  }

  close() {
    this.panel.hidden = true;
    document.documentElement.classList.remove('is-explaining');
    const back = this.opener?.isConnected ? this.opener : document.querySelector(`[data-explain="${CSS.escape(this.path)}"]`);
    this.path = null;
    this.mark();
    back?.focus();
  }

  mark() {
    for (const figure of document.querySelectorAll('[data-explain]')) {
      figure.classList.toggle('is-explained', figure.dataset.explain === this.path);
    }
  }

  async copyLink() {
    const address = await addressOf(this.store, !same(this.store.values, this.store.base), { explain: this.path });
    await this.toast.copy(address.href, 'Link copied');
  }

  async copyText() {
    const body = this.panel.querySelector('.explain-body');
    const lines = [
      `${this.panel.querySelector('h2').textContent.replace('Explain: ', '')}: ${body.querySelector('.explain-value').textContent}`,
      ...[...body.querySelectorAll(':scope > .formula pre, :scope > .formula .put-in')].map((line) => line.textContent),
      ...[...body.querySelectorAll('.sources li')].map((line) => `- ${line.textContent.replace(/\s+/g, ' ').trim()}`),
    ];
    await this.toast.copy(lines.join('\n'), 'Explanation copied');
  }
}

// Where a value comes from, beside its mark.
export function showSource(note, mark) {
  const { kind, text, catalog } = mark.dataset;
  note.replaceChildren(element('b', {}, kind));
  if (text) note.append(element('p', {}, text));
  if (catalog && !catalog.startsWith('assumptions/')) {
    note.append(element('a', { href: `/catalog/${catalog}` }, 'Open in the catalog'));
  } else if (catalog) note.append(element('p', {}, catalog));
  const { left, bottom } = mark.getBoundingClientRect();
  note.showPopover();
  note.style.left = `${Math.min(left, innerWidth - note.offsetWidth - 8)}px`;
  note.style.top = `${Math.min(bottom + 4, innerHeight - note.offsetHeight - 8)}px`;
}
