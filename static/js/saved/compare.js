// Compare: both sides chosen by typing, charts drawn.

import * as charts from '../charts.js';
import { startComboboxes } from '../studio/combobox.js';
import { startWhen } from './when.js';

const sides = document.getElementById('sides');

startComboboxes(sides);
sides.addEventListener('change', () => sides.requestSubmit());
charts.drawAll();
startWhen();
