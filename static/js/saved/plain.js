// A page of saved work without a script of its own.

import { SavedPage } from './page.js';

new SavedPage();
