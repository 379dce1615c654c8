// What a page is of, for elsewhere: its document, a call of the API with it or of what it answers, and its tables.

import { curlText, pythonText, tablesText } from './studio/copies.js';

const menu = document.getElementById('copy-as');
const KIND = 'application/yaml';
const MADE = {
  yaml: ({ text }) => text,
  curl: ({ path, text }) => curlText(path, text, KIND),
  python: ({ path, text }) => pythonText(path, text, KIND),
  markdown: () => tablesText(document.querySelector('main')),
};

for (const button of menu?.querySelectorAll('[data-copy-as]') ?? []) {
  button.addEventListener('click', async () => {
    const said = menu.querySelector('[role="status"]');
    try {
      await navigator.clipboard.writeText(MADE[button.dataset.copyAs]({ ...menu.dataset, ...button.dataset }));
      said.textContent = `Copied as ${button.textContent}`;
    } catch {
      said.textContent = 'The browser does not let this page copy.';
    }
  });
}
