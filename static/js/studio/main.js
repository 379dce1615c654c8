// The studio: everything it shows is in the page before this runs.

import * as charts from '../charts.js';
import { StudioSaved } from '../saved/studio.js';
import { startStrip } from '../strip.js';
import { startTogether } from '../together/studio.js';
import { addressOf, encoded, pathOf } from './address.js';
import { startComboboxes } from './combobox.js';
import { Controls } from './controls.js';
import { Explanation, showSource } from './explain.js';
import { showFaults } from './faults.js';
import { Recalculation } from './recalculate.js';
import { Results } from './results.js';
import { OpenSection } from './section.js';
import { restated, withEstimates } from './estimates.js';
import { Find } from './find.js';
import { curlOf, markdownOf, pythonOf } from './copies.js';
import { withYaml } from './share.js';
import { Sheet } from './sheet.js';
import { keepSteps, restoreSteps } from './steps.js';
import { Store } from './store.js';
import { same } from './values.js';
import { YamlEditor } from './yaml.js';

const studio = document.getElementById('studio');
const form = document.getElementById('inputs-form');
const data = JSON.parse(document.getElementById('studio-data').textContent);
const store = new Store(data);
const controls = new Controls(form, store);
const find = new Find(form);
const recalculation = new Recalculation(studio, store);
const results = new Results(studio, form);
const saved = new StudioSaved({ store, data, recalculation, isChanged: () => isChanged() });
const { toast } = saved;
const explanation = new Explanation(document.getElementById('explain-panel'), store, toast);
const sheet = new Sheet(document.querySelector('.sheet-button'), document.getElementById('inputs'));
const yaml = new YamlEditor(document.getElementById('advanced'), store);

const isChanged = () => !same(store.values, store.base);
const section = new OpenSection({ studio, store, results, recalculation, isChanged });
const changes = () => Number(form.querySelector('.panel-head .chip')?.textContent.match(/\d+/)?.[0] ?? 0);
const firstFigure = () => studio.querySelector('.key-figures .key-value').textContent.trim();

// Not at every step of a slider: browsers count how often an address is rewritten.
let keeping;

function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(async () => {
    const values = store.values;
    const address = await addressOf(store, isChanged());
    if (values === store.values) history.replaceState(null, '', address.href + location.hash);
  }, 150);
}

function refreshTools() {
  form.querySelector('[data-action="undo"]').disabled = !store.past.length;
  form.querySelector('[data-action="redo"]').disabled = !store.future.length;
  sheet.update(results.result ?? firstFigure(), changes());
}

store.addEventListener('change', ({ detail: { rewrite, evaluated } }) => {
  if (rewrite) controls.writeAll();
  keepAddress();
  refreshTools();
  if (!evaluated) recalculation.later();
});

recalculation.addEventListener('result', ({ detail }) => {
  results.show(detail);
  find.show({ opening: false });
  section.startStudies();
  for (const study of section.studies.values()) study.later();
  section.changed();
  startComboboxes(form);
  refreshTools();
  explanation.refresh();
  yaml.fill();
});
recalculation.addEventListener('refused', ({ detail: { errors } }) => {
  results.place.querySelector('#lost')?.remove();
  showFaults(form, results.place, errors);
  find.show({ opening: false });
  results.say(`Not recalculated: ${errors[0].message}`);
  sheet.update('not recalculated', changes());
});
recalculation.addEventListener('lost', ({ detail: { reason } }) => {
  results.lost(reason, recalculation.goodAt);
  sheet.update('not recalculated', changes());
});
addEventListener('online', () => {
  if (results.place.querySelector('#lost')) recalculation.now();
});

// The pages about the scenario as it is now.
const PAGES = ['explore', 'sweep', 'calibrate'];
const LINKS = `a:is(${PAGES.map((page) => `[data-action="${page}"]`).join(', ')})`;

const ACTIONS = {
  ...saved.actions,
  undo: () => store.undo(),
  redo: () => store.redo(),
  reset: (button) => controls.reset(button.closest('.field')),
  'reset-all': () => startOver(),
  offer: ({ dataset: { field, value } }) => {
    store.set(field, JSON.parse(value), { urgent: true });
    controls.writeAll();
    sayWhereFocusWent();
  },
  'accept-all': () => recalculation.now({ accept: true }).then(sayWhereFocusWent),
  estimates: ({ dataset }) => {
    store.replace(withEstimates(store.values, JSON.parse(dataset.changes)), { urgent: true });
    sayWhereFocusWent();
  },
  retry: () => recalculation.now(),
  sheet: () => sheet.toggle(),
  comments: (link) => together.comments.toggle(link),
  source: (mark) => showSource(document.getElementById('source-note'), mark),
  print: async () => {
    toast.say('Preparing the charts for printing');
    await section.ready();
    print();
  },
  'copy-yaml': () => withYaml(store, toast, (text) => toast.copy(text, 'Copied as YAML')),
  'copy-curl': () => toast.copy(curlOf(studio.dataset.place, store.values), 'Copied as curl'),
  'copy-python': () => toast.copy(pythonOf(studio.dataset.place, store.values), 'Copied as Python'),
  'copy-markdown': () => toast.copy(markdownOf(studio), 'Copied as Markdown'),
  'apply-yaml': () => yaml.apply().then(() => controls.writeAll()),
  'explain-again': () => explanation.again(),
  'explain-close': () => explanation.close(),
  'explain-link': () => explanation.copyLink(),
  'explain-copy': () => explanation.copyText(),
  ...Object.fromEntries(PAGES.map((page) => [page, async () => location.assign(await asItIsNow(page))])),
  'own-model': () => ownModel(),
  'to-field': ({ dataset: { field } }) => toField(field),
};

