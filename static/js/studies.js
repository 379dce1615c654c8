// The page of a study: the search as it goes on, its charts, and narrowing what it found. Everything else is there
// without scripts.

import * as charts from './charts.js';
import './together/follow.js';
import './study_form.js';
import { SavedPage } from './saved/page.js';
import { Brushes } from './study_brush.js';

const run = document.getElementById('run');
const place = document.getElementById('answer');
const progress = document.getElementById('progress');
const says = document.getElementById('progress-says');
const bar = document.getElementById('progress-bar');
let asked;
let brushes;

// Events of a stream that fetch reads, as EventSource sends no form: each ends with an empty line.
async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const lines = part.split('\n');
      const name = lines.find((line) => line.startsWith('event: '))?.slice(7);
      if (name) yield { name, data: lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)).join('\n') };
    }
  }
}

async function search() {
  asked?.abort();
  const mine = (asked = new AbortController());
  progress.hidden = false;
  says.textContent = 'Searching…';
  bar.removeAttribute('value');
  place.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(run.action, { method: 'POST', body: new URLSearchParams(new FormData(run)), headers: { accept: 'text/event-stream' }, signal: mine.signal });
    if (!answer.ok || !answer.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error(`the server answered ${answer.status}`);
    let over = false;
    for await (const { name, data } of eventsOf(answer.body)) {
      if (name === 'progress') show(JSON.parse(data));
      else if (name === 'rows') place.innerHTML = `<div class="table-frame" tabindex="0" role="region" aria-label="Candidates found so far, table">${data}</div>`;
      else if (name === 'answer') {
        place.innerHTML = data;
        over = true;
        await settled();
      } else if (name === 'refused') {
        refuse(JSON.parse(data));
        over = true;
      }
    }
    if (!over) throw new Error('the answer broke off');
    progress.hidden = true;
  } catch (error) {
    if (mine !== asked) return;
    bar.value = 0;
    says.textContent = error.name === 'AbortError' ? 'Cancelled. What was found so far stays.' : `The search ended: ${error.message}. Search again to try once more.`;
    document.getElementById('cancel').textContent = 'Search again';
    asked = null;
  } finally {
    place.removeAttribute('aria-busy');
  }
}

function show({ done, total }) {
  says.textContent = `Searching: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} numbers of SuperNodes evaluated`;
  if (total) {
    bar.max = total;
    bar.value = done;
  }
}

function refuse(faults) {
  const note = document.createElement('div');
  note.className = 'note bad';
  note.setAttribute('role', 'alert');
  const head = document.createElement('h2');
  head.textContent = 'Not answered';
  note.append(head, ...faults.map((words) => Object.assign(document.createElement('p'), { textContent: words })));
  place.replaceChildren(note);
}

async function settled() {
  place.dataset.here = 'yes';
  await charts.drawAll(place);
  brushes?.observer.disconnect();
  brushes = place.querySelector('[data-brush]') ? new Brushes(place) : null;
}

document.getElementById('cancel')?.addEventListener('click', ({ target }) => {
  if (asked) return asked.abort();
  target.textContent = 'Cancel';
  return search();
});
document.getElementById('again')?.addEventListener('click', search);

if (place) {
  new SavedPage();
  if (place.dataset.here) settled();
  else if (run.dataset.document) search();
}
