// The server's answer put into the page: words and tables first, then the charts whose data changed.

import * as charts from '../charts.js';
import { element } from './element.js';
import { clearFaults } from './faults.js';
import { fragment, morphChildren } from './morph.js';

const SAID_AFTER_MS = 800;

export class Results {
  constructor(studio, form) {
    this.studio = studio;
    this.form = form;
    this.place = studio.querySelector('#results');
    this.live = document.getElementById('live');
    // What each chart shows, as the server wrote it: before charts.js has touched it.
    this.known = new Map([...this.place.querySelectorAll('figure.chart')].map(({ id, outerHTML }) => [id, outerHTML]));
  }

  show({ results, panel, title, said, result }) {
    const figures = [];
    morphChildren(this.place, fragment(results), figures);
    this.showPanel(fragment(panel).querySelector('#panel-parts'));
    clearFaults(this.form);
    document.title = `${title} · Podwright`;
    this.result = result;
    this.say(said);
    this.draw(figures.filter(({ id, outerHTML }) => this.known.get(id) !== outerHTML));
  }

  // Charts in sight first; the others when those are painted, unless a newer answer has come by then.
  async draw(changed) {
    const round = (this.round = (this.round ?? 0) + 1);
    const inSight = changed.filter(({ id }) => isInSight(document.getElementById(id)));
    const update = (figure) => {
      this.known.set(figure.id, figure.outerHTML);
      return charts.update(figure.id, figure);
    };
    await Promise.all([charts.drawAll(this.place), ...inSight.map(update)]);
    this.studio.dataset.painted = String(Number(this.studio.dataset.painted ?? 0) + 1);
    for (const figure of changed.filter((each) => !inSight.includes(each))) {
      await new Promise((resolve) => setTimeout(resolve));
      if (round !== this.round) return;
      await update(figure);
    }
    this.studio.dataset.settled = this.studio.dataset.painted;
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

function isInSight(figure) {
  const { top, bottom, width } = figure.getBoundingClientRect();
  return width > 0 && bottom > 0 && top < innerHeight;
}
