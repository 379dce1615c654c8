// A chart as a picture for slides: 1920 by 1080 with its title and a line of its source, light or dark.

import { plotly } from './charts.js';
import { withThemeOf } from './tokens.js';

const WIDTH = 960; // half the size of a slide: text of 12 px is 24 px on it
const HEIGHT = 540;
const ON_SLIDE = 2;
const MARGIN = 36;
const TITLE = { size: 22, top: 50, line: 28 };
const SOURCE = { size: 11, line: 15 };
const LEGEND = { size: 12, line: 18, swatch: 9, before: 6, apart: 16 };
const GAP = 14;
const FACE = "Inter, 'Helvetica Neue', Arial, sans-serif";
const SVG = 'http://www.w3.org/2000/svg';

export const themeNow = () => (getComputedStyle(document.documentElement).colorScheme.includes('light dark')
  ? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  : getComputedStyle(document.documentElement).colorScheme.includes('dark') ? 'dark' : 'light');

// The slide as the text of an SVG.
export async function slideSvg(chart, theme) {
  const words = wordsOf(chart.figure);
  const title = wrapped(words.title, TITLE.size, 600, 2);
  const source = wrapped(words.source, SOURCE.size, 400, 2);
  const legend = legendOf(chart.figure, TITLE.top + (title.length - 1) * TITLE.line + GAP);
  const { top } = legend;
  const foot = HEIGHT - MARGIN - (source.length - 1) * SOURCE.line;
  const named = { ground: 'var(--bg)', text: 'var(--text)', series: 'var(--text-2)', small: 'var(--text-3)' };
  const colours = withThemeOf({ ...named, marks: legend.marks.map(({ slot }) => `var(--${slot})`) }, theme);
  const size = { width: WIDTH - 2 * MARGIN, height: foot - SOURCE.size - GAP - top };
  const drawing = await drawn(chart, theme, size, colours.ground);
  const place = (svg) => Object.entries({ x: MARGIN, y: top, ...size }).forEach(([name, value]) => svg.setAttribute(name, value));
  place(drawing);
  const slide = make('svg', { xmlns: SVG, width: WIDTH * ON_SLIDE, height: HEIGHT * ON_SLIDE, viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
  slide.append(make('title', {}, words.title), make('rect', { width: WIDTH, height: HEIGHT, fill: colours.ground }));
  title.forEach((line, at) => slide.append(text(line, TITLE.top + at * TITLE.line, TITLE.size, colours.text, 600)));
  legend.marks.forEach((mark, at) => slide.append(...swatch(mark, colours.marks[at], colours.series)));
  slide.append(drawing);
  source.forEach((line, at) => slide.append(text(line, foot + at * SOURCE.line, SOURCE.size, colours.small, 400)));
  return new XMLSerializer().serializeToString(slide);
}

// The slide as a PNG of exactly its size.
export async function slidePng(chart, theme) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await slideSvg(chart, theme))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH * ON_SLIDE, height: HEIGHT * ON_SLIDE });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

// Copying must be asked for while the click is being answered: the picture may follow.
export const copyPicture = (chart, theme) =>
  navigator.clipboard.write([new ClipboardItem({ 'image/png': slidePng(chart, theme) })]);

async function drawn(chart, theme, size, ground) {
  const Plotly = await plotly();
  const { data, layout } = withThemeOf(chart.content.plot, theme);
  chart.details?.mark(data);
  const picture = { data, layout: { ...layout, ...size, autosize: false, paper_bgcolor: ground, plot_bgcolor: ground }, config: { plotlyServerURL: '' } };
  const address = await Plotly.toImage(picture, { format: 'svg', ...size });
  const markup = decodeURIComponent(address.slice(address.indexOf(',') + 1));
  return document.importNode(new DOMParser().parseFromString(markup, 'image/svg+xml').documentElement, true);
}

// The takeaway is the title; the source is the design, the subject of the chart and its caption.
function wordsOf(figure) {
  const of = (place) => figure.querySelector(place)?.textContent.replace(/\s+/g, ' ').trim() ?? '';
  const design = document.querySelector('h1')?.textContent.trim() ?? '';
  const named = [design, of('.eyebrow'), of('figcaption')].filter(Boolean).map((part) => part.replace(/\.$/, ''));
  return { title: of('.chart-says h3') || of('.eyebrow'), source: `${named.join('. ')}. Podwright, planning estimates.` };
}

// Names of the series with their colours, in lines above the drawing; it begins at `top`.
function legendOf(figure, top) {
  const places = figure.querySelectorAll('.chart-legend li, .chart-key tbody th');
  const said = [...places].map((place) => ({
    slot: [...(place.querySelector('.swatch')?.classList ?? [])].find((name) => name !== 'swatch'),
    words: place.textContent.replace(/\s+/g, ' ').trim(),
  })).filter(({ slot }) => slot);
  if (!said.length) return { marks: [], top };
  let x = MARGIN;
  let y = top + LEGEND.size;
  const marks = said.map(({ slot, words }) => {
    const before = LEGEND.swatch + LEGEND.before;
    const [shown] = wrapped(words, LEGEND.size, 400, 1, before);
    const wide = before + widest(shown, LEGEND.size, 400);
    if (x > MARGIN && x + wide > WIDTH - MARGIN) {
      x = MARGIN;
      y += LEGEND.line;
    }
    const mark = { slot, words: shown, x, y };
    x += wide + LEGEND.apart;
    return mark;
  });
  return { marks, top: y + GAP };
}

function swatch({ words, x, y }, fill, ink) {
  const { size, swatch: side, before } = LEGEND;
  return [
    make('rect', { x, y: y - side, width: side, height: side, rx: 2, fill }),
    text(words, y, size, ink, 400, x + side + before),
  ];
}

// The faces of the page are not known inside a picture: the widest that may take their place counts.
function widest(line, size, weight) {
  const pen = document.createElement('canvas').getContext('2d');
  return Math.max(...[FACE, 'Arial, sans-serif', 'system-ui, sans-serif'].map((face) => {
    pen.font = `${weight} ${size}px ${face}`;
    return pen.measureText(line).width;
  }));
}

// Words in at most so many lines, the rest cut; `before` is room that a line does not have.
function wrapped(words, size, weight, most, before = 0) {
  const fits = (line) => widest(line, size, weight) <= WIDTH - 2 * MARGIN - before;
  const lines = [''];
  for (const word of words.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (fits(longer) || !lines.at(-1)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length <= most) return lines;
  let last = lines[most - 1];
  while (last && !fits(`${last}…`)) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last}…`];
}

function text(words, y, size, fill, weight, x = MARGIN) {
  return make('text', { x, y, 'font-size': size, 'font-weight': weight, 'font-family': FACE, fill }, words);
}

function make(name, attributes, words) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (key !== 'xmlns') found.setAttribute(key, value);
  if (words) found.textContent = words;
  return found;
}
