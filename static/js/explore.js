// The search over layouts: what is found is put into the page when it is there, and cells and points of its
// charts open the studio with their layout. Without scripts the page holds all of it, with buttons in the tables.

import * as charts from './charts.js';
import { Study } from './study.js';

const place = document.getElementById('answer');

async function load() {
  const started = performance.now();
  const waited = document.getElementById('waited');
  const ticking = setInterval(() => {
    const seconds = Math.round((performance.now() - started) / 1000);
    if (seconds) waited.textContent = `, ${seconds} s`;
  }, 500);
  try {
    const answer = await fetch(place.dataset.answer);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    place.innerHTML = await answer.text();
    document.getElementById('headline')?.focus({ preventScroll: true });
  } catch (error) {
    const said = place.querySelector('.working');
    said.classList.add('is-over');
    said.textContent = `The search was not made: ${error.message}. Search again to try once more.`;
  } finally {
    clearInterval(ticking);
  }
}

// A layout that is chosen in a chart is adopted; its table has the same as buttons.
function adoptFrom(figure) {
  const plot = figure.querySelector('.plot-frame .plot');
  const drawn = new MutationObserver(() => {
    if (plot.dataset.drawn !== 'true') return;
    drawn.disconnect();
    plot.on('plotly_click', ({ points }) => {
      const chosen = points.find(({ data }) => data.meta === 'adopts');
      if (chosen?.customdata) figure.querySelectorAll('.chart-data tbody button')[chosen.customdata[0]].click();
    });
  });
  drawn.observe(plot, { attributes: true, attributeFilter: ['data-drawn'] });
}

if (place) {
  if (place.dataset.answer) await load();
  for (const id of ['figure-degrees', 'figure-front', 'figure-serving_pareto']) {
    const figure = document.getElementById(id);
    if (figure) adoptFrom(figure);
  }
  await charts.drawAll();
  const study = document.getElementById('domain-study');
  const { key, scenario } = JSON.parse(document.getElementById('explore-data').textContent);
  if (study.querySelector('.working')) new Study(study, () => scenario, key);
}
