// What the server answers put into the page: words and tables first, then the charts that changed: those in sight
// before the answer counts as painted, the others when there is time.

import * as charts from '../charts.js';
import { element } from './element.js';
import { clearFaults } from './faults.js';
import { fragment, morphChildren } from './morph.js';

const SAID_AFTER_MS = 800;
const UNSEEN_MS = 100;
const CHARTS = /<figure class="chart[^]*?<\/figure>/g; // no chart holds another

export class Results {
  constructor(studio, form) {
    this.studio = studio;
    this.form = form;
    this.place = studio.querySelector('#results');
    this.live = document.getElementById('live');
    this.at = studio.dataset.place;
    this.rounds = new Map();
    // What each chart shows, as the server wrote it: before charts.js has touched it.
    this.known = new Map([...studio.querySelectorAll('figure.chart')].map(({ id, outerHTML }) => [id, outerHTML]));
    this.written = new Map();
  }

  show({ place, results, panel, title, said, result }) {
    if (place !== this.at) this.leave(place);
    const drawn = this.put(this.place, results);
    this.showPanel(fragment(panel).querySelector('#panel-parts'));
    clearFaults(this.form);
    if (!place.includes('/')) document.title = `${title} · Podwright`;
    this.result = result;
    this.say(said);
    drawn.then((painted) => {
      this.studio.dataset.painted = String(Number(this.studio.dataset.painted ?? 0) + 1);
      return painted.settled;
    }).then(() => (this.studio.dataset.settled = this.studio.dataset.painted));
  }

  // Another section is open: nothing of the last is kept.
  leave(place) {
    for (const part of this.place.querySelectorAll('section.part')) part.remove();
    this.at = place;
    this.known.clear();
    this.written.clear();
  }

  // Puts HTML into an element, as little of it as differs. Kept when what is in sight is drawn; `settled` then is
  // the promise of the rest.
  async put(place, html) {
    const changed = new Map();
    morphChildren(place, withoutTables(fragment(this.withoutCharts(html, changed))));
    if (place === this.place) this.studio.dataset.figures = String(Number(this.studio.dataset.figures ?? 0) + 1);
    const round = (this.rounds.get(place) ?? 0) + 1;
    this.rounds.set(place, round);
    await painted(); // words and numbers first: drawing takes longer than they do
    if (round !== this.rounds.get(place)) return { settled: Promise.resolve() };
    const inSight = [...changed.keys()].filter((id) => isInSight(document.getElementById(id)));
    await Promise.all([charts.drawAll(place), ...inSight.map((id) => this.update(id, changed.get(id)))]);
    const others = [...changed].filter(([id]) => !inSight.includes(id));
    return { settled: this.settle(others, () => round === this.rounds.get(place)) };
  }

  // The charts out of sight, unless a newer answer has come by then.
  async settle(others, isNewest) {
    for (const [id, html] of others) {
      await new Promise((resolve) => setTimeout(resolve));
      if (!isNewest()) return;
      if (document.getElementById(id)) await this.update(id, html);
    }
  }

  // HTML with empty places for the charts that are in the page; those that were written anew are collected.
  withoutCharts(html, changed) {
    return html.replace(CHARTS, (chart) => {
      const [, id] = chart.match(/ id="([^"]+)"/);
      if (!document.getElementById(id)) return chart;
      if (this.written.get(id) !== chart) changed.set(id, chart);
      return `<figure class="chart" id="${id}"></figure>`;
    });
  }

  // Words at once; the plot as well where it is in sight, else when it comes near.
  update(id, html) {
    this.written.set(id, html);
    const figure = fragment(html).firstElementChild;
    if (this.known.get(id) === figure.outerHTML) return null;
    this.known.set(id, figure.outerHTML);
    const plot = document.getElementById(id).querySelector('.plot-frame .plot');
    return charts.update(id, figure, { whenSeen: !isInSight(plot) });
  }

  showPanel(wanted) {
    const live = this.form.querySelector('#panel-parts');
    live.dataset.layout = wanted.dataset.layout;
    morphChildren(live, wanted);
  }

  // For those who listen: once, after the last input.
  say(text) {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.live.textContent = text), SAID_AFTER_MS);
  }

  // The server is gone: the last good result stays, with its time and a way to try again.
  lost(reason, since) {
    this.place.querySelector('#lost')?.remove();
    const time = since.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
    const retry = element('button', { type: 'button', className: 'button' }, 'Try again');
    retry.dataset.action = 'retry';
    const note = element('div', { className: 'note warn', id: 'lost' },
      element('h2', {}, `Not recalculated since ${time}.`),
      element('p', {}, `${reason} The figures below are from your last good result. Your entries are kept in this browser.`),
      element('p', { className: 'actions' }, retry));
    this.place.querySelector('#answer-block').prepend(note);
    this.say(`Not recalculated since ${time}. ${reason}`);
  }
}

// The table of a chart that is about to be drawn would be in sight for a moment, and what is below it would move.
function withoutTables(content) {
  for (const table of content.querySelectorAll('figure.chart:not(.is-empty) > .chart-data')) table.hidden = true;
  return content;
}

// Kept when what is in the page now has been painted, or soon in a page that is not seen.
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, UNSEEN_MS);
  });
}

function isInSight(element) {
  const { top, bottom, width } = element.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
}
