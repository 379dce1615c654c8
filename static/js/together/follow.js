// Pages that show something saved: they say when it is another by now. One with `data-refresh` shows what it is now, as long
// as nothing is typed into it.

import { element } from '../studio/element.js';
import { addressOf, Stream } from './stream.js';

const SHOWN = 'changed-by'; // who changed what is shown since a reload
const CHANGES = ['saved', 'merged', 'renamed', 'tagged', 'named', 'reviewed', 'deleted', 'restored'];

// `page` is an element with data-follow (a kind), data-follow-id and data-version, the state that it shows.
export function followChanges(page) {
  const { follow, followId, version } = page.dataset;
  const stream = new Stream(addressOf(follow, followId));
  for (const name of ['input', 'submit']) page.addEventListener(name, () => (page.dataset.typed = '')); // a reload would lose it
  const by = sessionStorage.getItem(SHOWN);
  sessionStorage.removeItem(SHOWN);
  if (by) page.append(element('p', { className: 'changed-note', role: 'status' }, `${by} changed this. It is shown as it is now.`));
  const say = (who, isThere = true) => {
    if (isThere && 'refresh' in page.dataset && !('typed' in page.dataset) && !document.querySelector('dialog[open]')) {
      sessionStorage.setItem(SHOWN, who);
      location.reload();
      return;
    }
    page.querySelector('.changed-note:not(:has(a))')?.remove();
    if (page.querySelector('.changed-note')) return;
    const reload = element('a', { href: location.href }, 'Reload');
    page.append(element('p', { className: 'changed-note', role: 'status' }, `${who} changed this meanwhile. `, reload));
  };
  if (version) {
    stream.addEventListener('hello', ({ detail }) => detail.version > Number(version) && say('Someone'));
    for (const name of CHANGES) stream.addEventListener(name, ({ detail }) => say(detail.you ? 'You, in another tab,' : detail.by || 'Someone', name !== 'deleted'));
  }
  stream.open();
  return stream;
}

for (const page of document.querySelectorAll('[data-follow][data-version]')) followChanges(page);
