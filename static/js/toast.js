// A short message at the foot of the page, with at most one thing to do about it.

import { element } from './studio/element.js';

const SHOWN_MS = 8000;
export const UNDO_MS = 10_000;

export class Toast {
  constructor(place) {
    this.place = place;
    for (const name of ['pointerenter', 'focusin']) place.addEventListener(name, () => clearTimeout(this.timer));
    for (const name of ['pointerleave', 'focusout']) place.addEventListener(name, () => this.later());
  }

  say(text, { action, run, forMs = SHOWN_MS } = {}) {
    this.forMs = forMs;
    this.place.replaceChildren(text);
    if (action) {
      const button = element('button', { type: 'button' }, action);
      button.addEventListener('click', () => {
        this.place.hidden = true;
        run();
      });
      this.place.append(button);
    }
    this.place.hidden = false;
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.place.hidden = true), this.forMs);
  }

  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      this.say('The browser does not let this page copy. Use Export instead.');
    }
  }
}
