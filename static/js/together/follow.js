// Pages that show something saved, and change nothing: they say when it is another by now.

import { element } from '../studio/element.js';
import { addressOf, Stream } from './stream.js';

const CHANGES = ['saved', 'merged', 'renamed', 'tagged', 'named', 'deleted', 'restored'];

// `page` is an element with data-follow (a kind), data-follow-id and data-version, the state that it shows.
export function followChanges(page) {
  const { follow, followId, version } = page.dataset;
  const stream = new Stream(addressOf(follow, followId));
  const say = (who) => {
    if (page.querySelector('.changed-note')) return;
    const reload = element('a', { href: location.href }, 'Reload');
    page.append(element('p', { className: 'changed-note', role: 'status' }, `${who} changed this meanwhile. `, reload));
  };
  if (version) {
    stream.addEventListener('hello', ({ detail }) => detail.version > Number(version) && say('Somebody'));
    for (const name of CHANGES) stream.addEventListener(name, ({ detail }) => say(detail.you ? 'You, in another tab,' : detail.by || 'Somebody'));
  }
  stream.open();
  return stream;
}

for (const page of document.querySelectorAll('[data-follow][data-version]')) followChanges(page);
