// Comments beside the studio: a panel, a button on each field and key figure, and marks where something was said.

import { element } from '../studio/element.js';
import { Threads } from './threads.js';

const ICON = '<svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><path d="M2.500 3h11v8h-6l-3 2.500V11h-2z"/></svg>';

export class CommentsPanel {
  constructor({ key, address, stream, toast, studio, form, explanation }) {
    Object.assign(this, { key, address, studio, form, explanation, toast, only: '', counts: new Map() });
    this.panel = element('aside', { className: 'comments-panel', id: 'comments-panel', hidden: true });
    this.panel.setAttribute('aria-label', 'Comments');
    studio.append(this.panel);
    this.panel.addEventListener('click', (event) => this.click(event));
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !this.panel.hidden && !event.defaultPrevented && explanation.panel.hidden && !document.querySelector('dialog[open]')) this.close();
    });
    for (const name of ['commented', 'restored']) stream.addEventListener(name, () => this.renew());
    stream.addEventListener('hello', ({ detail }) => (detail.missed || !this.counted) && this.renew());
    new MutationObserver(() => this.markExplanation()).observe(explanation.panel, { childList: true });
  }

  async renew() {
    this.counted = true;
    await this.count();
    if (this.threads && !this.panel.hidden) this.threads.renew();
  }

  async count() {
    const answer = await fetch(`${this.address}/comments?resolved=false&limit=500`).catch(() => null);
    if (!answer?.ok) return;
    const { items } = await answer.json();
    this.counts = new Map();
    for (const { anchor } of items) {
      const place = anchor.path ? `${anchor.kind}:${anchor.path}` : 'whole';
      this.counts.set(place, (this.counts.get(place) ?? 0) + 1);
    }
    this.open = items.length;
    this.mark();
  }

  toggle(opener) {
    if (this.panel.hidden) this.show('', opener);
    else this.close();
  }

  async show(only, opener) {
    this.only = only;
    this.opener = opener;
    this.explanation.panel.hidden || this.explanation.close();
    this.panel.hidden = false;
    if (this.threads) await this.threads.load();
    else {
      this.threads = new Threads(this.panel, { address: () => this.panelAddress(), toast: this.toast });
      await this.threads.load();
    }
    const first = this.panel.querySelector('.composer textarea') ?? this.panel.querySelector('h2');
    first?.focus({ preventScroll: true });
  }

  panelAddress() {
    return `/designs/${this.key}/comments?${new URLSearchParams({ panel: '1', ...(this.only ? { at: this.only } : {}) })}`;
  }

  close() {
    this.panel.hidden = true;
    if (this.opener?.isConnected) this.opener.focus();
    else document.querySelector('[data-action="comments"]')?.focus();
  }

  click(event) {
    if (event.target.closest('[data-close-comments]')) return this.close();
    if (event.target.closest('[data-all-comments]')) {
      event.preventDefault();
      return this.show('', this.opener);
    }
    const about = event.target.closest('[data-to-anchor]');
    if (!about || event.metaKey || event.ctrlKey) return undefined;
    event.preventDefault();
    return this.goTo(about.closest('.thread').dataset.anchor);
  }

  goTo(place) {
    const [kind, path] = place.split(/:(.*)/);
    const target = kind === 'field' ? this.form.querySelector(`.field[data-path="${CSS.escape(path)}"]`) : this.studio.querySelector(kind === 'result' ? `[data-explain="${CSS.escape(path)}"]` : 'h1');
    if (!target) return;
    for (let part = target.closest('details'); part; part = part.parentElement.closest('details')) part.open = true;
    if (matchMedia('(max-width: 760px)').matches) this.panel.hidden = true;
    target.scrollIntoView({ block: 'center' });
    (target.querySelector('input, select') ?? target).focus({ preventScroll: true });
  }

  // Put on again whenever the server has written the page anew.
  mark() {
    for (const row of this.form.querySelectorAll('.field[data-path]')) this.put(row, `field:${row.dataset.path}`, row.dataset.label);
    for (const figure of this.studio.querySelectorAll('.key-figures a[data-explain]')) this.put(figure.parentElement, `result:${figure.dataset.explain}`, figure.querySelector('.key-label').firstChild.textContent.trim());
    for (const figure of this.studio.querySelectorAll('.data a.explained[data-explain]')) {
      const place = `result:${figure.dataset.explain}`;
      if (this.counts.has(place) || figure.parentElement.querySelector(':scope > .comment-mark')) this.put(figure.parentElement, place, figure.textContent);
    }
    const tool = this.studio.querySelector('[data-action="comments"]');
    if (tool && this.open !== undefined) tool.textContent = this.open ? `Comments (${this.open})` : 'Comments';
    this.markExplanation();
  }

  put(host, place, label) {
    const count = this.counts.get(place) ?? 0;
    let button = host.querySelector(':scope > .comment-mark');
    if (!button) {
      button = element('button', { type: 'button', className: 'comment-mark' });
      button.addEventListener('click', () => this.show(button.dataset.place, button));
      host.append(button);
    }
    const words = count ? `${count} comment${count === 1 ? '' : 's'} on ${label}` : `Comment on ${label}`;
    if (button.dataset.place === place && button.title === words) return;
    button.dataset.place = place;
    button.title = words;
    button.classList.toggle('has-open', count > 0);
    button.innerHTML = ICON;
    if (count) button.append(element('span', { className: 'count', ariaHidden: 'true' }, count));
    button.append(element('span', { className: 'visually-hidden' }, words));
  }

  // Every figure can be explained, and what is explained can be commented on.
  markExplanation() {
    const head = this.explanation.panel.querySelector('.explain-head');
    const body = this.explanation.panel.querySelector('[data-path]');
    if (!head || !body) return;
    if (!head.querySelector('.comment-mark')) {
      const holder = element('span', {});
      head.querySelector('h2').after(holder);
      this.put(holder, `result:${body.dataset.path}`, 'this figure');
    }
  }
}
