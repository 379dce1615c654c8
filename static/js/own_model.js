// The form of an own model: its size follows what is typed, and groups that do not apply are out of the way.

import { csrf } from './csrf.js';

const QUIET_MS = 250;
const form = document.getElementById('model-form');
const place = document.getElementById('model-size');
const latent = document.getElementById('g-latent');
const attention = form.elements.attention;
let timer;
let control;

function showGroups() {
  const kind = attention.value.toLowerCase();
  const filled = [...latent.querySelectorAll('input')].some((input) => input.value.trim());
  const isLatent = kind === 'mla' || (!kind && filled);
  latent.hidden = Boolean(kind) && kind !== 'mla' && !filled;
  if (isLatent) latent.open = true;
}

async function calculate() {
  control?.abort();
  control = new AbortController();
  const typed = new URLSearchParams();
  for (const [name, text] of new FormData(form)) {
    if (typeof text === 'string' && name !== 'config' && name !== 's') typed.set(name, text);
  }
  try {
    const answer = await fetch('/catalog/own/model/size', {
      method: 'POST', body: typed, signal: control.signal, headers: { ...csrf },
    });
    if (answer.ok) place.innerHTML = await answer.text();
  } catch (error) {
    if (error.name !== 'AbortError') place.dataset.stale = '';
  }
}

form.dataset.live = '';
form.addEventListener('input', (event) => {
  if (event.target.name === 'config' || event.target.type === 'file') return;
  clearTimeout(timer);
  timer = setTimeout(calculate, QUIET_MS);
  showGroups();
});
document.getElementById('begin')?.addEventListener('change', ({ target }) => {
  if (!target.value) return;
  if (target.form.elements.name) target.form.elements.name.value = form.elements.name.value;
  target.form.requestSubmit();
});
showGroups();
document.getElementById('faults')?.focus();
