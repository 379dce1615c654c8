// A select that is searched by typing. The select stays the control that holds the value.

const MOST_SHOWN = 200;
let count = 0;

class Combobox {
  constructor(host) {
    this.select = host.querySelector('select');
    this.input = document.createElement('input');
    this.list = document.createElement('ul');
    const id = `choices-${(count += 1)}`;
    const { input, list, select } = this;
    input.type = 'text';
    input.id = select.id;
    select.id = `${select.id}-select`;
    select.hidden = true;
    for (const [name, value] of Object.entries({
      role: 'combobox', 'aria-expanded': 'false', 'aria-controls': id, 'aria-autocomplete': 'list',
      autocomplete: 'off', spellcheck: 'false', 'aria-describedby': select.getAttribute('aria-describedby'),
    })) input.setAttribute(name, value);
    list.id = id;
    list.setAttribute('role', 'listbox');
    list.hidden = true;
    list.className = 'choices';
    host.dataset.own = '';
    host.append(input, list);
    this.add = host.dataset.add;
    this.label = host.dataset.label ?? host.closest('.field').dataset.label;
    list.setAttribute('aria-label', this.label);
    this.written();
    select.addEventListener('written', () => this.written());
    input.addEventListener('focus', () => input.select());
    input.addEventListener('click', () => this.open(''));
    input.addEventListener('input', (event) => {
      event.stopPropagation();
      this.open(input.value);
    });
    input.addEventListener('change', (event) => event.stopPropagation());
    input.addEventListener('keydown', (event) => this.key(event));
    input.addEventListener('blur', () => this.close());
    list.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const option = event.target.closest('li:is([data-value], [data-add])');
      if (option) this.take(option);
    });
  }

  written() {
    if (document.activeElement !== this.input || this.list.hidden) {
      this.input.value = this.select.selectedOptions[0]?.textContent ?? '';
    }
  }

  open(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [...this.select.options].filter((option) => {
      const whole = `${option.textContent} ${option.value}`.toLowerCase();
      return words.every((word) => whole.includes(word));
    });
    let group = null;
    this.list.replaceChildren(...found.slice(0, MOST_SHOWN).flatMap((option, index) => {
      const item = document.createElement('li');
      item.id = `${this.list.id}-${index}`;
      item.setAttribute('role', 'option');
      item.dataset.value = option.value;
      item.textContent = option.textContent;
      item.setAttribute('aria-selected', String(option.selected));
      const title = option.parentElement.label ?? null;
      if (title === group) return [item];
      group = title;
      return title ? [titleOf(title), item] : [item];
    }));
    if (!found.length) {
      const none = document.createElement('li');
      none.setAttribute('role', 'option');
      none.setAttribute('aria-disabled', 'true');
      none.setAttribute('aria-selected', 'false');
      none.textContent = 'Nothing of that name';
      this.list.append(none);
      if (this.add) this.list.append(this.adding(text));
    }
    this.list.hidden = false;
    this.input.setAttribute('aria-expanded', 'true');
    this.mark(this.list.querySelector('[aria-selected="true"]') ?? this.list.querySelector('[data-value], [data-add]'));
  }

  mark(option) {
    this.list.querySelector('.is-active')?.classList.remove('is-active');
    this.active = option;
    if (!option) return this.input.removeAttribute('aria-activedescendant');
    option.classList.add('is-active');
    this.input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  }

  key(event) {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      event.stopPropagation();
      if (this.list.hidden) return this.open('');
      const options = [...this.list.querySelectorAll('[data-value], [data-add]')];
      const next = options.indexOf(this.active) + (key === 'ArrowDown' ? 1 : -1);
      this.mark(options[(next + options.length) % options.length]);
    } else if (key === 'Enter') {
      event.preventDefault();
      if (this.list.hidden) this.open('');
      else if (this.active) this.take(this.active);
    } else if (key === 'Escape' && !this.list.hidden) {
      event.stopPropagation();
      this.close();
    }
  }

  // What is offered where nothing matches: the typed name is that of something new.
  adding(text) {
    const item = document.createElement('li');
    item.id = `${this.list.id}-add`;
    item.setAttribute('role', 'option');
    item.setAttribute('aria-selected', 'false');
    item.dataset.add = text.trim();
    item.textContent = `${this.add} “${text.trim()}”`;
    return item;
  }

  take(option) {
    if (option.dataset.add !== undefined) {
      this.select.dispatchEvent(new CustomEvent('add-own', { bubbles: true, detail: option.dataset.add }));
      return;
    }
    this.select.value = option.dataset.value;
    this.close();
    this.select.dispatchEvent(new Event('change', { bubbles: true }));
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
    this.input.removeAttribute('aria-activedescendant');
    this.input.value = this.select.selectedOptions[0]?.textContent ?? '';
  }
}

// Where a group begins; for the eyes, the options say the rest.
function titleOf(text) {
  const title = document.createElement('li');
  title.className = 'choices-title';
  title.setAttribute('aria-hidden', 'true');
  title.textContent = text;
  return title;
}

export function startComboboxes(form) {
  for (const host of form.querySelectorAll('[data-combo]:not([data-own])')) new Combobox(host);
}
