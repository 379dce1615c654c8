// The section that is open. What the studio draws comes with the key figures; a page of a room is fetched by itself:
// when another tab is opened, when the scenario has changed, and when its own form has.

import * as charts from '../charts.js';
import { Study } from '../study.js';
import { addressOf, decoded, encoded, pathOf, placeOf } from './address.js';
import { element } from './element.js';
import { fragment } from './morph.js';

const TYPED_MS = 350;
const LINE_MS = 150;
const NOT_OF_SECTION = ['s', 'whole', 'explain', 'accept', 'estimate', 'to'];

export class OpenSection {
  constructor({ studio, store, results, recalculation, isChanged }) {
    Object.assign(this, { studio, store, results, recalculation, isChanged });
    this.element = document.getElementById('section');
    this.sequence = 0;
    this.studies = new Map();
    this.query = ownQuery(location.search);
    this.of = store.values;
    this.element.addEventListener('input', (event) => this.typed(event, TYPED_MS));
    this.element.addEventListener('change', (event) => this.typed(event, 0));
    this.element.addEventListener('submit', (event) => this.submitted(event));
    addEventListener('popstate', () => this.travelled());
    this.startStudies();
    if (this.element.querySelector('[data-later]')) this.load(); // it takes seconds: the page came first
  }

  get place() {
    return this.studio.dataset.place;
  }

  get isOfRoom() {
    return this.place.includes('/');
  }

  get query() {
    return new URLSearchParams(this.studio.dataset.query);
  }

  set query(parameters) {
    this.studio.dataset.query = parameters.toString();
  }

  // Opens another place, or the same with another question.
  async go(place, query = new URLSearchParams(), { isNew = true } = {}) {
    const moved = place !== this.place;
    this.studio.dataset.place = place;
    this.query = query;
    if (isNew) history.pushState(null, '', (await addressOf(this.store, this.isChanged())).href);
    if (moved) {
      scrollTo(0, 0);
      this.recalculation.now();
    }
    if (this.isOfRoom) await this.load({ moved });
    else this.empty();
  }

  empty() {
    this.sequence += 1;
    this.controller?.abort();
    this.rest();
    this.element.replaceChildren();
  }

  // The figures are of another scenario than the section: after a change of place it is on its way already.
  changed() {
    if (this.of === this.store.values) return;
    this.of = this.store.values;
    this.load();
  }

