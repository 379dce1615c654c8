// Scaling laws: the answer follows the form. The page is asked for with what was typed, and its parts are taken
// over; without scripts the form is sent by its button.

import * as charts from './charts.js';
import { SavedPage } from './saved/page.js';

const PAUSE = 250; // ms after the last key
const UNREACHABLE = 'The server does not answer. The figures are those from before; your entries are kept.';

class Scaling {
  constructor(form) {
    this.form = form;
    this.answer = document.getElementById('answer');
    this.turn = 0;
    form.addEventListener('input', () => this.soon());
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.ask();
    });
  }

  soon() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), PAUSE);
  }

  async ask() {
    clearTimeout(this.waiting);
    const turn = ++this.turn;
    const typed = [...new FormData(this.form)].filter(([name, text]) => text || name === 'law');
    const query = new URLSearchParams(typed);
    this.answer.setAttribute('aria-busy', 'true');
    const text = await fetch(`/scaling?${query}&live=1`).then((answer) => answer.text()).catch(() => null);
    if (turn !== this.turn) return;
    this.answer.removeAttribute('aria-busy');
    if (text === null) {
      document.getElementById('live').textContent = UNREACHABLE;
      return;
    }
    history.replaceState(null, '', `/scaling?${query}`);
    await this.take(new DOMParser().parseFromString(text, 'text/html'));
  }

  async take(page) {
    this.faults(page);
    for (const id of ['tools', 'refused']) {
      document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
    }
    const fresh = page.getElementById('answer');
    const works = fresh.childElementCount > 0;
    this.answer.classList.toggle('is-old', !works); // the last good answer stays, dimmed
    const said = works ? page.getElementById('verdict').textContent : page.getElementById('refused')?.textContent;
    document.getElementById('live').textContent = said ?? document.getElementById('refused').textContent;
    if (!works) return;
    if (!this.answer.childElementCount) {
      this.answer.replaceChildren(...fresh.childNodes);
      await charts.drawAll();
      return;
    }
    for (const part of this.answer.querySelectorAll('[data-part]')) {
      part.replaceChildren(...fresh.querySelector(`[data-part="${part.dataset.part}"]`).childNodes);
    }
    await Promise.all([...fresh.querySelectorAll('figure.chart')].map((figure) => charts.update(figure.id, figure)));
  }

  faults(page) {
    for (const place of this.form.querySelectorAll('.field-error')) {
      const there = page.getElementById(place.id);
      place.textContent = there.textContent;
      place.hidden = there.hidden;
      const box = document.getElementById(place.id.replace(/-error$/, ''));
      if (there.hidden) box.removeAttribute('aria-invalid');
      else box.setAttribute('aria-invalid', 'true');
    }
  }
}

new SavedPage();
const form = document.getElementById('scaling-form');
if (form) {
  new Scaling(form);
  await charts.drawAll();
}
