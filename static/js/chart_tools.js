// The tools of a chart: its data in the place of the plot, a large view, and downloads.

import { copyPicture, slidePng, slideSvg, themeNow } from './chart_pictures.js';
import { plotly } from './charts.js';
import { Toast } from './toast.js';
import { withTheme } from './tokens.js';

const DOWNLOAD_WIDTH = 1120;
const SCALE = 2; // of a PNG, for sharp print
const LEAST_HEIGHT = 320;
let dialog;

export function startTools(chart) {
  const { figure } = chart;
  const tools = figure.querySelector('.chart-tools');
  if (!tools) return;
  figure.querySelector('.chart-data').hidden = true;
  tools.hidden = false;
  tools.querySelector('.data-toggle')?.addEventListener('click', () => toggleData(chart));
  tools.querySelector('.enlarge').addEventListener('click', () => enlarge(chart));
  startMenu(tools.querySelector('.download'), (kind) => download(chart, kind));
}

function toggleData(chart) {
  const button = chart.figure.querySelector('.data-toggle');
  const data = chart.figure.querySelector('.chart-data');
  const body = chart.figure.querySelector('.chart-body');
  data.hidden = !data.hidden;
  body.hidden = !data.hidden;
  button.setAttribute('aria-expanded', String(!data.hidden));
  if (!body.hidden) chart.draw();
}

function startMenu(menu, act) {
  const summary = menu.querySelector('summary');
  const close = () => (menu.open = false);
  menu.addEventListener('click', ({ target }) => {
    const kind = target.closest('[data-kind]')?.dataset.kind;
    if (!kind) return;
    close();
    summary.focus();
    act(kind);
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.preventDefault(); // or it would close the large view around it as well
    event.stopPropagation();
    close();
    summary.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (!menu.contains(relatedTarget)) close();
  });
}

// Large view: the figure itself moves into a dialog, so that all of it works there as it does in the page.

function largeView() {
  if (dialog?.isConnected) return dialog;
  dialog = document.createElement('dialog');
  dialog.className = 'enlarged';
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'button enlarged-close';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  dialog.append(close);
  document.body.append(dialog);
  return dialog;
}

function enlarge(chart) {
  const view = largeView();
  const button = chart.figure.querySelector('.enlarge');
  chart.placeholder = document.createElement('div');
  chart.placeholder.style.height = `${chart.figure.offsetHeight}px`;
  chart.figure.replaceWith(chart.placeholder);
  view.append(chart.figure);
  view.setAttribute('aria-labelledby', `${chart.figure.id}-says`);
  view.showModal();
  const fit = () => {
    const others = chart.figure.offsetHeight - chart.element.offsetHeight;
    const room = view.clientHeight - others - 2 * parseFloat(getComputedStyle(view).paddingTop);
    chart.enlargedHeight = Math.max(room, LEAST_HEIGHT, chart.content.plot.layout.height);
    chart.draw();
  };
  fit();
  addEventListener('resize', fit);
  chart.shrink = () => {
    chart.shrink = undefined;
    removeEventListener('resize', fit);
    view.close();
    chart.enlargedHeight = undefined;
    chart.placeholder.replaceWith(chart.figure);
    chart.placeholder = undefined;
    button.focus();
    chart.draw();
  };
  view.addEventListener('close', () => chart.shrink?.(), { once: true });
}

// Downloads, made in the page.

async function download(chart, kind) {
  const name = fileName(chart, kind.replace('slide-', ''));
  const theme = chart.figure.querySelector('.download-theme select').value || themeNow();
  if (kind === 'csv') return saveBlob(new Blob([csv(chart)], { type: 'text/csv;charset=utf-8' }), name);
  if (kind === 'slide-png') return saveBlob(await slidePng(chart, theme), name);
  if (kind === 'slide-svg') return saveBlob(new Blob([await slideSvg(chart, theme)], { type: 'image/svg+xml' }), name);
  if (kind === 'copy') return copy(chart, theme);
  const Plotly = await plotly();
  save(await Plotly.toImage(picture(chart), pictureSize(chart, kind)), name);
}

async function copy(chart, theme) {
  const place = document.getElementById('toast');
  const toast = place && new Toast(place);
  try {
    await copyPicture(chart, theme);
    toast?.say('The chart is copied as a picture.');
  } catch {
    toast?.say('The browser does not let this page copy pictures. Download the slide instead.');
  }
}

function saveBlob(blob, name) {
  const address = URL.createObjectURL(blob);
  save(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function pictureSize(chart, kind) {
  const { height } = chart.content.plot.layout;
  return { format: kind, width: DOWNLOAD_WIDTH, height: height + 64, scale: kind === 'png' ? SCALE : 1 };
}

// The plot with its takeaway above, on the ground of the theme.
function picture(chart) {
  const { data, layout } = withTheme(chart.content.plot);
  chart.details?.mark(data);
  const colours = withTheme({ ground: 'var(--bg)', text: 'var(--text)' });
  const words = chart.figure.querySelector('.chart-says h3').textContent;
  const margin = layout.margin ?? {};
  return {
    data,
    layout: {
      ...layout,
      height: layout.height + 64,
      paper_bgcolor: colours.ground,
      plot_bgcolor: colours.ground,
      margin: { ...margin, t: (margin.t ?? 0) + 52, l: (margin.l ?? 0) + 12, r: (margin.r ?? 0) + 12, b: (margin.b ?? 0) + 12 },
      title: { text: words, x: 0, xref: 'container', xanchor: 'left', y: 1, yref: 'container', yanchor: 'top',
               pad: { l: 20, t: 18 }, font: { size: 15, color: colours.text } },
    },
    config: { plotlyServerURL: '' },
  };
}

function fileName(chart, kind) {
  const design = document.querySelector('h1')?.textContent ?? 'podwright';
  const words = `${design} ${chart.figure.dataset.name}`.normalize('NFKD').toLowerCase();
  return `${words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')}.${kind}`;
}

function save(address, name) {
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

// The table as spreadsheets read it: a plain minus, no thousands separators, units in the header.
function csv(chart) {
  const rows = [...chart.figure.querySelectorAll('.chart-data tr')].map((row) =>
    [...row.cells].map((cell) => field(cellText(cell), cell.classList.contains('numeric'))).join(','),
  );
  return `\ufeff${rows.join('\r\n')}\r\n`;
}

function cellText(cell) {
  const unit = cell.tagName === 'TH' && cell.querySelector('.unit');
  if (!unit) return cell.textContent;
  return `${cell.firstChild.textContent} (${unit.textContent})`;
}

function field(text, numeric) {
  let plain = text.trim().replace(/[\u00a0\u202f]/g, ' ');
  if (numeric && /^\u2212?[\d,.]+$/.test(plain)) plain = plain.replace('\u2212', '-').replaceAll(',', '');
  else if (/^[=+@-]/.test(plain)) plain = `'${plain}`; // never a formula
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
