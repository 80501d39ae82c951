import { color, clock, lasting } from "./text.js";

export const most = 120; // lanes
const height = 8, left = 52, top = 5, foot = 20;

// fate is what became of an evaluation, as far as colors tell.
export function fate(e) {
  if (e.status === "infeasible") return "infeasible";
  if (e.value !== undefined && e.below) return "below";
  if (e.status === "late" || e.status === "observed") return e.status;
  if (e.status === "failed" || e.status === "timed out" || e.status === "lost") return "without";
  return e.status === "pending" ? "pending" : "given";
}

export const inks = () => ({ observed: color("value"), late: color("late"), infeasible: color("odd"), below: color("below"), without: color("bad"), pending: color("muted"), given: color("given") });

// lanes draws when each of the latest evaluations was under way, one a row, up to now.
export function lanes(canvas, evaluations, now) {
  const all = evaluations.filter(e => e.began_s !== undefined).slice(-most);
  const width = canvas.parentElement.clientWidth, high = top + all.length * height + foot;
  const ratio = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(high * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(high * ratio);
    canvas.style.height = high + "px";
  }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, high);
  if (all.length === 0) {
    canvas.setAttribute("aria-label", "No evaluation has been under way");
    return;
  }
  const from = all.reduce((least, e) => Math.min(least, e.began_s), all[0].began_s);
  const span = Math.max(now - from, 1e-3), wide = width - left - 8;
  const x = t => left + wide * (t - from) / span;
  const unit = clock(span), step = tidy(span / unit.length / Math.max(Math.floor(wide / 90), 1));
  c.font = "11.5px system-ui, sans-serif";
  c.fillStyle = color("muted");
  c.strokeStyle = color("line");
  c.textBaseline = "middle";
  c.beginPath();
  for (let k = 0; k * step * unit.length <= span; k++) {
    const at = x(from + k * step * unit.length);
    c.moveTo(at, 0);
    c.lineTo(at, high - foot);
    c.textAlign = k ? "center" : "left";
    if (at < width - 20) c.fillText(Number((k * step).toPrecision(6)) + (k ? "" : " " + unit.unit), at, high - foot / 2);
  }
  c.stroke();
  const ink = inks(), every = Math.ceil(16 / height);
  all.forEach((e, i) => {
    const y = top + i * height + height / 2;
    if (i % (every * 3) === 0) {
      c.fillStyle = color("muted");
      c.textAlign = "right";
      c.fillText("#" + e.n, left - 8, y + 1);
    }
    const end = e.ended_s ?? now;
    const long = Math.max(x(end) - x(e.began_s), 1.5);
    c.fillStyle = c.strokeStyle = ink[fate(e)];
    if (e.status === "pending") c.strokeRect(x(e.began_s), y - 2, long, 4); else c.fillRect(x(e.began_s), y - 2.5, long, 5);
  });
  const pending = all.filter(e => e.status === "pending").length;
  canvas.setAttribute("aria-label", `The latest ${all.length} evaluations over ${lasting(span)}, ${pending} of them pending`);
}

// tidy is the least of 1, 2, 5, 10, … that is as large.
function tidy(v) {
  const power = 10 ** Math.floor(Math.log10(v));
  return power * ([1, 2, 5].find(k => k * power >= v) || 10);
}
