// The vendor pack without leaving the page: it tells which file is being made, can be stopped, and is saved at the end.
// Without scripts the button downloads it.

import { lines } from './json_lines.js';

const button = document.getElementById('pack');
const progress = document.getElementById('pack-progress');
const said = document.getElementById('pack-said');

function show({ done, of, file }) {
  progress.querySelector('progress').value = done / of;
  said.textContent = file ? `${done} of ${of} files; ${file}` : 'Packing';
}

function save({ name, content }) {
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/zip' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
  said.textContent = `${name}: ${Math.ceil(bytes.length / 1000).toLocaleString('en-US')} kB`;
}

function address() {
  const form = new FormData(button.form);
  const asked = new URLSearchParams([['s', form.get('s')], ...form.getAll('without').map((one) => ['without', one])]);
  return `${button.getAttribute('formaction')}/steps?${asked}`;
}

async function make() {
  const control = new AbortController();
  const cancel = progress.querySelector('button');
  const stop = () => control.abort();
  cancel.addEventListener('click', stop);
  button.disabled = true;
  progress.hidden = false;
  progress.querySelector('progress').value = 0;
  said.textContent = 'Evaluating the design';
  cancel.focus();
  try {
    const answer = await fetch(address(), { signal: control.signal });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    let whole = false;
    for await (const line of lines(answer.body)) {
      if (line.content) {
        save(line);
        whole = true;
      } else show(line);
    }
    if (!whole) throw new Error('the answer broke off');
  } catch (error) {
    said.textContent = error.name === 'AbortError' ? 'Cancelled; nothing was kept.' : `Not made: ${error.message}.`;
  } finally {
    cancel.removeEventListener('click', stop);
    progress.hidden = true;
    button.disabled = false;
    button.focus();
  }
}

button?.addEventListener('click', (event) => {
  event.preventDefault();
  make();
});
