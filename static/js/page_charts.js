// The charts of a page that has nothing else to run.

import { drawAll } from './charts.js';

drawAll();
