// The charts of the pages of a design in detail, and the studies that are asked for as they come near the screen;
// everything else is there without scripts.

import * as charts from './charts.js';
import { Study } from './study.js';

charts.drawAll();
const data = document.getElementById('study-data');
if (data) {
  const { key, scenario } = JSON.parse(data.textContent);
  for (const place of document.querySelectorAll('[data-study]')) new Study(place, () => scenario, key);
}
