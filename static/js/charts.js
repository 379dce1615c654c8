// Charts: drawn with Plotly from the JSON in the page, with their words, their data and their tools.
//
// A chart is the <figure class="chart"> of templates/_chart_parts.html. Its words and its table are in the page
// before any script runs; this draws it, and gives it its tools: data, enlarge, download. The library is
// fetched once, when the first chart comes near the screen, from the address in `data-plotly` of any element
// of the page.
//
//   drawAll(root)        Starts every chart below `root`; those it already knows are left alone, and those that
//                        have left the page are forgotten. Safe to call again whenever HTML with charts has
//                        been put into the page.
//   update(id, content)  Shows new content in the chart with the element id `id` ("figure-tco"): zoom, the
//                        opened unit and the shown table stay. `content` is a figure as JSON (the fields of
//                        `Figure` in app/charts/figure.py, colours as "var(--c1)"), or the chart's own
//                        HTML as text or element. Takeaway, legend, table and caption change with the plot;
//                        `whenSeen` leaves the plot itself until the chart comes near the screen.
//   drawEvery()          Draws every chart of the page, those far from the screen too.
// All return a promise; that of `update` is kept when the chart, if it has been drawn before, is drawn again.

import { parts } from './chart_parts.js';
import { Details } from './chart_details.js';
import { startTools } from './chart_tools.js';
import { withTheme } from './tokens.js';

export const CONFIG = {
  displayModeBar: false,
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: '',
  responsive: true,
  doubleClick: false,
};
const NARROW = 480;
const CHANGING = ['.chart-says', '.chart-legend', '.chart-key', '.chart-data', 'figcaption'];
const NAMED = ['.plot-frame', '.chart-data', '.detail'];
const NAMING = ['aria-label', 'role', 'tabindex'];

const TURN = Math.PI / 18;
const TURNS = { ArrowLeft: [-TURN, 0], ArrowRight: [TURN, 0], ArrowUp: [0, TURN], ArrowDown: [0, -TURN] };

const charts = new Map();
const idle = window.requestIdleCallback ?? ((then) => setTimeout(then, 2000));
let library;

export function plotly() {
  library ??= new Promise((resolve, reject) => {
    if (window.Plotly) return resolve(window.Plotly);
    const src = document.querySelector('[data-plotly]').dataset.plotly;
    let script = document.querySelector(`script[src="${src}"]`); // of a page that is sure to have charts
    if (document.readyState === 'complete') script = null; // it has come to nothing
    const isNew = !script;
    script ??= Object.assign(document.createElement('script'), { src });
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => reject(new Error('the chart library could not be loaded'));
    if (isNew) document.head.append(script);
  });
  return library;
}

function override(layout, changes) {
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop();
    let part = layout;
    for (const name of names) part = part[name] ??= {};
    part[last] = value;
  }
}

// What is drawn in a chart; null where it is unknown.
function contentOf(figure) {
  const content = JSON.parse(figure.querySelector('script.chart-plot').textContent);
  return content.plot && content;
}

export class Chart {
  constructor(figure) {
    this.figure = figure;
    this.element = figure.querySelector('.plot-frame .plot');
    this.content = contentOf(figure);
    this.details = this.content.details.length ? new Details(this) : null;
    startTools(this);
  }

  get height() {
    return this.enlargedHeight ?? this.content.plot.layout.height;
  }

  // Data and layout as they are drawn now: in this theme, for this width and height.
  drawing() {
    const { data, layout } = withTheme(this.content.plot);
    if (this.element.clientWidth < NARROW) override(layout, this.content.narrow);
    if (this.enlargedHeight) {
      const grown = this.enlargedHeight / layout.height;
      for (const { type, node } of data) if (type === 'sankey') node.pad *= grown; // its places are shares
      layout.height = this.enlargedHeight;
    }
    this.details?.mark(data);
    return { data, layout };
  }

  async draw() {
    this.wanted = true;
    const Plotly = await plotly();
    if (!this.element.offsetParent) return;
    this.element.style.height = `${this.height}px`;
    const { data, layout } = this.drawing();
    const zooms = layout.dragmode === 'zoom';
    await Plotly.react(this.element, data, layout, { ...CONFIG, doubleClick: zooms && 'reset' });
    if (!this.drawn) this.details?.listen();
    if (!this.drawn && layout.scene) this.turn();
    this.drawn = true;
    await this.details?.draw();
    this.element.dataset.drawn = 'true';
  }

