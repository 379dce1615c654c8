// The validation pages: figures follow what is typed and chosen, charts are drawn, and a measurement opens from its marker.

import * as charts from './charts.js';
import './catalog.js';

const results = document.getElementById('results');

async function start() {
  await charts.drawAll();
  const plot = document.querySelector('#figure-predicted_measured .plot-frame .plot');
  if (!plot || plot.dataset.opens) return;
  plot.dataset.opens = 'true';
  const drawn = new MutationObserver(() => {
    if (plot.dataset.drawn !== 'true') return;
    drawn.disconnect();
    plot.on('plotly_click', ({ points: [point] }) => location.assign(`${plot.closest('[data-rows]').dataset.rows}${point.customdata[0]}`));
  });
  drawn.observe(plot, { attributes: true, attributeFilter: ['data-drawn'] });
}

results?.addEventListener('refreshed', start);
start();
