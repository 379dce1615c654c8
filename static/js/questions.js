// A question: the answer follows its inputs. The page is asked for with what is typed, and its answer is taken over;
// without scripts the form is sent by its button.

import * as charts from './charts.js';

const PAUSE_MS = 200; // after the last key
const SLOW_MS = 400;
const UNREACHABLE = 'The server does not answer. The answer is the last one; your entries are kept.';

class Question {
  constructor(form) {
    this.form = form;
    this.answer = document.getElementById('answer');
    this.live = document.getElementById('live');
    form.addEventListener('input', ({ target }) => this.soon(target.nodeName === 'SELECT' ? 0 : PAUSE_MS));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.ask();
    });
  }

  soon(pause) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.ask(), pause);
  }

  async ask() {
    clearTimeout(this.waiting);
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const query = new URLSearchParams(new FormData(this.form));
    const path = this.form.getAttribute('action');
    this.answer.setAttribute('aria-busy', 'true');
    const slow = setTimeout(() => this.answer.classList.add('is-slow'), SLOW_MS);
    try {
      const answer = await fetch(`${path}?${query}&live=1`, { signal: asked.signal, headers: { accept: 'text/html' } });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
      await this.take(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      history.replaceState(null, '', `${path}?${query}`);
    } catch (error) {
      if (error.name === 'AbortError') return;
      this.answer.classList.add('is-old');
      this.live.textContent = UNREACHABLE;
    } finally {
      clearTimeout(slow);
      if (this.asked === asked) {
        this.answer.removeAttribute('aria-busy');
        this.answer.classList.remove('is-slow');
      }
    }
  }

  async take(page) {
    for (const fault of page.querySelectorAll('p[data-error]')) this.fault(fault);
    const fresh = page.getElementById('answer');
    // A refused input leaves the last answer in place, faded: it is not the answer to what is typed.
    const keeps = 'refused' in fresh.dataset && this.answer.querySelector('#verdict') && !fresh.querySelector('[role="alert"]');
    this.answer.classList.toggle('is-old', Boolean(keeps));
    this.live.textContent = fresh.querySelector('#verdict, .note')?.textContent.trim() ?? '';
    if (keeps) return;
    const [chart, next] = [this.answer, fresh].map((part) => part.querySelector('figure.chart'));
    if (chart && next) {
      // The chart stays in the page, so that it is updated in place; everything around it is replaced.
      const frame = next.parentElement;
      const placeholder = document.createElement('div');
      frame.replaceChildren(placeholder);
      this.answer.replaceChildren(...fresh.childNodes);
      placeholder.replaceWith(chart);
      await charts.update(chart.id, next);
    } else {
      this.answer.replaceChildren(...fresh.childNodes);
    }
    await charts.drawAll();
  }

  fault(there) {
    const name = there.dataset.error;
    const place = this.form.querySelector(`[data-error="${name}"]`);
    place.textContent = there.textContent;
    place.hidden = there.hidden;
    for (const box of this.form.querySelectorAll(`[name="${name}"]`)) {
      if (there.hidden) box.removeAttribute('aria-invalid');
      else box.setAttribute('aria-invalid', 'true');
    }
  }
}

const question = new Question(document.getElementById('question'));
document.querySelector('.question-nav [aria-current]').scrollIntoView({ inline: 'nearest', block: 'nearest' });
charts.drawAll();
if (document.querySelector('[data-pending]')) question.ask();
