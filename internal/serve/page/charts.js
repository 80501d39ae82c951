// Curves and marks, drawn by uPlot.
import { color, clock, element, shown } from "./text.js";
import { fate } from "./lanes.js";

const kinds = ["below", "observed", "late", "infeasible", "without"];
const names = { below: "lower fidelity", observed: "value", late: "late value", infeasible: "infeasible", without: "no value" };
const inkOf = { below: "below", observed: "value", late: "late", infeasible: "odd", without: "bad" };

// Chart is a plot of uPlot that is made again where its look changes, and otherwise gets new data.
export class Chart {
  constructor(host, height, label) {
    this.host = host;
    this.height = height;
    host.setAttribute("role", "img");
    host.setAttribute("aria-label", label);
    new ResizeObserver(() => {
      if (this.plot && this.host.clientWidth !== this.plot.width && this.host.clientWidth > 0) this.plot.setSize({ width: this.host.clientWidth, height: this.height });
    }).observe(host);
  }

  // draw shows data; make returns the options, and is asked again where key changed.
  draw(key, make, data) {
    if (this.plot && this.key === key) {
      this.plot.setData(data);
      return;
    }
    this.plot?.destroy();
    this.key = key;
    const options = make();
    options.width = this.host.clientWidth || 300;
    options.height = this.height;
    options.cursor = { drag: { x: false, y: false }, ...options.cursor };
    this.plot = new uPlot(options, data, this.host);
  }

  clear() {
    this.plot?.destroy();
    this.plot = this.key = undefined;
  }
}

const axis = extra => ({ stroke: color("muted"), grid: { stroke: color("line"), width: 1 }, ticks: { show: false }, font: "11.5px system-ui, sans-serif", gap: 4, ...extra });
const valueAxis = chart => axis({ size: 58, space: 36, values: (u, at) => at.map(v => short(v) + (chart.power && v ? "e" + chart.power : "")) });

// scale sets the axis of values of a chart. They are drawn in a unit, a power of ten where they are huge, so that no sum or difference of
// two of them overflows.
function scale(chart, low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  chart.power = size > 1e100 ? Math.floor(Math.log10(size)) : 0;
  chart.unit = Number("1e" + chart.power);
  chart.range = [low / chart.unit, high / chart.unit];
}

function short(v) {
  const size = Math.abs(v);
  return size >= 1e5 || size > 0 && size < 1e-3 ? v.toExponential(2).replace(/\.?0+e/, "e").replace("e+", "e") : String(Number(v.toPrecision(5)));
}

const marks = kind => ({
  label: names[kind], stroke: color(inkOf[kind]), paths: () => null, width: 0,
  points: { show: true, size: kind === "without" ? 4 : 5.5, width: 1.5, stroke: color(inkOf[kind]), fill: kind === "observed" || kind === "without" ? color(inkOf[kind]) : color("paper") },
});

// heightOf is where a value is drawn, in the unit of the chart: at the edge of the worse side where there is none or where it is beyond the axis.
function heightOf(e, chart, minimize) {
  const [low, high] = chart.range, pad = 0.02 * (high - low);
  if (e.value === undefined) return minimize ? high - pad : low + pad;
  const v = e.value / chart.unit;
  if (v > high) return high - pad;
  return v < low ? low + pad : v;
}

// places puts marks into the columns that uPlot wants: x ascending, and a column for each kind.
function places(all) {
  all.sort((a, b) => a.x - b.x);
  const data = [new Array(all.length), ...kinds.map(() => new Array(all.length).fill(null))];
  all.forEach((m, i) => {
    data[0][i] = m.x;
    const k = kinds.indexOf(m.kind);
    if (k >= 0) data[k + 1][i] = m.y;
  });
  return data;
}

// progress shows every value over time, and the best so far.
export function progress(chart, p, evaluations) {
  const t = clock(p.standing.elapsed_s), all = [];
  scale(chart, p.values.low, p.values.high);
  for (const e of evaluations) {
    if (e.ended_s !== undefined && fate(e) !== "given") all.push({ x: e.ended_s / t.length, kind: fate(e), y: heightOf(e, chart, p.study.minimize) });
  }
  for (const s of p.incumbents) all.push({ x: s.at_s / t.length, best: s.value / chart.unit });
  all.push({ x: p.standing.elapsed_s / t.length });
  const data = places(all), best = new Array(all.length).fill(null);
  let now = null;
  all.forEach((m, i) => { best[i] = now = m.best ?? now; });
  data.push(best);
  chart.draw(t.unit + theme(), () => ({
    scales: { x: { time: false, range: (u, a, b) => [0, Math.max(b, 1e-6)] }, y: { range: () => chart.range } },
    legend: { show: false },
    axes: [axis({ size: 30, label: "time since the study began, " + t.unit, labelSize: 18, labelFont: "12px system-ui, sans-serif" }), valueAxis(chart)],
    series: [{}, ...kinds.map(marks), { label: "best so far", stroke: color("best"), width: 2, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }],
  }), data);
}

const theme = () => matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

