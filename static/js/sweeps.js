// Pages of sweeps: while something is not over, how far it is is asked for again and again, and what comes is put
// in its place. Charts are drawn; everything else is there without scripts.

import * as charts from './charts.js';

const EVERY_MS = 1500;
const MOST_MS = 15000;

async function follow(place) {
  let wait = EVERY_MS;
  while (place.querySelector('[data-unfinished]')) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (document.hidden) continue;
    try {
      const answer = await fetch(place.dataset.progress);
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      if (!place.contains(document.activeElement)) place.innerHTML = text;
      wait = EVERY_MS;
    } catch {
      wait = Math.min(2 * wait, MOST_MS); // the server may be away for a while
    }
  }
  if (place.dataset.then === 'reload') location.reload();
}

for (const place of document.querySelectorAll('[data-progress]')) {
  if (place.querySelector('[data-unfinished]')) follow(place);
}
if (document.querySelector('[data-plotly]')) charts.drawAll();
