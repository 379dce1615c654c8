// The scenario in the address of the page: "1." and deflated JSON in base64.

async function deflated(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function encoded(values) {
  const bytes = await deflated(JSON.stringify(values));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `1.${btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')}`;
}

// The scenario of an address.
export async function decoded(state) {
  const packed = atob(state.replace(/^1\./, '').replace(/-/g, '+').replace(/_/g, '/'));
  const stream = new Blob([Uint8Array.from(packed, (letter) => letter.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}

// Letters of a scenario in an address that programs still pass on whole.
export const LONGEST_STATE = 8000;

// The address of a place of the workspace, as app/surfaces/pages/workspace.py has it.
export function pathOf(place, key) {
  const [room, page] = place.split('/');
  if (page) return `/${room}/${key}/${page}`;
  return room === 'overview' ? `/designs/${key}` : `/designs/${key}/${room}`;
}

// The place of an address, null where it is none of this design.
export function placeOf(path, key) {
  const [, room, of, page = 'overview'] = path.split('/');
  if (of !== key) return null;
  return room === 'designs' ? page : `${room}/${page}`;
}

// The address of a scenario at the place that is open; without a state where it is as it started, or too large: `whole`
// is then false.
export async function addressOf(store, changed, extra = {}) {
  const { place, query = '' } = document.getElementById('studio').dataset;
  const address = new URL(pathOf(place, store.key), location.href);
  address.search = query;
  const state = changed ? await encoded(store.values) : '';
  address.whole = state.length <= LONGEST_STATE;
  address.size = state.length;
  if (changed && address.whole) address.searchParams.set('s', state);
  for (const [name, value] of Object.entries(extra)) address.searchParams.set(name, value);
  return address;
}