// A page about the scenario as it is now, such as a search of it: it finds its way back with what is not saved.
async function asItIsNow(page) {
  return `/${page}/${store.key}${isChanged() ? `?s=${await encoded(store.values)}` : ''}`;
}

// The form of an own model comes back here with the model chosen, and with what is not saved.
async function ownModel(name = '') {
  const query = new URLSearchParams({ design: store.key });
  if (name) query.set('name', name);
  if (isChanged()) query.set('s', await encoded(store.values));
  location.assign(`/catalog/own/model?${query}`);
}

form.addEventListener('add-own', ({ detail }) => ownModel(detail));

// The value of an accepted estimate, set beside it; what is no number stays in the box and changes nothing.
studio.addEventListener('submit', (event) => {
  if (!event.target.matches('.estimate-form')) return;
  event.preventDefault();
  const box = studio.querySelector(`input[form="${event.target.id}"]`);
  const changed = restated(store.values, box.dataset.estimate, box.value);
  box.setAttribute('aria-invalid', String(!changed));
  if (changed) store.replace(changed, { urgent: true });
});

function startOver() {
  store.replace(store.base, { urgent: true });
  controls.writeAll();
  studio.querySelector('h1').focus();
}

// The button that was pressed goes with its note: the answer takes the focus.
function sayWhereFocusWent() {
  const answer = document.getElementById('answer-block');
  answer.tabIndex = -1;
  answer.focus({ preventScroll: true });
}

function toField(path) {
  const row = form.querySelector(`.field[data-path="${CSS.escape(path)}"]`);
  if (!row) return;
  find.reveal(row);
  explanation.close();
  if (matchMedia('(max-width: 760px)').matches) sheet.toggle(true);
  for (let part = row.parentElement.closest('details'); part; part = part.parentElement.closest('details')) {
    part.open = true;
  }
  row.scrollIntoView({ block: 'center' });
  row.querySelector('input, select')?.focus();
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-action]');
  if (button && ACTIONS[button.dataset.action]) {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    button.closest('.menu')?.hidePopover();
    ACTIONS[button.dataset.action](button);
    return;
  }
  const link = event.target.closest('a[href]');
  if (link && !event.metaKey && !event.ctrlKey && !event.shiftKey && opens(link)) {
    event.preventDefault();
    return;
  }
  const figure = event.target.closest('a[data-explain]');
  if (figure && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
    event.preventDefault();
    explanation.open(figure.dataset.explain, figure);
  }
});

// A link to another place of this workspace, or to the same with another question.
function opens(link) {
  const { place } = link.dataset;
  if (place) section.go(place);
  return Boolean(place) || (link.closest('#section') && section.follow(link));
}

// A figure, a place or a search opened in another tab takes the changed scenario with it.
for (const name of ['pointerdown', 'keydown']) {
  document.addEventListener(name, async (event) => {
    const other = event.target.closest?.(LINKS);
    if (other) other.href = await asItIsNow(other.dataset.action);
    const place = event.target.closest?.('a[data-place]');
    if (place) place.href = pathOf(place.dataset.place, store.key) + (isChanged() ? `?s=${await encoded(store.values)}` : '');
    const figure = event.target.closest?.('a[data-explain]');
    if (!figure) return;
    const query = isChanged() ? `?s=${await encoded(store.values)}` : '';
    figure.href = `/designs/${store.key}/explain/${figure.dataset.explain}${query}`;
  });
}

// Text that is no field of the scenario, such as a note or a search, has the browser's own undo.
const hasItsOwnUndo = (target) => target.matches?.('textarea, input[role="combobox"]') || (target.matches?.('input') && !form.contains(target));

addEventListener('keydown', (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !['z', 'y'].includes(key)) return;
  if (hasItsOwnUndo(event.target) || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) store.redo();
  else store.undo();
});

studio.dataset.live = '';
charts.drawAll(studio);
startStrip(studio);
startComboboxes(form);
if (data.errors.length) showFaults(form, results.place, data.errors);
saved.open();
restoreSteps(store);
refreshTools();
addEventListener('pagehide', () => keepSteps(store.key, store));
const together = data.saved && startTogether({ store, saved, recalculation, isChanged, studio, form, explanation });
const asked = new URL(location.href).searchParams.get('explain');
if (asked) explanation.open(asked, studio.querySelector(`[data-explain="${CSS.escape(asked)}"]`));
