// The charts of the fabric pages; everything else is there without scripts.

import * as charts from './charts.js';

charts.drawAll();
