// Home: the list follows what is typed, shows more on demand, and marks designs with unsaved changes.

import { element } from '../studio/element.js';
import { allDrafts } from './drafts.js';
import { SavedPage } from './page.js';
import { clockOrDate, sayWhen } from './when.js';

const WAIT_MS = 200;

const shelf = document.getElementById('shelf'); // whoever came by a link has none
const filters = shelf?.querySelector('.filters');
const page = new SavedPage({ changed: (told) => (told.undo || filters ? refresh() : page.reload(told)) });
let timer;
let asked;

const parser = new DOMParser();

async function fetched(address) {
  asked?.abort();
  asked = new AbortController();
  const answer = await fetch(address, { signal: asked.signal, headers: { accept: 'text/html' } });
  return parser.parseFromString(await answer.text(), 'text/html').getElementById('shelf');
}

function addressOfFilters() {
  const filled = [...new FormData(filters)].filter(([name, text]) => text !== '' && `${name}=${text}` !== 'sort=updated');
  const query = new URLSearchParams(filled).toString();
  return query ? `/?${query}` : '/';
}

// The words of the search box stay as they are typed; cards, counts and tags are those of the answer.
async function refresh(address = filters ? addressOfFilters() : '/') {
  clearTimeout(timer);
  try {
    const fresh = await fetched(address);
    history.replaceState(null, '', address);
    const [cards, tags] = ['[data-shelf-cards]', 'select[name="tag"]'].map((part) => fresh?.querySelector(part));
    if (!cards || !fresh.querySelector('.filters') || Boolean(tags) !== Boolean(filters?.elements.tag)) return page.leave(address, {});
    shelf.querySelector('[data-shelf-cards]').replaceWith(cards);
    if (tags) renew(filters.elements.tag, tags);
    show();
  } catch (error) {
    if (error.name !== 'AbortError') page.toast.say('The server does not answer. The cards are those of the last search.');
  }
}

// The counts of the tags; what is chosen stays. An option on its way out of a select selects the next one.
function renew(select, fresh) {
  const chosen = select.value;
  select.replaceChildren(...fresh.children);
  select.value = chosen;
}

async function more(link) {
  try {
    const cards = (await fetched(link.href)).querySelector('[data-shelf-cards]');
    const list = shelf.querySelector('.cards');
    const first = cards.querySelector('.card a');
    list.append(...cards.querySelectorAll('.card'));
    const following = cards.querySelector('[data-more]');
    if (following) link.href = following.href;
    else link.closest('p').remove();
    first.focus();
    show();
  } catch (error) {
    if (error.name !== 'AbortError') page.toast.say('The server does not answer. Try again in a moment.');
  }
}

function show() {
  sayWhen(document);
  for (const { key, at } of allDrafts()) {
    const card = document.querySelector(`.card[data-key="${CSS.escape(key)}"]`);
    if (!card || card.querySelector('.is-draft')) continue;
    const mark = element('p', { className: 'caption is-draft' }, element('span', { className: 'chip accent' }, `Unsaved changes from ${clockOrDate(new Date(at))}`));
    card.append(mark);
  }
}

// Examples that the server had not evaluated yet, one after the other.
async function calculated() {
  for (const card of document.querySelectorAll('.card[data-pending]')) {
    try {
      const answer = await fetch(`/examples/${encodeURIComponent(card.dataset.key)}/card`, { headers: { accept: 'text/html' } });
      if (!answer.ok) throw new Error(answer.statusText);
      card.replaceWith(parser.parseFromString(await answer.text(), 'text/html').querySelector('.card'));
    } catch {
      card.querySelector('.timebar').textContent = 'Figures could not be loaded. Open the example to see them.';
    }
  }
}

shelf?.addEventListener('click', (event) => {
  const link = event.target.closest('[data-more]');
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  more(link);
});
if (filters) {
  filters.addEventListener('input', ({ target }) => {
    clearTimeout(timer);
    if (target.type === 'search') timer = setTimeout(refresh, WAIT_MS);
  });
  filters.addEventListener('change', ({ target }) => target.nodeName === 'SELECT' && refresh());
  filters.addEventListener('submit', (event) => {
    event.preventDefault();
    refresh();
  });
}
show();
calculated();
