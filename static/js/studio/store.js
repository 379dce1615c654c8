// The scenario being changed, with undo and redo. Changes of one field in quick succession are one step.

import { same, withValue } from './values.js';

const ONE_STEP_MS = 900;
const MOST_STEPS = 200;

export class Store extends EventTarget {
  constructor({ values, base, key }) {
    super();
    this.values = values;
    this.base = base;
    this.key = key;
    this.settled = values; // as it was before the change that is being made
    this.past = [];
    this.future = [];
    this.step = { path: null, at: 0 };
  }

  set(path, value, options = {}) {
    this.replace(withValue(this.values, path, value), { path, ...options });
  }

  replace(values, { path = null, urgent = false } = {}) {
    if (same(values, this.values)) return;
    const now = performance.now();
    const continues = path !== null && path === this.step.path && now - this.step.at < ONE_STEP_MS;
    if (!continues) {
      this.past.push(this.values);
      if (this.past.length > MOST_STEPS) this.past.shift();
      this.settled = this.values;
    }
    this.step = { path, at: now };
    this.future = [];
    this.values = values;
    this.announce(urgent);
  }

  undo() {
    this.travel(this.past, this.future);
  }

  redo() {
    this.travel(this.future, this.past);
  }

  travel(from, to) {
    if (!from.length) return;
    to.push(this.values);
    this.settled = this.values;
    this.values = from.pop();
    this.step = { path: null, at: 0 };
    this.announce(true, true);
  }

  announce(urgent, rewrite = false) {
    this.dispatchEvent(new CustomEvent('change', { detail: { urgent, rewrite } }));
  }
}
