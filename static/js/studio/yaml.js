// The whole scenario as YAML, for what has no control of its own.

import { askYaml, yamlOf } from './share.js';
import { same } from './values.js';

export class YamlEditor {
  constructor(details, store) {
    this.details = details;
    this.store = store;
    this.text = details.querySelector('textarea');
    this.error = details.querySelector('.field-error');
    details.addEventListener('toggle', () => this.fill());
  }

  // Not over what somebody is writing.
  async fill() {
    if (!this.details.open || this.text.value !== (this.filled ?? '')) return;
    if (same(this.of, this.store.values)) return;
    this.of = this.store.values;
    const { text = '' } = await yamlOf(this.of).catch(() => ({}));
    if (this.text.value === (this.filled ?? '')) this.text.value = this.filled = text;
  }

  async apply() {
    const answer = await askYaml({ text: this.text.value }).catch(() => ({
      errors: [{ path: '', message: 'The server does not answer; your entries are kept.' }],
    }));
    this.error.hidden = !answer.errors;
    this.error.textContent = answer.errors?.map(({ path, message }) => `${path} ${message}`).join(' ') ?? '';
    if (answer.errors) return;
    this.filled = this.text.value;
    this.of = answer.scenario;
    this.store.replace(answer.scenario, { urgent: true });
  }
}
