// Server-sent events about one thing. A page that nobody looks at lets its stream go and takes it up again where it
// was: browsers allow few connections to one host, and a forgotten tab should hold none of them.

const NAMES = ['hello', 'saved', 'merged', 'renamed', 'tagged', 'deleted', 'restored', 'named', 'shared', 'commented', 'reviewed', 'presence'];
const UNSEEN_MS = 20_000;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 300_000;
const SHELVES = { scenario: 'scenarios', supernode: 'designs', pod: 'designs', projection: 'saved-projections', study: 'saved-studies', fleet: 'saved-fleets' };

export const addressOf = (kind, id) => `/api/v1/${SHELVES[kind]}/${id}`;

// Dispatches an event of each name, with what the server told as `detail`.
export class Stream extends EventTarget {
  constructor(address) {
    super();
    this.address = `${address}/events`;
    this.retryMs = FIRST_RETRY_MS;
    document.addEventListener('visibilitychange', () => (document.hidden ? this.restLater() : this.open()));
    addEventListener('pagehide', () => this.close());
    addEventListener('pageshow', ({ persisted }) => persisted && this.open());
  }

  open() {
    clearTimeout(this.resting);
    if (this.source || document.hidden) return;
    clearTimeout(this.retrying);
    this.source = new EventSource(this.lastId ? `${this.address}?after=${this.lastId}` : this.address);
    for (const name of NAMES) this.source.addEventListener(name, (event) => this.heard(name, event));
    this.source.addEventListener('error', () => this.failed());
  }

  close() {
    clearTimeout(this.retrying);
    this.source?.close();
    this.source = null;
  }

  restLater() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.close(), UNSEEN_MS);
  }

  heard(name, { data, lastEventId }) {
    this.lastId = lastEventId || this.lastId;
    if (name === 'hello') this.retryMs = FIRST_RETRY_MS;
    this.dispatchEvent(new CustomEvent(name, { detail: JSON.parse(data) }));
  }

  // A line that breaks is mended by the browser. One that is refused is tried again, ever more rarely.
  failed() {
    if (this.source?.readyState !== EventSource.CLOSED) return;
    this.close();
    this.retrying = setTimeout(() => this.open(), this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, LAST_RETRY_MS);
  }
}