// aside lets evaluations with the same one of a few values lie beside each other.
const aside = (q, e, i) => e.u[i] + (q.apart ? 0.05 * ((e.n * 1.618033988749895) % 1 - 0.5) : 0);

const ticksOf = q => axis({ size: 34, splits: () => q.ticks.map(t => t.at), values: (u, at) => labels(q.ticks, u.width), filter: (u, at) => at });

// labels leaves out names that would lie over each other, and shortens long ones.
function labels(ticks, width) {
  const room = (width - 80) / Math.max(ticks.length, 1), fits = Math.max(Math.floor((room - 6) / 7), 3);
  const every = fits < 5 ? Math.ceil(36 / room) : 1;
  return ticks.map((t, i) => {
    const label = shown(t.label);
    return i % every ? "" : label.length > fits * every ? label.slice(0, Math.max(fits * every - 1, 1)) + "…" : label;
  });
}

// against shows every value over parameter i.
export function against(chart, p, i, evaluations) {
  const q = p.parameters[i], all = [];
  scale(chart, p.values.low, p.values.high);
  for (const e of evaluations) {
    const kind = fate(e);
    if (e.u[i] !== null && kind !== "given" && kind !== "pending") all.push({ x: aside(q, e, i), kind, y: heightOf(e, chart, p.study.minimize) });
  }
  const data = places(all), star = new Array(all.length).fill(null);
  if (p.best && p.best.u[i] !== null) {
    const at = aside(q, p.best, i), k = all.findIndex(m => m.x === at);
    if (k >= 0) star[k] = heightOf(p.best, chart, p.study.minimize);
  }
  data.push(star);
  chart.draw(theme(), () => ({
    scales: { x: { time: false, range: () => [-0.03, 1.03] }, y: { range: () => chart.range } },
    legend: { show: false }, axes: [ticksOf(q), valueAxis(chart)],
    series: [{}, ...kinds.map(marks), { stroke: color("best"), paths: () => null, points: { show: true, size: 11, fill: color("best"), stroke: color("best") } }],
  }), data);
}

// slice shows what the model expects along a parameter, two standard deviations to either side.
export function slice(chart, p, s) {
  const q = p.parameters[s.parameter], words = q.kind === "categorical" || q.kind === "bool"; // between which there is nothing
  scale(chart, Math.min(...s.mean), Math.max(...s.mean, ...s.stddev));
  const by = k => s.mean.map((m, i) => m / chart.unit + k * (s.stddev[i] / chart.unit));
  const at = s.u.map(u => u === s.through && p.best ? p.best.value / chart.unit : null);
  chart.draw(theme(), () => ({
    scales: { x: { time: false, range: () => [-0.03, 1.03] } },
    legend: { show: false }, axes: [ticksOf(q), valueAxis(chart)],
    bands: [{ series: [2, 1], fill: color("band") }],
    series: [{}, { width: 0, points: { show: false } }, { width: 0, points: { show: false } },
      { stroke: color("value"), width: words ? 0 : 2, points: { show: words, size: 8, fill: color("value"), stroke: color("value") } },
      { stroke: color("best"), paths: () => null, points: { show: true, size: 11, fill: color("best"), stroke: color("best") } }],
  }), [s.u, by(-2), by(2), by(0), at]);
}

// off is by how many standard deviations a value came from its forecast; the difference of two huge numbers overflows.
const off = (v, f) => Number.isFinite(v - f.mean) ? (v - f.mean) / f.stddev : 2 * ((v / 2 - f.mean / 2) / f.stddev);

// errors shows by how many standard deviations each value came from its forecast.
export function errors(chart, evaluations) {
  const judged = evaluations.filter(e => e.forecast && e.forecast.central !== null && e.value !== undefined && e.forecast.mean !== null && e.forecast.stddev > 0);
  if (judged.length === 0) {
    chart.clear();
    return;
  }
  const z = judged.map(e => Math.max(-5, Math.min(5, off(e.value, e.forecast))));
  const pick = inside => judged.map((e, i) => e.forecast.central === inside ? z[i] : null);
  const flat = v => judged.map(() => v);
  chart.draw(theme(), () => ({
    scales: { x: { time: false }, y: { range: () => [-5.4, 5.4] } },
    legend: { show: false }, bands: [{ series: [2, 1], fill: color("band") }],
    axes: [axis({ size: 30, label: "number of the evaluation", labelSize: 18, labelFont: "12px system-ui, sans-serif" }), axis({ size: 58 })],
    series: [{}, { width: 0, points: { show: false } }, { width: 0, points: { show: false } }, ...["value", "bad"].map(ink => (
      { stroke: color(ink), paths: () => null, points: { show: true, size: 5, fill: color(ink), stroke: color(ink) } }))],
  }), [judged.map(e => e.n), flat(-1.28155), flat(1.28155), pick(true), pick(false)]);
}

// panel is a figure with a chart of its own in a grid.
export function panel(grid, title, height, label) {
  const host = element("div", { class: "chart" });
  grid.append(element("figure", {}, element("figcaption", {}, title), host));
  return new Chart(host, height, label);
}
