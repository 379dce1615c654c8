// Inputs of the form -> changes of the scenario, and back.

import { numberOf, numberText } from './numbers.js';
import { rangeAt, rangeOf, rangeText, withRange, withRangeOf } from './ranges.js';
import { valueAt, withValue } from './values.js';

const DESIGN = 'design:';
const SWITCHES = [
  'parallelism.sequence_parallel',
  'parallelism.tensor_overlap',
  'parallelism.data_overlap',
  'pod.fabric.optical_circuit_switches',
];
const rowOf = (element) => element.closest('.field');

// The server leaves out the rows that are shown as it sent them: `data-of` names what it sent.
export const isNoLongerAsSent = (row) => row.removeAttribute('data-of');

export class Controls {
  constructor(form, store) {
    this.form = form;
    this.store = store;
    form.addEventListener('input', (event) => this.input(event));
    form.addEventListener('change', (event) => this.change(event));
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('keydown', (event) => this.key(event));
  }

  input({ target }) {
    const row = rowOf(target);
    if (!row) return;
    isNoLongerAsSent(row);
    if (target.type === 'range') this.slide(row, target);
    else if (row.dataset.control === 'number') this.type(row, target);
    else if (row.dataset.control === 'text') this.store.set(row.dataset.path, target.value || undefined);
  }

  change({ target }) {
    const row = rowOf(target);
    if (!row) return;
    isNoLongerAsSent(row);
    if (target.type === 'radio') this.choose(row.dataset.path, target.value);
    else if (target.nodeName === 'SELECT') this.choose(row.dataset.path, target.value);
    else if (target.type === 'text' && row.dataset.control === 'number') this.tidy(row, target);
  }

  // Arrows move a number box by one step of its slider.
  key(event) {
    const { target, key } = event;
    if (target.type !== 'text' || !['ArrowUp', 'ArrowDown'].includes(key)) return;
    const slider = rowOf(target)?.querySelector('.slider');
    if (!slider) return;
    event.preventDefault();
    if (key === 'ArrowUp') slider.stepUp();
    else slider.stepDown();
    this.slide(rowOf(target), slider);
  }

  slide(row, slider) {
    const value = sliderValue(slider);
    const factor = Number(row.dataset.factor);
    const box = row.querySelector('input[type="text"]');
    box.value = numberText(value, factor);
    this.fill(row, slider, box);
    this.store.set(row.dataset.path, value, { urgent: true, step: `${row.dataset.path} slider` });
  }

  type(row, box) {
    const text = box.value.trim();
    const { path, factor, whole } = row.dataset;
    const range = rangeOf(text, Number(factor));
    if (range) {
      this.store.replace(withRange(this.store.values, path, range, whole === 'true'), { step: path });
      return;
    }
    const value = text === '' ? undefined : numberOf(text, Number(factor));
    if (typeof value === 'string') { // half typed: what was said of a range stays until a number or nothing stands there
      this.store.replace(withValue(this.store.values, path, value), { step: path });
      return;
    }
    const slider = row.querySelector('.slider');
    if (slider && typeof value === 'number') {
      slider.value = sliderPosition(slider, value);
      this.fill(row, slider, box);
    }
    this.store.set(path, value, { urgent: false });
  }

  tidy(row, box) {
    const text = this.shownText(row);
    if (text !== undefined) box.value = text;
  }

  // What the scenario states in a box of numbers, nothing where it states none.
  shownText({ dataset: { path, factor } }) {
    const range = rangeAt(this.store.values, path);
    const value = valueAt(this.store.values, path);
    if (typeof value !== 'number') return undefined;
    return range ? rangeText(range, Number(factor)) : numberText(value, Number(factor));
  }

  choose(path, text) {
    if (text === '<written out>') return;
    let values = this.store.values;
    let value = text === '' ? undefined : text;
    const { layout, servingLayouts, servingRequests, kinds } = document.getElementById('panel-parts').dataset;
    if (path === 'workload.kind') return this.chooseKind(JSON.parse(kinds)[text]);
    if (path === 'parallelism' && text === 'stated') {
      value = JSON.parse(layout);
    } else if (path === 'workload.layout') value = JSON.parse(servingLayouts)[text];
    else if (path === 'workload.requests') value = JSON.parse(servingRequests)[text];
    else if (path === 'parallelism.zero_stage') value = Number(text);
    else if (SWITCHES.includes(path)) value = text === 'true';
    else if (path === 'supernode.system') return this.chooseSystem(text);
    else if (path === 'pod.design' && value) values = withValue(values, 'pod', undefined);
    this.store.replace(withValue(values, path, value), { urgent: true });
  }

