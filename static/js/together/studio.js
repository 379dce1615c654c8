// Working together in the studio of a saved scenario.

import { CommentsPanel } from './comments.js';
import { LiveUpdate } from './live.js';
import { Presence } from './presence.js';
import { addressOf, Stream } from './stream.js';

export function startTogether({ store, saved, recalculation, isChanged, studio, form, explanation }) {
  const { key } = store;
  const address = addressOf('scenario', key);
  const stream = new Stream(address);
  const presence = new Presence({ address, stream, form, place: document.getElementById('presence') });
  const comments = new CommentsPanel({ key, address, stream, studio, form, explanation, toast: saved.toast });
  new LiveUpdate({ store, saved, stream, recalculation, isChanged });
  const markAgain = () => {
    presence.mark();
    comments.mark();
  };
  recalculation.addEventListener('result', markAgain);
  markAgain();
  stream.open();
  return { comments };
}
