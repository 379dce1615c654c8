// Taking the scenario elsewhere: link, YAML.

import { csrf } from '../csrf.js';
import { element } from './element.js';

export async function yamlOf(values) {
  return askYaml({ scenario: values });
}

// A scenario as YAML, or the scenario of a text; `errors` where it is refused.
export async function askYaml(body) {
  const answer = await fetch('/studio/yaml', {
    method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...csrf },
  });
  return answer.json();
}

export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = element('a', { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export async function withYaml(store, toast, use) {
  try {
    const { text, errors } = await yamlOf(store.values);
    if (errors) toast.say(`It is not a scenario yet: ${errors[0].path} ${errors[0].message}`);
    else await use(text);
  } catch {
    toast.say('The server does not answer; your entries are kept.');
  }
}
