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

// The address of a scenario; without a query where it is as it started.
export async function addressOf(store, changed, extra = {}) {
  const address = new URL(location.pathname, location.href);
  if (changed) address.searchParams.set('s', await encoded(store.values));
  for (const [name, value] of Object.entries(extra)) address.searchParams.set(name, value);
  return address;
}
