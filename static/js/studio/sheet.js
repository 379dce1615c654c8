// On small screens the inputs are a page of their own, opened by a button at the foot that names the result.

export class Sheet {
  constructor(button, inputs) {
    this.button = button;
    this.inputs = inputs;
    this.changed = 0;
    this.result = '';
    button.hidden = false;
  }

  get isOpen() {
    return document.documentElement.classList.contains('is-editing');
  }

  toggle(open = !this.isOpen) {
    document.documentElement.classList.toggle('is-editing', open);
    this.button.setAttribute('aria-expanded', String(open));
    this.name();
    scrollTo(0, 0);
  }

  update(result, changed) {
    this.result = result;
    this.changed = changed;
    this.name();
  }

  name() {
    const inputs = this.changed ? `Inputs, ${this.changed} changed` : 'Inputs';
    this.button.querySelector('span').textContent = this.isOpen ? `Show results: ${this.result}` : inputs;
  }
}
