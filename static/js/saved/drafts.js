// Unsaved changes of one design, kept in this browser: they outlive reload, crash and closed tabs.
//
// A draft is {format, values, revision, version, at}: what was typed, and the saved revision it was typed
// into. One may be set aside beside it: what would otherwise be written over, until somebody asks for it.

const FORMAT = 1;
const DRAFT = 'podwright-draft:';
const ASIDE = 'podwright-aside:';

export class Drafts {
  constructor(key) {
    this.key = key;
  }

  read() {
    return readAt(DRAFT + this.key);
  }

  // False where the browser keeps nothing: storage is full, or forbidden.
  write(draft) {
    return writeAt(DRAFT + this.key, { ...draft, format: FORMAT, at: draft.at ?? Date.now() });
  }

  remove() {
    removeAt(DRAFT + this.key);
  }

  aside() {
    return readAt(ASIDE + this.key);
  }

  setAside(draft = this.read()) {
    if (draft) writeAt(ASIDE + this.key, { ...draft, format: FORMAT, at: draft.at ?? Date.now() });
  }

  removeAside() {
    removeAt(ASIDE + this.key);
  }
}

// Keys of designs with a draft, and when it was written.
export function allDrafts() {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(DRAFT))
      .map((name) => ({ key: name.slice(DRAFT.length), at: readAt(name)?.at }))
      .filter(({ at }) => at);
  } catch {
    return [];
  }
}

function readAt(name) {
  try {
    const draft = JSON.parse(localStorage.getItem(name));
    const known = draft?.format === FORMAT && draft.values && typeof draft.values === 'object';
    return known ? draft : null;
  } catch {
    return null; // forbidden, or written by something else
  }
}

function writeAt(name, draft) {
  try {
    localStorage.setItem(name, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

function removeAt(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // storage is forbidden: there is nothing to remove
  }
}
