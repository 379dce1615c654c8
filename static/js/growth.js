// The charts of the growth page; everything else is there without scripts.

import * as charts from './charts.js';

charts.drawAll();
