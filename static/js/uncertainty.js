// Sobol indices without leaving the page: the work tells how far it is, can be stopped, and its chart is put in at
// the end. Without scripts the link computes them with the page.

import * as charts from './charts.js';
import { lines } from './json_lines.js';

const place = document.getElementById('doubt-indices');
const progress = document.querySelector('.doubt-progress');
const link = document.getElementById('doubt-compute');

function show({ done, total }) {
  progress.querySelector('progress').value = done / total;
  progress.querySelector('.doubt-said').textContent = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} designs`;
}

async function put({ html, verdict }) {
  place.innerHTML = html;
  document.querySelectorAll('#doubt-verdict p').forEach((line, index) => {
    line.textContent = verdict[index] ?? '';
  });
  await charts.drawAll(place);
}

async function compute() {
  const control = new AbortController();
  const cancel = progress.querySelector('button');
  const stop = () => control.abort();
  cancel.addEventListener('click', stop);
  place.hidden = true;
  progress.hidden = false;
  show({ done: 0, total: 1 });
  progress.querySelector('.doubt-said').textContent = 'begins';
  cancel.focus();
  const said = place.querySelector('.caption');
  try {
    const answer = await fetch(place.dataset.address, { signal: control.signal });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    let whole = false;
    for await (const line of lines(answer.body)) {
      if (line.html) {
        await put(line);
        whole = true;
      } else if (line.refused) throw new Error(line.refused);
      else if (line.done < line.total) show(line); // how much there is to do is known after the first block
    }
    if (!whole) throw new Error('the answer broke off');
  } catch (error) {
    said.textContent = error.name === 'AbortError' ? 'Cancelled; nothing was kept.' : `Not computed: ${error.message}.`;
  } finally {
    cancel.removeEventListener('click', stop);
    progress.hidden = true;
    place.hidden = false;
    (place.querySelector('#doubt-compute') ?? document.getElementById('shares')).focus?.();
  }
}

link?.addEventListener('click', (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  compute();
});