  // Arrow keys turn what is drawn in space.
  turn() {
    const frame = this.figure.querySelector('.plot-frame');
    frame.tabIndex = 0;
    frame.setAttribute('role', 'group');
    frame.setAttribute('aria-label', `${this.figure.querySelector('.eyebrow').textContent}, arrow keys turn it`);
    frame.addEventListener('keydown', (event) => {
      const [around, over] = TURNS[event.key] ?? [];
      if (around === undefined || !this.drawn) return;
      event.preventDefault();
      const { x, y, z } = this.element._fullLayout.scene._scene.getCamera().eye;
      const far = Math.hypot(x, y, z);
      const angle = Math.atan2(y, x) + around;
      const height = Math.min(1.5, Math.max(-1.5, Math.asin(z / far) + over));
      const flat = far * Math.cos(height);
      const eye = { x: flat * Math.cos(angle), y: flat * Math.sin(angle), z: far * Math.sin(height) };
      window.Plotly.relayout(this.element, { 'scene.camera.eye': eye });
    });
  }

  // New words, table and plot from another figure element; false where they cannot share a frame.
  take(figure) {
    const content = contentOf(figure);
    if (!content || Boolean(content.details.length) !== Boolean(this.details)) return false;
    for (const selector of CHANGING) {
      const [old, fresh] = [this.figure, figure].map((each) => each.querySelector(selector));
      old.replaceChildren(...fresh.childNodes);
      if (selector !== '.chart-data') old.hidden = fresh.hidden;
    }
    this.name(figure);
    this.figure.querySelector('script.chart-plot').textContent = JSON.stringify(content);
    this.content = content;
    this.details?.renew();
    return true;
  }

  // Tools and parts that scroll are called after what is shown now.
  name(figure) {
    const eyebrow = this.figure.querySelector('.chart-says .eyebrow').textContent;
    for (const part of this.figure.querySelectorAll('.chart-of')) part.textContent = eyebrow;
    for (const selector of NAMED) {
      const [old, fresh] = [this.figure, figure].map((each) => each.querySelector(selector));
      if (!old || !fresh) continue;
      for (const name of NAMING) {
        if (fresh.hasAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
        else old.removeAttribute(name);
      }
    }
  }

  forget() {
    seen.unobserve(this.figure);
    charts.delete(this.figure);
    if (this.drawn) window.Plotly.purge(this.element);
  }
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { target } of entries.filter(({ isIntersecting }) => isIntersecting)) {
      seen.unobserve(target);
      inTurn(target);
    }
  },
  { rootMargin: '400px' },
);

// One chart after another, each seen before the next is begun: the first is not kept waiting by those below it.
let turn = Promise.resolve();

function inTurn(figure) {
  turn = turn
    .then(() => charts.get(figure)?.draw())
    .catch(reportError)
    .then(() => new Promise((resolve) => setTimeout(resolve)));
}

function start(figure) {
  if (charts.has(figure) || !contentOf(figure)) return;
  charts.set(figure, new Chart(figure));
  seen.observe(figure);
}

export async function drawAll(root = document) {
  for (const [figure, chart] of charts) if (!figure.isConnected) chart.forget();
  for (const figure of root.querySelectorAll('figure.chart')) start(figure);
  // Printing waits for nothing, so the library has to be there before it begins.
  if (charts.size) idle(() => plotly());
}

// Updates `old` in place, or puts `fresh` there; the element that is in the page afterwards.
function renew(old, fresh) {
  const chart = charts.get(old);
  if (chart?.take(fresh)) return old;
  chart?.shrink?.();
  chart?.forget();
  old.replaceWith(fresh);
  return fresh;
}

function elementOf(content) {
  if (content instanceof Element) return content;
  if (typeof content !== 'string') return null;
  const template = document.createElement('template');
  template.innerHTML = content;
  return template.content.querySelector('figure.chart');
}

export async function update(id, content, { whenSeen = false } = {}) {
  const old = document.getElementById(id);
  const kept = renew(old, elementOf(content) ?? parts(old, content));
  start(kept);
  const chart = charts.get(kept);
  if (chart?.wanted && whenSeen) seen.observe(kept);
  else if (chart?.wanted) await chart.draw();
}

// Draws every chart of the page, those far from the screen too.
export function drawEvery() {
  return Promise.all([...charts.values()].map((chart) => chart.draw()));
}

function redraw() {
  for (const chart of charts.values()) if (chart.drawn) chart.draw();
}

document.addEventListener('themechange', redraw);
// On paper every chart is in sight, in light colours and as wide as the sheet (static/css/charts.css).
addEventListener('beforeprint', () => {
  document.documentElement.dataset.printing = '';
  drawEvery();
});
addEventListener('afterprint', () => {
  delete document.documentElement.dataset.printing;
  redraw();
});
