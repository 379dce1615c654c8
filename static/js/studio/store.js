// The scenario being changed, with undo and redo. Changes of one control in quick succession are one step.

import { withoutRange } from './ranges.js';
import { same, withoutEmptyDemand, withValue } from './values.js';

const ONE_STEP_MS = 900;
const MOST_STEPS = 200;

export class Store extends EventTarget {
  constructor({ values, base, key, saved }) {
    super();
    this.values = values;
    this.base = base;
    this.key = key;
    this.revision = saved?.revision; // of a saved scenario, that changes count from
    this.settled = values; // as it was before the change that is being made
    this.past = [];
    this.future = [];
    this.step = { of: null, at: 0 };
  }

  // A range that the field had goes with what stood there.
  set(path, value, options = {}) {
    const values = withValue(withoutRange(this.values, path), path, value);
    this.replace(path.startsWith('workload.demand.') ? withoutEmptyDemand(values) : values, { step: path, ...options });
  }

  // `step` names what is being changed, such as a box or its slider; `evaluated` values need no answer any more; `rewrite` puts the values into the controls at once, where no control has set them.
  replace(values, { step = null, urgent = false, rewrite = false, evaluated = false } = {}) {
    if (same(values, this.values)) return;
    const now = performance.now();
    const continues = step !== null && step === this.step.of && now - this.step.at < ONE_STEP_MS;
    if (!continues) {
      this.past.push(this.values);
      if (this.past.length > MOST_STEPS) this.past.shift();
      this.settled = this.values;
    }
    this.step = { of: step, at: now };
    this.future = [];
    this.values = values;
    this.announce(urgent, rewrite, evaluated);
  }

  // Changes count from other values now, as after a save. What was done can still be undone.
  rebase(base, revision) {
    this.base = base;
    this.revision = revision;
    this.settled = this.values;
    this.step = { of: null, at: 0 };
    this.announce(false);
  }

  // The steps of an earlier load of this page in place of those that opening it took.
  recall(past, future) {
    this.past = past.slice(-MOST_STEPS);
    this.future = future;
    this.step = { of: null, at: 0 };
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
    this.step = { of: null, at: 0 };
    this.announce(true, true);
  }

  announce(urgent, rewrite = false, evaluated = false) {
    this.dispatchEvent(new CustomEvent('change', { detail: { urgent, rewrite, evaluated } }));
  }
}
