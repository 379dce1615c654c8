// The side panel that explains a figure. Not modal: the page stays usable, Escape closes, focus returns.

import { csrf } from '../csrf.js';
import { addressOf } from './address.js';
import { element } from './element.js';
import { same } from './values.js';

export class Explanation {
  constructor(panel, store, toast) {
    this.panel = panel;
    this.store = store;
    this.toast = toast;
    this.waiting = document.getElementById('explain-waiting').innerHTML;
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.panel.hidden && !event.defaultPrevented) this.close();
    });
  }

  // An answer within the blink of an eye is all that is shown; one that takes longer is announced.
  async open(path, opener) {
    this.opener = opener ?? this.opener;
    this.path = path;
    const late = setTimeout(() => path === this.path && this.show(this.waiting), 200);
    await this.load();
    clearTimeout(late);
  }

  again() {
    return this.open(this.path);
  }

  // The same figure of the scenario as it is now.
  async refresh() {
    if (this.path) await this.load();
    this.mark();
  }

  async load() {
    const { values, key } = this.store;
    const asked = this.path;
    let shown;
    try {
      const answer = await fetch('/studio/explain', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json', ...csrf },
        body: JSON.stringify({ key, scenario: values, path: asked }),
      });
      shown = answer.ok ? await answer.text() : this.failed((await answer.json()).detail);
    } catch {
      shown = this.failed('The server does not answer.');
    }
    if (asked === this.path) this.show(shown);
  }

  failed(reason) {
    const failed = document.getElementById('explain-failed');
    failed.content.querySelector('.reason').textContent = reason;
    return failed.innerHTML;
  }

  show(html) {
    const focused = document.activeElement;
    const takesFocus = this.panel.hidden || this.panel.contains(focused);
    const scrolled = this.panel.hidden ? 0 : this.panel.scrollTop;
    this.panel.innerHTML = html;
    this.panel.scrollTop = scrolled;
    this.panel.hidden = false;
    document.documentElement.classList.add('is-explaining');
    const place = focused?.dataset?.action && this.panel.querySelector(`[data-action="${focused.dataset.action}"]`);
    if (takesFocus) (place || this.panel).focus({ preventScroll: true });
    this.mark();
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
      ...[...body.querySelectorAll(':scope > .formula pre, :scope > .formula .put-in')].map((line) => line.dataset.text ?? line.textContent),
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
