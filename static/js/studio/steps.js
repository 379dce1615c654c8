// What undo and redo go back through, kept for each design while this tab lives: it outlasts the full load of a page.

import { same } from './values.js';

const FORMAT = 1;
const STEPS = 'podwright-steps:';
const MOST_KEPT = 50; // of each direction: a scenario is some kilobytes

// `values` are those that the steps led to; null where what opens next follows from them, as after a save.
export function keepSteps(key, { past, future, values }) {
  const steps = { format: FORMAT, past: past.slice(-MOST_KEPT), future: future.slice(-MOST_KEPT), values };
  if (!write(key, steps) && forgetOthers(key)) write(key, steps);
}

// The steps before what is on the page now. What a page of its own changed, such as a layout that was adopted, is one
// step more.
export function restoreSteps(store) {
  const kept = read(store.key);
  if (!kept) return;
  const { past, future, values } = kept;
  if (values === null || same(values, store.values)) store.recall(past.length ? past : store.past, future);
  else store.recall([...past, values], []);
}

function read(key) {
  try {
    const steps = JSON.parse(sessionStorage.getItem(STEPS + key));
    return steps?.format === FORMAT && Array.isArray(steps.past) && Array.isArray(steps.future) ? steps : null;
  } catch {
    return null; // forbidden, or written by something else
  }
}

function write(key, steps) {
  try {
    sessionStorage.setItem(STEPS + key, JSON.stringify(steps));
    return true;
  } catch {
    return false;
  }
}

// Makes room for the design at hand where storage is full.
function forgetOthers(key) {
  try {
    const others = Object.keys(sessionStorage).filter((name) => name.startsWith(STEPS) && name !== STEPS + key);
    for (const name of others) sessionStorage.removeItem(name);
    return others.length > 0;
  } catch {
    return false;
  }
}
