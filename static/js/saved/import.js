// A scenario from a file: chosen in the dialog, or dropped anywhere on the page.

import { LONGEST_STATE } from '../studio/address.js';
import { Drafts } from './drafts.js';

const MOST_BYTES = 1_000_000;

async function read(file, form) {
  const text = form.querySelector('textarea');
  if (file.size > MOST_BYTES) {
    text.setCustomValidity(`${file.name} is larger than ${MOST_BYTES.toLocaleString('en')} bytes; a scenario has a few thousand.`);
    return text.reportValidity();
  }
  text.setCustomValidity('');
  text.value = await file.text();
  return true;
}

export function startImport(dialog) {
  document.addEventListener('change', async ({ target }) => {
    const form = target.closest('form[data-import]');
    if (form && target.type === 'file' && target.files.length && (await read(target.files[0], form))) form.requestSubmit();
  });
  document.addEventListener('input', ({ target }) => target.closest('form[data-import]') && target.setCustomValidity?.(''));

  const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const show = (dropping) => document.body.classList.toggle('is-dropping', dropping);
  addEventListener('dragover', (event) => {
    if (!carries(event) || !document.querySelector('a[href="/import"]')) return;
    event.preventDefault();
    show(true);
  });
  addEventListener('dragleave', (event) => event.relatedTarget === null && show(false));
  addEventListener('drop', async (event) => {
    if (!carries(event) || !document.body.classList.contains('is-dropping')) return;
    event.preventDefault();
    show(false);
    const [file] = event.dataTransfer.files;
    if (!file) return;
    const opened = await dialog.open('/import', { done: (told) => openImported(told, dialog.toast) });
    const form = opened?.querySelector('form');
    if (form && (await read(file, form))) form.requestSubmit();
  });
}

// To the studio; what is too large for an address goes there as a draft.
export function openImported({ address, scenario, size }, toast) {
  if (size <= LONGEST_STATE) return location.assign(address);
  const drafts = new Drafts('new');
  drafts.setAside();
  if (drafts.write({ values: scenario })) return location.assign('/designs/new');
  return toast.say('This browser has no room left to hand the scenario over. Free some of its storage, or use the command line.');
}
