// The lines of JSON of an answer that comes in parts, each as it is there.

export async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const found = (rest + value).split('\n');
    rest = found.pop();
    for (const line of found) if (line) yield JSON.parse(line);
  }
}
