// The charts of the pages of a design in detail; everything else is there without scripts.

import * as charts from './charts.js';

charts.drawAll();
