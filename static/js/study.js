// A chart that takes the server up to a second, such as the effect of the scale-up domain size: asked for when it comes near the
// screen, and again once the scenario has settled. The last one stays, faded, until the next is there.

import { csrf } from './csrf.js';
import * as charts from './charts.js';

const SETTLED_MS = 1000;

export class Study {
  // `place` is the element that holds the chart, with the address it is asked for at in `data-study` and the id of
  // its figure in `data-figure`; `scenario` gives the values as they are now, `key` says what they are made from.
  constructor(place, scenario, key) {
    this.key = key;
    this.place = place;
    this.scenario = scenario;
    this.stale = true;
    this.near = false;
    this.observer = new IntersectionObserver(
      ([{ isIntersecting }]) => {
        this.near = isIntersecting;
        if (isIntersecting && this.stale && !this.timer) this.load();
      },
      { rootMargin: '300px' },
    );
    this.observer.observe(place);
  }

  // Its place has left the page.
  end() {
    clearTimeout(this.timer);
    this.controller?.abort();
    this.observer.disconnect();
  }

  // The scenario has changed.
  later() {
    this.stale = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.near) this.load();
    }, SETTLED_MS);
  }

  // Loads what is not up to date, wherever the page is scrolled to.
  async ready() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.stale && this.place.offsetParent) this.load(); // one that does not apply is not in the layout
    let loading;
    do {
      loading = this.loading;
      await loading;
    } while (loading !== this.loading); // a change may have started another
  }

  load() {
    this.loading = this.fetch();
  }

  async fetch() {
    this.stale = false;
    this.controller?.abort();
    const controller = (this.controller = new AbortController());
    this.place.setAttribute('data-own-working', '');
    try {
      const answer = await fetch(this.place.dataset.study, {
        method: 'POST',
        body: JSON.stringify({ key: this.key, scenario: this.scenario() }),
        signal: controller.signal,
        headers: { 'content-type': 'application/json', ...csrf },
      });
      const { chart, error, detail } = await answer.json();
      if (chart) await this.show(chart);
      else this.say(error ?? detail ?? `The server answered ${answer.status}.`);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.stale = true;
      this.say('The server does not answer.');
    }
    if (this.controller === controller) this.place.removeAttribute('data-own-working');
  }

  async show(chart) {
    if (this.place.querySelector('figure.chart') && chart.includes('<figure')) {
      this.place.querySelector(':scope > .working')?.remove();
      await charts.update(this.place.dataset.figure, chart);
      return;
    }
    this.place.innerHTML = chart;
    await charts.drawAll(this.place);
  }

  say(reason) {
    const said = this.place.querySelector(':scope > .working') ?? document.createElement('p');
    said.className = 'working is-over';
    said.textContent = `Not worked out: ${reason}`;
    this.place.prepend(said);
  }
}
