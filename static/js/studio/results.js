// The server's answer put into the page: words and tables first, then the charts that changed: those in sight
// before the answer counts as painted, the others when there is time.

import * as charts from '../charts.js';
import { element } from './element.js';
import { clearFaults } from './faults.js';
import { fragment, morphChildren } from './morph.js';

const SAID_AFTER_MS = 800;
const CHARTS = /<figure class="chart[^]*?<\/figure>/g; // no chart holds another

export class Results {
  constructor(studio, form) {
    this.studio = studio;
    this.form = form;
    this.place = studio.querySelector('#results');
    this.live = document.getElementById('live');
    // What each chart shows, as the server wrote it: before charts.js has touched it.
    this.known = new Map([...this.place.querySelectorAll('figure.chart')].map(({ id, outerHTML }) => [id, outerHTML]));
    this.written = new Map();
  }

  show({ results, panel, title, said, result }) {
    const changed = new Map();
    morphChildren(this.place, fragment(this.withoutCharts(results, changed)));
    this.showPanel(fragment(panel).querySelector('#panel-parts'));
    clearFaults(this.form);
    document.title = `${title} · Podwright`;
    this.result = result;
    this.say(said);
    this.draw(changed);
  }

  // An answer with empty places for the charts that are in the page; those that were written anew are collected.
  withoutCharts(results, changed) {
    return results.replace(CHARTS, (html) => {
      const [, id] = html.match(/ id="([^"]+)"/);
      if (!document.getElementById(id)) return html;
      if (this.written.get(id) !== html) changed.set(id, html);
      return `<figure class="chart" id="${id}"></figure>`;
    });
  }

  // Charts in sight first; the others when those are painted, unless a newer answer has come by then.
  async draw(changed) {
    const round = (this.round = (this.round ?? 0) + 1);
    const inSight = [...changed.keys()].filter((id) => isInSight(document.getElementById(id)));
    await Promise.all([charts.drawAll(this.place), ...inSight.map((id) => this.update(id, changed.get(id)))]);
    this.studio.dataset.painted = String(Number(this.studio.dataset.painted ?? 0) + 1);
    for (const [id, html] of changed) {
      if (inSight.includes(id)) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (round !== this.round) return;
      await this.update(id, html);
    }
    this.studio.dataset.settled = this.studio.dataset.painted;
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
      element('p', {}, `${reason} The figures below are from your last good result. What you typed is kept in this browser.`),
      element('p', { className: 'actions' }, retry));
    this.place.querySelector('#answer-block').prepend(note);
    this.say(`Not recalculated since ${time}. ${reason}`);
  }
}

function isInSight(element) {
  const { top, bottom, width } = element.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
}
