// What is shown, for elsewhere: as a call of the API, as Python, and as a table of Markdown.

// Places of the workspace whose view has another name in the API.
const VIEWS = {
  'economics/cash': 'economics/cash_flow',
  'economics/rent': 'economics/own_or_rent',
  'economics/time': 'economics/cost_against_time',
  'fabric/topology': 'fabric/picture',
};
const OF_TWO = ['economics/difference']; // it needs a second design, so its figures are the evaluation's

// The address of what answers a place, and the body that asks it.
export function requestOf(place, values) {
  const isView = place.includes('/') && !OF_TWO.includes(place);
  if (!isView) return { path: '/api/v1/evaluations', body: values };
  return { path: `/api/v1/${VIEWS[place] ?? place}`, body: { scenario: values } };
}

export function curlOf(place, values) {
  const { path, body } = requestOf(place, values);
  return curlText(path, JSON.stringify(body, null, 2));
}

export function pythonOf(place, values) {
  const { path, body } = requestOf(place, values);
  return pythonText(path, JSON.stringify(body));
}

// A call without a body asks by its address alone.
export function curlText(path, body, kind = 'application/json') {
  if (!body) return `curl -s '${location.origin}${path}'`;
  const text = body.replaceAll("'", "'\\''");
  const option = kind === 'application/json' ? '--data' : '--data-binary';
  return `curl -s ${location.origin}${path} -H 'content-type: ${kind}' ${option} '${text}'`;
}

export function pythonText(path, body, kind = 'application/json') {
  const text = JSON.stringify(body).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const address = `${location.origin}${path}`;
  const asked = body
    ? [`body = ${text}`, `request = Request("${address}", body.encode(), {"content-type": "${kind}"})`]
    : [`request = Request("${address}")`];
  return [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    ...asked,
    'with urlopen(request) as answer:',
    '    found = json.load(answer)',
    'print(json.dumps(found, indent=2))',
    '',
  ].join('\n');
}

// Every table of the section that is open, those of its charts too; the key figures where it has none.
export function markdownOf(studio) {
  const parts = [...studio.querySelectorAll('.results table.data')].filter((one) => one.rows.length).map(tableText);
  const keys = [...studio.querySelectorAll('.key-figures li')].map((one) => [line(one.querySelector('.key-label')?.firstChild), line(one.querySelector('.key-value'))]);
  const head = markdown([['Figure', 'Value'], ...keys], [1]);
  return [`# ${line(document.querySelector('h1'))}`, head, ...parts].join('\n\n') + '\n';
}

// Every table of a page, below its name.
export function tablesText(place) {
  const tables = [...place.querySelectorAll('table.data')].filter((one) => one.rows.length).map(tableText);
  return [`# ${line(place.querySelector('h1'))}`, ...tables].join('\n\n') + '\n';
}

function tableText(table) {
  const rows = [...table.rows].map((row) => [...row.cells].map(line));
  const numeric = [...table.rows].at(-1).cells;
  const right = [...numeric].flatMap((cell, at) => (cell.classList.contains('numeric') ? [at] : []));
  if (!table.tHead) rows.unshift(rows[0].map((_, at) => (at ? '' : line(table.caption))));
  const title = table.closest('figure')?.querySelector('.chart-says h3') ?? (table.tHead ? table.caption : null);
  return `${title ? `**${line(title)}**\n\n` : ''}${markdown(rows, right)}`;
}

function markdown([head, ...rows], right) {
  const ruled = head.map((_, at) => (right.includes(at) ? '---:' : '---'));
  return [head, ruled, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

// The text of a node in one line; a unit below the name of a column is put in brackets.
function line(node) {
  const unit = node?.nodeName === 'TH' && node.querySelector('.unit');
  const words = unit ? `${node.textContent.slice(0, -unit.textContent.length)} (${unit.textContent})` : node?.textContent ?? '';
  return words.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}
