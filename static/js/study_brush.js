// Narrowing the candidates of a study: one range a figure, set by number boxes, by a rectangle drawn in the scatter, or
// along an axis of the parallel coordinates. All three show the same ranges, and the table keeps what lies within.

const SVG = 'http://www.w3.org/2000/svg';
const SCATTER_HEIGHT = 320;
const PARALLEL_HEIGHT = 260;
const LEAST_DRAG = 6; // px; less is a click, which takes the range away
const MARK = 4;

const made = (name, attributes, text) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

const words = (value) => Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 6 });

export class Brushes {
  // `place` holds the boxes in `.study-brushes`, the charts and the table of the board.
  constructor(place) {
    this.form = place.querySelector('.study-brushes');
    this.figures = [...this.form.querySelectorAll('[data-brush]')].map((row) => ({
      row,
      at: Number(row.dataset.brush),
      label: row.dataset.label,
      unit: row.dataset.unit,
      factor: Number(row.dataset.factor),
      low: Number(row.dataset.low) / Number(row.dataset.factor),
      high: Number(row.dataset.high) / Number(row.dataset.factor),
      boxes: [...row.querySelectorAll('input')],
      range: [-Infinity, Infinity],
    }));
    this.rows = [...place.querySelectorAll('.study-ranked [data-values]')].map((row) => ({
      row,
      key: row.dataset.key,
      name: row.dataset.name,
      slot: row.dataset.slot,
      first: row.classList.contains('selected'),
      values: row.dataset.values.split(' ').map(Number),
    }));
    this.count = place.querySelector('#brushed');
    this.all = place.querySelector('#brush-all');
    this.none = place.querySelector('#brush-none');
    this.trade = place.querySelector('#figure-study_trade_off .plot');
    this.scatter = place.querySelector('#brush-scatter');
    this.parallel = place.querySelector('#brush-parallel');
    this.axes = [...place.querySelectorAll('.brush-axes select')];
    for (const figure of this.figures) for (const box of figure.boxes) box.addEventListener('input', () => this.typed(figure));
    for (const select of this.axes) select.addEventListener('change', () => this.draw());
    this.all.addEventListener('click', () => this.showAll());
    this.form.addEventListener('submit', (event) => event.preventDefault());
    this.drags(this.scatter, () => [this.of(this.axes[0]), this.of(this.axes[1])]);
    this.drags(this.parallel, (x) => [null, this.nearest(x)]);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.scatter);
    this.narrow();
  }

  of(select) {
    return this.figures.find((figure) => figure.at === Number(select.value));
  }

  value(one, figure) {
    return one.values[figure.at] / figure.factor;
  }

  typed(figure) {
    const ends = figure.boxes.map((box, end) => {
      const text = box.value.trim().replaceAll(',', '');
      const number = text ? Number(text) : end ? Infinity : -Infinity;
      if (Number.isNaN(number)) box.setAttribute('aria-invalid', 'true');
      else box.removeAttribute('aria-invalid');
      return number;
    });
    const fault = figure.row.querySelector('.field-error');
    fault.textContent = ends.some(Number.isNaN) ? `${figure.label}: enter a number, or nothing for any.` : ends[0] > ends[1] ? `${figure.label}: the least is above the most.` : '';
    fault.hidden = !fault.textContent;
    if (!fault.hidden) return;
    figure.range = ends;
    this.narrow();
  }

  set(figure, range) {
    figure.range = range;
    figure.boxes.forEach((box, end) => {
      box.value = Number.isFinite(range[end]) ? String(Number(range[end].toPrecision(4))) : '';
      box.removeAttribute('aria-invalid');
    });
    figure.row.querySelector('.field-error').hidden = true;
  }

  showAll() {
    for (const figure of this.figures) this.set(figure, [-Infinity, Infinity]);
    this.narrow();
    this.figures[0].boxes[0].focus();
  }

  // A figure that is unknown lies within no range.
  keeps(one) {
    return this.figures.every((figure) => {
      const [low, high] = figure.range;
      if (low === -Infinity && high === Infinity) return true;
      const value = this.value(one, figure);
      return value >= low - Math.abs(low) * 1e-9 && value <= high + Math.abs(high) * 1e-9;
    });
  }

  narrow() {
    const inside = new Set();
    for (const one of this.rows) {
      one.keeps = this.keeps(one);
      one.row.hidden = !one.keeps;
      if (one.keeps) inside.add(one.key);
    }
    this.count.textContent = inside.size;
    this.all.hidden = this.figures.every(({ range }) => range[0] === -Infinity && range[1] === Infinity);
    this.none.hidden = inside.size > 0;
    this.draw();
    if (this.trade?.data && globalThis.Plotly) {
      this.trade.data.forEach((trace, index) => {
        if (trace.meta === 'study-point') globalThis.Plotly.restyle(this.trade, { 'marker.opacity': [trace.customdata.map(([, , , , key]) => (inside.has(key) ? 1 : 0.12))] }, [index]);
      });
    }
  }

  draw() {
    if (!this.scatter.clientWidth) return;
    this.drawScatter();
    this.drawParallel();
  }

  // Pixels of a figure on an axis of an element, and back.
  scale(figure, from, to) {
    const span = figure.high - figure.low || Math.abs(figure.high) || 1;
    return { at: (value) => from + ((value - figure.low) / span) * (to - from), back: (pixel) => figure.low + ((pixel - from) / (to - from)) * span };
  }

  drawScatter() {
    const [x, y] = [this.of(this.axes[0]), this.of(this.axes[1])];
    const width = this.scatter.clientWidth;
    const svg = made('svg', { width, height: SCATTER_HEIGHT, role: 'img', 'aria-label': `${y.label} against ${x.label} of ${this.rows.length} candidates; their figures are in the table below` });
    const frame = { left: 14, right: width - 14, top: 30, bottom: SCATTER_HEIGHT - 40 };
    const across = this.scale(x, frame.left + 8, frame.right - 8);
    const up = this.scale(y, frame.bottom - 8, frame.top + 8);
    this.places = { scatter: [across, up] };
    svg.append(made('path', { class: 'brush-axis', d: `M${frame.left} ${frame.top}V${frame.bottom}H${frame.right}` }));
    svg.append(made('text', { x: frame.left, y: 20 }, `${y.label}, ${words(y.low)} to ${words(y.high)} ${y.unit}`));
    svg.append(made('text', { x: frame.right, y: SCATTER_HEIGHT - 10, 'text-anchor': 'end' }, `${x.label}, ${words(x.low)} to ${words(x.high)} ${x.unit}`));
    const box = this.box(x, y, across, up, frame);
    if (box) svg.append(made('rect', { class: 'brush-range', ...box }));
    for (const one of this.rows) {
      const [a, b] = [this.value(one, x), this.value(one, y)];
      if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
      const dot = made('circle', { cx: across.at(a), cy: up.at(b), r: one.first ? MARK + 2 : MARK, class: `brush-mark ${one.slot}${one.keeps ? '' : ' is-out'}` });
      dot.append(made('title', {}, `${one.name}: ${words(a)} ${x.unit}, ${words(b)} ${y.unit}`));
      svg.append(dot);
    }
    this.scatter.replaceChildren(svg);
  }

  box(x, y, across, up, frame) {
    const ends = (figure, scale, low, high) => {
      if (figure.range.every((end) => !Number.isFinite(end))) return null;
      const found = figure.range.map((end, place) => (Number.isFinite(end) ? scale.at(end) : [low, high][place]));
      return [Math.max(Math.min(...found), Math.min(low, high)), Math.min(Math.max(...found), Math.max(low, high))];
    };
    const [h, v] = [ends(x, across, frame.left, frame.right), ends(y, up, frame.bottom, frame.top)];
    if (!h && !v) return null;
    const [left, right] = h ?? [frame.left, frame.right];
    const [top, bottom] = v ?? [frame.top, frame.bottom];
    return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
  }

  drawParallel() {
    const width = this.parallel.clientWidth;
    const svg = made('svg', { width, height: PARALLEL_HEIGHT, role: 'img', 'aria-label': `${this.figures.map(({ label }) => label).join(', ')} of ${this.rows.length} candidates on axes side by side; their figures are in the table below` });
    const [top, bottom] = [46, PARALLEL_HEIGHT - 26];
    const room = Math.min(64, width / 8);
    const step = this.figures.length > 1 ? (width - 2 * room) / (this.figures.length - 1) : 0;
    this.columns = this.figures.map((figure, place) => ({ figure, x: room + place * step, scale: this.scale(figure, bottom, top) }));
    for (const one of [...this.rows].sort((a, b) => a.keeps - b.keeps || a.first - b.first)) {
      let path = '';
      let pen = 'M';
      for (const { figure, x, scale } of this.columns) {
        const value = this.value(one, figure);
        if (Number.isFinite(value)) path += `${pen}${x.toFixed(1)} ${scale.at(value).toFixed(1)}`;
        pen = Number.isFinite(value) ? 'L' : 'M';
      }
      const line = made('path', { d: path || 'M0 0', class: `brush-line ${one.slot}${one.keeps ? '' : ' is-out'}${one.first ? ' is-first' : ''}` });
      line.append(made('title', {}, one.name));
      svg.append(line);
    }
    for (const { figure, x, scale } of this.columns) {
      svg.append(made('path', { class: 'brush-axis', d: `M${x} ${top}V${bottom}` }));
      if (figure.range.some(Number.isFinite)) {
        const [low, high] = figure.range.map((end, place) => (Number.isFinite(end) ? scale.at(end) : [bottom, top][place]));
        const [a, b] = [Math.max(top, Math.min(high, low)), Math.min(bottom, Math.max(high, low))];
        svg.append(made('rect', { class: 'brush-range', x: x - 7, y: a, width: 14, height: Math.max(2, b - a) }));
      }
      svg.append(made('text', { x, y: 14, 'text-anchor': 'middle', class: 'brush-name' }, width < 480 ? figure.label.split(' ')[0] : figure.label));
      svg.append(made('text', { x, y: 34, 'text-anchor': 'middle' }, `${words(figure.high)} ${width < 480 ? '' : figure.unit}`.trim()));
      svg.append(made('text', { x, y: PARALLEL_HEIGHT - 8, 'text-anchor': 'middle' }, words(figure.low)));
    }
    this.parallel.replaceChildren(svg);
  }

  nearest(x) {
    return this.columns.reduce((best, one) => (Math.abs(one.x - x) < Math.abs(best.x - x) ? one : best)).figure;
  }

  // A drag sets the ranges of the figures across and up, a click takes them away.
  drags(element, figuresAt) {
    let start;
    const place = (event) => {
      const box = element.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    element.addEventListener('pointerdown', (event) => {
      if (event.button) return;
      start = place(event);
      start.figures = figuresAt(start[0]);
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      if (!start) return;
      const end = place(event);
      if (Math.hypot(end[0] - start[0], end[1] - start[1]) >= LEAST_DRAG) this.drag(start, end);
    });
    element.addEventListener('pointerup', (event) => {
      if (!start) return;
      const end = place(event);
      if (Math.hypot(end[0] - start[0], end[1] - start[1]) < LEAST_DRAG) {
        for (const figure of start.figures) if (figure) this.set(figure, [-Infinity, Infinity]);
        this.narrow();
      }
      start = null;
    });
    element.addEventListener('pointercancel', () => (start = null));
  }

  drag(start, end) {
    const [x, y] = start.figures;
    const up = x ? this.places.scatter[1] : this.columns.find(({ figure }) => figure === y).scale;
    const between = (scale, axis) => [scale.back(start[axis]), scale.back(end[axis])].sort((a, b) => a - b);
    if (x) this.set(x, between(this.places.scatter[0], 0));
    if (y !== x) this.set(y, between(up, 1));
    this.narrow();
  }
}
