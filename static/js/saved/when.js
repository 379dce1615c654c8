// Moments as the server wrote them, said again as time goes by and in the reader's time zone.

const STEPS = [[3600, 60, 'minute'], [86_400, 3600, 'hour']];
const EVERY_MS = 30_000;

export function ago(moment, now = new Date()) {
  const seconds = (now - moment) / 1000;
  if (seconds < 60) return 'just now';
  for (const [most, size, name] of STEPS) {
    if (seconds >= most) continue;
    const count = Math.floor(seconds / size);
    return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

export const clock = (moment) => moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

// Today's moments by the clock, older ones with their date.
export function clockOrDate(moment) {
  const today = new Date().toDateString() === moment.toDateString();
  return today ? clock(moment) : `${moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${clock(moment)}`;
}

function write(text, place) {
  if (place.textContent !== text) place.textContent = text;
}

export function sayWhen(root = document) {
  for (const place of root.querySelectorAll('time[data-ago], time[data-clock]')) {
    const moment = new Date(place.dateTime);
    write('ago' in place.dataset ? ago(moment) : clock(moment), place);
    place.title = moment.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  }
}

export function startWhen() {
  sayWhen();
  setInterval(sayWhen, EVERY_MS);
}
