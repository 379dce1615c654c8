// The claims page: the chart is drawn, and the table follows what is typed and chosen.

import * as charts from './charts.js';

if (document.querySelector('figure.chart')) charts.drawAll();
if (document.querySelector('form.filters')) import('./catalog.js');