  async load({ moved = false } = {}) {
    if (!this.isOfRoom) return;
    this.of = this.store.values;
    const sequence = (this.sequence += 1);
    this.controller?.abort();
    this.controller = new AbortController();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.studio.classList.add('is-loading'), LINE_MS);
    try {
      const address = new URL(pathOf(this.place, this.store.key), location.href);
      address.search = this.query;
      if (this.isChanged()) address.searchParams.set('s', await encoded(this.store.values));
      const answer = await fetch(address, { headers: { 'podwright-part': 'section' }, signal: this.controller.signal });
      if (sequence !== this.sequence || this.of !== this.store.values) return; // asked again with what was typed since
      if (answer.redirected) await this.taken(new URL(answer.url));
      const found = fragment(await answer.text());
      const part = found.querySelector('#section');
      if (sequence !== this.sequence) return;
      if (!part) throw new Error(`The server answered ${answer.status}.`);
      await dressed(found);
      if (sequence !== this.sequence) return;
      document.title = found.querySelector('title').textContent;
      await this.show(part, moved);
    } catch (error) {
      if (error.name === 'AbortError' || sequence !== this.sequence) return;
      this.lost(error);
    } finally {
      if (sequence === this.sequence) this.rest();
    }
  }

  // A form that changes the scenario is answered by the address of the changed one.
  async taken({ pathname, search }) {
    const state = new URLSearchParams(search).get('s');
    const values = state ? await decoded(state) : this.store.base;
    this.studio.dataset.place = placeOf(pathname, this.store.key) ?? this.place;
    this.query = ownQuery(search);
    this.of = values;
    this.store.replace(values, { urgent: true, rewrite: true });
  }

  async show(part, moved) {
    if (moved) this.element.replaceChildren();
    await this.results.put(this.element, part.innerHTML);
    this.startStudies();
    for (const study of this.studies.values()) study.later();
    this.studio.dataset.shown = String(Number(this.studio.dataset.shown ?? 0) + 1);
  }

  rest() {
    clearTimeout(this.waiting);
    this.studio.classList.remove('is-loading');
  }

  lost(error) {
    const reason = error.message.startsWith('The server') ? error.message : 'The server does not answer.';
    const retry = element('button', { type: 'button', className: 'button' }, 'Try again');
    retry.addEventListener('click', () => this.load());
    this.element.querySelector('#section-lost')?.remove();
    this.element.prepend(element('div', { className: 'note warn', id: 'section-lost' },
      element('h3', {}, 'This section is not up to date.'), element('p', {}, reason), element('p', { className: 'actions' }, retry)));
  }

  startStudies() {
    for (const [place, study] of this.studies) {
      if (place.isConnected) continue;
      study.end();
      this.studies.delete(place);
    }
    for (const place of this.studio.querySelectorAll('[data-study]')) {
      if (!this.studies.has(place)) this.studies.set(place, new Study(place, () => this.store.values, this.store.key));
    }
  }

  // Every chart and study, for a sheet of paper.
  async ready() {
    await Promise.all([...this.studies.values()].map((study) => study.ready()));
    await charts.drawEvery();
  }

  typed({ target, type }, after) {
    const form = target.closest('form[method="get"]');
    const isText = target.matches('textarea, input:not([type="checkbox"], [type="radio"], [type="range"], [type="hidden"])');
    if (!form || 'byButton' in form.dataset || isText !== (type === 'input') || !this.isAnswered(form)) return;
    clearTimeout(this.typing);
    this.sequence += 1; // an answer on its way knows nothing of this, and would write over it
    this.controller?.abort();
    this.typing = setTimeout(() => this.ask(form), after);
  }

  submitted(event) {
    const form = event.target;
    if (form.method !== 'get' || !this.ask(form, event.submitter)) return;
    event.preventDefault();
  }

  // Whether a form asks this section, and leads nowhere else.
  isAnswered(form) {
    return this.isOfRoom && placeOf(new URL(form.action).pathname, this.store.key) === this.place;
  }

  // Asks the section what its form says; false where the form leads elsewhere.
  ask(form, submitter = null) {
    clearTimeout(this.typing);
    if (!this.isAnswered(form)) return false;
    this.query = ownQuery(new FormData(form, submitter));
    addressOf(this.store, this.isChanged()).then(({ href }) => history.replaceState(null, '', href));
    this.load();
    return true;
  }

  // A link to the same section with another question.
  follow(link) {
    const { pathname, search, hash, origin } = new URL(link.href);
    if (!this.isOfRoom || origin !== location.origin || hash || link.hasAttribute('download')) return false;
    if (placeOf(pathname, this.store.key) !== this.place) return false;
    const state = new URLSearchParams(search).get('s');
    if (state && state !== new URLSearchParams(location.search).get('s')) return false; // of another scenario
    this.go(this.place, ownQuery(search));
    return true;
  }

  // Back and forward keep what has been typed since.
  travelled() {
    const place = placeOf(location.pathname, this.store.key);
    if (!place) return location.reload();
    if (place === this.place && ownQuery(location.search).toString() === this.query.toString()) return;
    this.go(place, ownQuery(location.search), { isNew: false });
  }
}

// What of a query is the section's own: empty boxes say nothing.
function ownQuery(from) {
  const own = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(from)) if (value && !NOT_OF_SECTION.includes(name)) own.append(name, value);
  return own;
}

// The style sheets of a section, before it is shown.
function dressed(found) {
  const missing = [...found.querySelectorAll('link[rel="stylesheet"]')].filter(({ href }) => ![...document.styleSheets].some((sheet) => sheet.href === href));
  return Promise.all(missing.map((link) => new Promise((resolve) => {
    const own = element('link', { rel: 'stylesheet', href: link.href });
    own.onload = own.onerror = resolve;
    document.head.append(own);
  })));
}
