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

// Letters of a scenario in an address that programs still pass on whole.
export const LONGEST_STATE = 8000;

// The address of a scenario; without a query where it is as it started, or too large: `whole` is then false.
export async function addressOf(store, changed, extra = {}) {
  const address = new URL(`/designs/${store.key}`, location.href);
  const state = changed ? await encoded(store.values) : '';
  address.whole = state.length <= LONGEST_STATE;
  address.size = state.length;
  if (changed && address.whole) address.searchParams.set('s', state);
  for (const [name, value] of Object.entries(extra)) address.searchParams.set(name, value);
  return address;
}
