// A revision as it was: its charts, and nothing that changes it.

import * as charts from '../charts.js';
import { startStrip } from '../strip.js';
import { SavedPage } from './page.js';

const studio = document.getElementById('studio');
new SavedPage();
charts.drawAll(studio);
startStrip(studio);
