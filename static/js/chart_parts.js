// A chart's element from a figure as JSON: what templates/_chart_parts.html makes on the server, made from the
// frame of the chart whose place it takes.

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== ''));
  return element;
}

function table({ before, after }, columns, rows, caption, legend) {
  const head = columns.map(({ name, unit, numeric }) =>
    h('th', { scope: 'col', class: numeric && 'numeric' }, name, unit && h('span', { class: 'unit' }, unit)),
  );
  const body = rows.map(({ cells: [first, ...others], path, slot, total }) => {
    const name = path ? h('a', { class: 'explained', href: `${before}${path}${after}`, 'data-explain': path }, first) : first;
    return h(
      'tr',
      { class: total && 'total' },
      h('th', { scope: 'row' }, slot ? h('i', { class: `swatch ${slot}` }) : null, name),
      ...others.map((cell, place) => h('td', { class: columns[place + 1].numeric && 'numeric' }, cell)),
    );
  });
  return h(
    'table',
    { class: legend ? 'data is-legend' : 'data' },
    h('caption', { class: 'visually-hidden' }, caption),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...body),
  );
}

function fill(figure, selector, ...children) {
  const part = figure.querySelector(selector);
  part.replaceChildren(...children);
  part.hidden = !children.length;
}

// A copy of the chart `old` that shows `figure`.
export function parts(old, figure) {
  const fresh = old.cloneNode(true);
  const known = Boolean(figure.plot);
  for (const plot of fresh.querySelectorAll('.plot')) {
    plot.className = 'plot';
    delete plot.dataset.drawn;
    plot.replaceChildren();
  }
  fresh.classList.toggle('is-empty', !known);
  fresh.querySelector('.chart-says .eyebrow').textContent = figure.eyebrow;
  fresh.querySelector('.chart-says h3').textContent = figure.takeaway;
  for (const part of fresh.querySelectorAll('.chart-of')) part.textContent = figure.eyebrow;
  fresh.querySelector('.chart-tools').hidden = true;
  fresh.querySelector('.empty').hidden = known;
  const body = fresh.querySelector('.chart-body');
  body.hidden = !known;
  body.classList.toggle('with-detail', figure.details.length > 0);
  body.classList.toggle('with-legend', figure.legend_rows.length > 0);
  const panel = fresh.querySelector('.detail');
  if (panel) panel.hidden = !figure.details.length;
  const plot = fresh.querySelector('.plot-frame .plot');
  const frame = fresh.querySelector('.plot-frame');
  if (frame.hasAttribute('aria-label')) frame.setAttribute('aria-label', `${figure.eyebrow}, scrolls sideways`);
  plot.style.height = `${figure.height}px`;
  if (figure.minimum_width) plot.style.minWidth = `${figure.minimum_width}px`;
  const marks = figure.legend.map(({ slot, label, value }) =>
    h('li', {}, h('i', { class: `swatch ${slot}` }), `${label} `, h('b', {}, value)),
  );
  fill(fresh, '.chart-legend', ...marks);
  const key = figure.legend_rows.length
    ? [table(old.dataset, figure.legend_columns, figure.legend_rows, `${figure.eyebrow}, legend`, true)]
    : [];
  fill(fresh, '.chart-key', ...key);
  const data = fresh.querySelector('.chart-data');
  data.hidden = false;
  if (data.hasAttribute('aria-label')) data.setAttribute('aria-label', `${figure.eyebrow}, table, scrolls sideways`);
  data.replaceChildren(...(known ? [table(old.dataset, figure.columns, figure.rows, figure.eyebrow)] : []));
  const caption = known && figure.hint ? `${figure.caption} ${figure.hint}` : figure.caption;
  fresh.querySelector('figcaption').textContent = caption;
  const content = { plot: figure.plot, narrow: figure.narrow, details: figure.details };
  fresh.querySelector('script.chart-plot').textContent = JSON.stringify(content);
  return fresh;
}