  // A workload of another kind takes the place of this one; only a training run has a layout of its own beside it.
  chooseKind(parts) {
    if (!parts) return;
    const { workload, parallelism, ...rest } = this.store.values;
    this.store.replace({ ...rest, ...parts }, { urgent: true });
  }

  // A system of the catalog or a saved design: what stood there before goes, what overrides it stays.
  chooseSystem(text) {
    const { system, custom, design, ...rest } = this.store.values.supernode ?? {};
    const chosen = text.startsWith(DESIGN) ? { design: text.slice(DESIGN.length) } : { system: text };
    this.store.replace({ ...this.store.values, supernode: { ...chosen, ...rest } }, { urgent: true });
  }

  reset(row) {
    const { path } = row.dataset;
    let values = withValue(this.store.values, path, valueAt(this.store.base, path));
    values = withRangeOf(values, this.store.base, path);
    if (path === 'workload.kind') {
      for (const part of ['workload', 'parallelism']) values = withValue(values, part, this.store.base[part]);
    }
    if (path === 'supernode.system') {
      for (const other of ['supernode.custom', 'supernode.design']) {
        values = withValue(values, other, valueAt(this.store.base, other));
      }
    }
    this.store.replace(values, { urgent: true });
    this.write(row);
    row.querySelector('input, select, [role="combobox"]')?.focus();
  }

  // What the scenario states, put into its control at once; the rest comes with the server's answer.
  write(row) {
    let value = valueAt(this.store.values, row.dataset.path);
    const design = row.dataset.path === 'supernode.system' && valueAt(this.store.values, 'supernode.design');
    if (design) value = DESIGN + design;
    const box = row.querySelector('input[type="text"]:not([role])');
    if (row.dataset.control === 'number' && value !== undefined && box) {
      box.value = this.shownText(row) ?? String(value);
      const slider = row.querySelector('.slider');
      if (slider && typeof value === 'number') {
        slider.value = sliderPosition(slider, value);
        this.fill(row, slider, box);
      }
    }
    if (row.dataset.control === 'text' && typeof value === 'string') box.value = value;
    if (row.dataset.control === 'text' && Array.isArray(value)) box.value = value.join(' x ');
    const select = row.querySelector('select');
    if (select && typeof value === 'string') {
      select.value = value;
      select.dispatchEvent(new Event('written', { bubbles: true }));
    }
    const word = layoutWord(row.dataset.path, value);
    for (const radio of row.querySelectorAll('input[type="radio"]')) {
      if (value !== undefined) radio.checked = radio.value === word;
    }
  }

  writeAll() {
    for (const row of this.form.querySelectorAll('.field')) {
      isNoLongerAsSent(row);
      this.write(row);
    }
  }

  fill(row, slider, box) {
    const share = (slider.value - slider.min) / (slider.max - slider.min);
    slider.style.setProperty('--share', `${100 * share}%`);
    slider.setAttribute('aria-valuetext', `${box.value} ${row.querySelector('.unit').textContent}`);
  }
}

// What stands in the choice of a layout: of a training run, or of a served model.
function layoutWord(path, value) {
  if (!value || typeof value !== 'object') return String(value);
  if (path === 'parallelism') return 'stated';
  return 'prefill' in value || 'decode' in value ? 'split' : 'instance';
}

function sliderValue({ value, dataset: { low, high, snap } }) {
  const position = Number(value);
  if (snap === 'step') return Number(position.toPrecision(12));
  if (snap === 'power') return Number((low * 2 ** Math.round(position)).toPrecision(12));
  return Number((low * (high / low) ** (position / 1000)).toPrecision(2));
}

function sliderPosition({ dataset: { low, high, snap } }, value) {
  const held = Math.min(Math.max(value, low), high);
  if (snap === 'step') return held;
  if (snap === 'power') return Math.log2(held / low);
  return (1000 * Math.log(held / low)) / Math.log(high / low);
}
