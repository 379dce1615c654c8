// What is refused, said at its field with the way out; what was typed stays.

import { isNoLongerAsSent } from './controls.js';
import { element } from './element.js';

export function clearFaults(form) {
  for (const line of form.querySelectorAll('.field > .field-error')) {
    line.hidden = true;
    line.replaceChildren();
  }
  for (const control of form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  for (const row of form.querySelectorAll('.field.is-refused')) row.classList.remove('is-refused');
  form.querySelector('.panel-faults').replaceChildren();
}

export function showFaults(form, results, faults) {
  clearFaults(form);
  for (const fault of faults) {
    const row = form.querySelector(`.field[data-path="${CSS.escape(fault.path)}"]`);
    const line = row?.querySelector(':scope > .field-error');
    if (!line) {
      const said = element('p', { className: 'field-error' }, element('b', {}, fault.label || 'Scenario'));
      said.append(' ', fault.message);
      form.querySelector('.panel-faults').append(said);
      continue;
    }
    line.append(fault.message, ...fault.offers.flatMap((offer) => [' ', offerButton(offer)]));
    line.hidden = false;
    row.classList.add('is-refused');
    isNoLongerAsSent(row);
    for (const control of row.querySelectorAll('input[type="text"], select, fieldset')) {
      control.setAttribute('aria-invalid', 'true');
    }
    for (let part = row.parentElement?.closest('details'); part; part = part.parentElement?.closest('details')) {
      part.open = true;
    }
  }
  refusedNote(form, results, faults[0]);
}

function refusedNote(form, results, fault) {
  const label = form.querySelector(`.field[data-path="${CSS.escape(fault.path)}"]`)?.dataset.label;
  results.querySelector('#refused')?.remove();
  const note = element('div', { className: 'note bad', id: 'refused' },
    element('h2', {}, `Not recalculated. ${label || fault.label || 'Scenario'}: ${fault.message}`),
    element('p', {}, 'The figures below are of your last good result. Your entries are kept.'));
  const offers = element('p', { className: 'actions' }, ...fault.offers.map((offer, index) => {
    const button = offerButton(offer);
    button.className = index ? 'button' : 'button primary';
    button.textContent = `${label ?? fault.path}: ${offer.label[0].toLowerCase()}${offer.label.slice(1)}`;
    return button;
  }));
  if (fault.offers.length) note.append(offers);
  results.querySelector('#answer-block').prepend(note);
}

function offerButton({ field, value, label }) {
  const button = element('button', { type: 'button', className: 'link-button' }, label);
  Object.assign(button.dataset, { action: 'offer', field, value: JSON.stringify(value) });
  return button;
}
