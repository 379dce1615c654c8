// What opens beside a plot: a part of it, and parts of that part, down to the last.

import { CONFIG, plotly } from './charts.js';
import { withTheme } from './tokens.js';

const choosable = ({ meta }) => meta === 'choosable';

// Adds a value to a field of the page and sends its form, which is how a part that is clicked is made to fail.
function act(figure, { field, value }) {
  let input = null;
  for (let around = figure; around && !input; around = around.parentElement) {
    input = around.querySelector(`form [name="${CSS.escape(field)}"]`); // the nearest: other forms may have the name too
  }
  if (!input) return;
  const there = input.value.split(/[,;\s]+/).filter(Boolean);
  const fresh = value.split(/[,\s]+/).filter((part) => !there.includes(part));
  input.value = [...there, ...fresh].join(', ');
  input.form.requestSubmit();
}

function choicesOf(plot) {
  return plot?.data.find(choosable)?.customdata ?? [];
}

export class Details {
  constructor(chart) {
    this.chart = chart;
    this.path = [0]; // which part of the plot, which part of that, and so on
    const panel = chart.figure.querySelector('.detail');
    this.find = (selector) => panel.querySelector(selector);
    this.element = this.find('.plot');
    for (const button of panel.querySelectorAll('[data-step]')) {
      button.hidden = false;
      button.addEventListener('click', () => this.step(Number(button.dataset.step)));
    }
    this.find('[data-open]').addEventListener('click', () => this.choose([...this.path, 0]));
    this.find('[data-back]').addEventListener('click', () => this.back());
    this.show();
  }

  // The opened part, its title, and the parts beside it.
  at(path = this.path) {
    let inside = this.chart.content;
    let choices = [];
    for (const position of path) {
      choices = choicesOf(inside.plot);
      inside = inside.details[choices[position][2]];
    }
    const [title, subtitle] = choices[path.at(-1)];
    return { detail: inside, title, subtitle, choices };
  }

  mark(data) {
    const trace = data.find(choosable);
    if (trace) trace.selectedpoints = [this.path[0]];
  }

  listen() {
    this.chart.element.on('plotly_click', ({ points }) => {
      const point = points.find(({ data }) => choosable(data));
      if (!point) return;
      this.choose([point.pointNumber]);
      const [first] = this.at().detail.acts;
      if (first) act(this.chart.figure, first);
    });
  }

  step(by) {
    const { choices } = this.at();
    this.choose([...this.path.slice(0, -1), (this.path.at(-1) + by + choices.length) % choices.length]);
  }

  back() {
    this.choose(this.path.slice(0, -1));
    const open = this.find('[data-open]');
    if (!open.hidden) open.focus();
  }

  choose(path) {
    const moved = path[0] !== this.path[0];
    const wasOpen = document.activeElement === this.find('[data-open]');
    this.path = path;
    this.show();
    if (wasOpen) this.find('[data-back]').focus();
    if (!this.chart.drawn) return;
    const trace = this.chart.content.plot.data.findIndex(choosable);
    if (moved) window.Plotly.restyle(this.chart.element, { selectedpoints: [[path[0]]] }, [trace]);
    this.draw();
  }

  // After new content: the same part where there still is one.
  renew() {
    try {
      this.at();
    } catch {
      this.path = [0];
    }
    this.show();
  }

  show() {
    const { detail, title, subtitle } = this.at();
    this.find('h4').textContent = title;
    this.find('.detail-subtitle').textContent = subtitle;
    this.find('.detail-note').textContent = detail.note;
    this.find('.fact-list').replaceChildren(
      ...detail.facts.map(([name, words]) => {
        const line = document.createElement('div');
        for (const [tag, text] of [['dt', name], ['dd', words]]) {
          line.append(Object.assign(document.createElement(tag), { textContent: text }));
        }
        return line;
      }),
    );
    this.find('[data-acts]').replaceChildren(
      ...detail.acts.map((one) => {
        const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button', textContent: one.label });
        button.addEventListener('click', () => act(this.chart.figure, one));
        return button;
      }),
    );
    const back = this.find('[data-back]');
    back.hidden = this.path.length < 2;
    if (!back.hidden) back.querySelector('.detail-parent').textContent = this.at(this.path.slice(0, -1)).title;
    const [next] = choicesOf(detail.plot);
    const open = this.find('[data-open]');
    open.hidden = !next;
    if (next) open.textContent = `Open ${next[0]}`;
    this.element.hidden = !detail.plot;
    this.element.setAttribute('aria-label', [title, subtitle, detail.note].filter(Boolean).join('. '));
  }

  async draw() {
    const { detail } = this.at();
    if (!detail.plot) return;
    const Plotly = await plotly();
    const { data, layout } = withTheme(detail.plot);
    this.element.style.height = `${layout.height}px`;
    await Plotly.react(this.element, data, layout, CONFIG);
    if (this.listening) return;
    this.listening = true;
    this.element.on('plotly_click', ({ points: [{ data: { meta }, customdata, pointNumber }] }) => {
      const choices = choicesOf(this.at().detail.plot);
      const position = meta === 'choosable' ? pointNumber : choices.findIndex(([title]) => title === customdata?.[0]);
      if (choices[position]) this.choose([...this.path, position]);
    });
  }
}
