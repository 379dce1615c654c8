// What shows that a request comes from a page of ours; empty where nobody signs in.

export const csrf = { 'x-csrf-token': document.querySelector('meta[name="csrf-token"]')?.content ?? '' };
