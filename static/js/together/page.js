// The page of comments on one thing: new ones appear by themselves.

import { startWhen } from '../saved/when.js';
import { Toast } from '../toast.js';
import { followChanges } from './follow.js';
import { Threads } from './threads.js';

const page = document.querySelector('[data-follow]');
const place = document.getElementById('comments-place');
const address = () => {
  const here = new URL(location.href);
  here.searchParams.set('panel', '1');
  return here.href;
};
const inside = (root) => root.querySelector('.comments-head')?.remove();
const threads = new Threads(place, { address, shown: inside, toast: new Toast(document.getElementById('toast')) });
const stream = followChanges(page);
stream.addEventListener('commented', () => threads.renew());
stream.addEventListener('hello', ({ detail }) => detail.missed && threads.renew());
startWhen();
