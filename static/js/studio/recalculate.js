// Asks the server for the figures of the scenario as it is now. The latest answer wins; the last good
// result stays while the next is computed, or cannot be.

import { csrf } from '../csrf.js';

const QUIET_MS = 100;
const LINE_MS = 150;
const FADE_MS = 400;

export class Recalculation extends EventTarget {
  constructor(studio, store) {
    super();
    this.studio = studio;
    this.store = store;
    this.sequence = 0;
    this.lastAsked = 0;
    this.goodAt = new Date();
    this.good = store.values;
  }

  // The first change after a pause is sent at once, those that follow when they pause.
  later() {
    clearTimeout(this.timer);
    const since = performance.now() - this.lastAsked;
    if (since > QUIET_MS && !this.controller) this.now();
    else this.timer = setTimeout(() => this.now(), QUIET_MS);
  }

  // With `accept` every suggested estimate is accepted on the way, and the store takes the scenario that came of it.
  async now({ accept = false } = {}) {
    clearTimeout(this.timer);
    this.lastAsked = performance.now();
    const sequence = (this.sequence += 1);
    this.controller?.abort();
    this.controller = new AbortController();
    const { signal } = this.controller;
    this.wait(sequence);
    const { values, settled, key, revision } = this.store;
    const body = JSON.stringify({ key, revision, place: this.studio.dataset.place, scenario: values, before: accept ? values : settled, accept, rows: this.rows() });
    try {
      const answer = await fetch('/studio/evaluate', {
        method: 'POST', body, signal, headers: { 'content-type': 'application/json', ...csrf },
      });
      const content = await answer.json();
      if (sequence !== this.sequence) return;
      this.controller = null;
      if (content.errors) this.tell('refused', content);
      else if (answer.ok) {
        this.goodAt = new Date();
        this.good = content.values ?? values;
        if (content.values) this.store.replace(content.values, { evaluated: true });
        this.tell('result', content);
      } else this.tell('lost', { reason: content.detail ?? `The server answered ${answer.status}.` });
    } catch (error) {
      if (error.name === 'AbortError' || sequence !== this.sequence) return;
      this.controller = null;
      this.tell('lost', { reason: 'The server does not answer.' });
    } finally {
      if (sequence === this.sequence) this.rest();
    }
  }

  // Names of the rows that are shown as the server sent them; controls.js takes the name off what is changed.
  rows() {
    return [...this.studio.querySelectorAll('#panel-parts .field[data-of]')].map(({ dataset }) => dataset.of);
  }

  // A line after a while, faded figures after a longer one; nothing for a quick answer.
  wait(sequence) {
    const show = (className, delay) => setTimeout(() => {
      if (sequence === this.sequence && this.controller) this.studio.classList.add(className);
    }, delay);
    if (!this.waiting) this.waiting = [show('is-computing', LINE_MS), show('is-late', FADE_MS)];
    else this.waiting.push(show('is-computing', LINE_MS), show('is-late', FADE_MS));
  }

  rest() {
    this.waiting?.forEach(clearTimeout);
    this.waiting = null;
    this.studio.classList.remove('is-computing', 'is-late');
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
