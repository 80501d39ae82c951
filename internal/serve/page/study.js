import { $, element, put, rows, shown, number, foretold, lasting, plural, say } from "./text.js";
import { lanes } from "./lanes.js";
import { Chart, progress, against, slice, errors, panel } from "./charts.js";
import { News } from "./news.js";

const name = decodeURIComponent(location.pathname.split("/").pop());
const base = "/v1/studies/" + encodeURIComponent(name);
const evaluations = new Map(); // those that are drawn, by number
const charts = { progress: new Chart($("progress"), 300, "Best value over time"), errors: new Chart($("errors"), 220, "Values against their forecasts"), against: [], slices: new Map() };
let may = new Set(); // what is open to who looks, as methods with paths
let p, sorted = [], news, received = 0, gone = false, sliced = 0, drawn = 0;

const measured = window.tarryTimes = { updates: [] }; // for who measures the page

// fetched is the body of an answer, or an error with what it says.
async function fetched(path, options) {
  const answer = await fetch(path, options);
  const body = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(body.detail || answer.statusText), { status: answer.status });
  return body;
}

// post does something with the study.
const post = (path, body) => fetched(base + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}) });

// can reports whether something may be done with the study by who looks.
const can = what => may.has("POST /v1/studies/{study}/" + what);

// admitted fetches what is open to who looks.
async function admitted() {
  may = new Set((await fetched(base + "/permissions")).may);
}

// spread is the rule by which the server chooses one of so many evaluations.
const spread = (n, stride) => (Math.imul(n, 2654435769) >>> 0) * stride < 2 ** 32;

// kept reports whether an evaluation is still one that is drawn.
const kept = (e, best) => spread(e.n, p.drawn.stride) || e.n > p.standing.evaluations - p.drawn.latest || e.status === "pending" || best.has(e.n);

// refresh fetches what changed.
async function refresh() {
  const since = p ? `?after=${p.standing.events}&stride=${p.drawn.stride}` : "";
  const next = await fetched(base + "/portrait" + since);
  const begun = performance.now();
  received = begun;
  if (!next.drawn.after) evaluations.clear();
  p = next;
  for (const e of next.evaluations) evaluations.set(e.n, e);
  const best = new Set(p.incumbents.map(s => s.n));
  for (const e of evaluations.values()) if (!kept(e, best)) evaluations.delete(e.n);
  sorted = [...evaluations.values()].sort((a, b) => a.n - b.n);
  show();
  const took = performance.now() - begun;
  measured.updates.push(took);
  if (measured.updates.length > 200) measured.updates.shift();
  measured.first ??= performance.now();
}

// now is the time of the study: that of the portrait, and what has passed since.
const now = () => p.standing.elapsed_s + (p.standing.ended || !p.standing.live && !p.standing.holder ? 0 : (performance.now() - received) / 1000);

function show() {
  document.title = shown((p.best ? number(p.best.value) + " – " : "") + p.study.name + " – tarry");
  head();
  found();
  progress(charts.progress, p, sorted);
  lanes($("lanes"), sorted, now());
  pending();
  tables();
  parameters();
  errors(charts.errors, sorted);
  about();
  fields();
}

function head() {
  const s = p.standing, study = p.study;
  put("name", study.name);
  put("lead", `${plural(p.parameters.length, "parameter")}, ${study.minimize ? "minimized" : "maximized"} by the policy ${study.policy}; ` +
    (study.budget_cost ? `cost ${number(s.cost)} of ${number(study.budget_cost)}` : `${s.spent} of ${study.budget < 1e6 ? plural(study.budget, "evaluation") : "as many evaluations as are asked"}`));
  const how = s.ended ? "ended: " + s.ended : s.paused ? "paused" : s.live ? "goes on" : s.holder ? "goes on elsewhere: " + s.holder + " is at it" : "rests";
  put("standing", `${how} · ${s.counts.map(c => c.n + " " + c.status).join(", ") + (s.foreign ? `; ${s.foreign} of them measured elsewhere` : "") || "nothing was asked yet"} · ${lasting(s.elapsed_s)} since it began`);
  const pause = $("pause");
  pause.hidden = !s.live || !!s.ended || !can(s.paused ? "resume" : "pause");
  put(pause, s.paused ? "Resume" : "Pause");
  $("report").href = base + "/report";
  $("csv").href = base + "/export?format=csv";
}

function found() {
  put("best", p.best ? number(p.best.value) : "no value yet");
  put("best-of", p.best ? `evaluation #${p.best.n}, ${lasting(p.best.ended_s ?? 0)} after the study began` : "");
  put("best-point", p.best ? p.best.point : "");
  put("drawn", p.drawn.words + (p.values.beyond ? `; ${plural(p.values.beyond, "value")} much worse than the others at the edge` : ""));
}

const cancels = new Map(); // buttons by number, so that the one that has the focus stays

function pending() {
  const all = sorted.filter(e => e.status === "pending").reverse(), shown = all.slice(0, 100), since = now() - p.standing.elapsed_s;
  const there = new Set(shown.map(e => e.n));
  $("pending-table").hidden = all.length === 0;
  $("pending-table").classList.toggle("unknown", all.every(e => e.chance === undefined && e.arrival_s === undefined));
  $("none-pending").hidden = all.length > 0;
  for (const n of cancels.keys()) if (!there.has(n)) cancels.delete(n);
  rows($("pending"), shown.map(e => [String(e.n), String(e.attempt), e.age_s === undefined ? "waits" : lasting(e.age_s + since),
    e.chance === undefined ? "" : (100 * e.chance).toFixed(0) + " %", e.arrival_s === undefined ? "" : lasting(Math.max(e.arrival_s - now(), 0)), e.point,
    p.standing.live && can("evaluations/{id}/cancel") ? cancel(e.n) : ""]), ["", "", "", "", "", "point"]);
}

function cancel(n) {
  if (!cancels.has(n)) {
    const b = element("button", { type: "button", "aria-label": "Cancel evaluation " + n }, "Cancel");
    b.addEventListener("click", () => act(b, () => post(`/evaluations/${n}/cancel`), `Evaluation ${n} is cancelled.`));
    cancels.set(n, b);
  }
  return cancels.get(n);
}

function tables() {
  $("k-below").hidden = $("k-below-bar").hidden = !p.fidelities?.length;
  $("failures-table").hidden = p.failures.length === 0;
  rows($("failures"), p.failures.map(f => [f.reason, String(f.n), "#" + f.latest]), ["words"]);
  put("counters", p.counters.map(c => `${c.words}: ${c.n}`).join(", ") || "None.");
  rows($("workers"), p.workers.map(w => [String(w.id), String(w.evaluations), w.running.map(n => "#" + n).join(", "), lasting(Math.max(now() - w.last_seen_s, 0)) + " ago"]));
  rows($("latest"), sorted.slice(-25).reverse().map(e => [String(e.n), e.status + (e.foreign ? ", elsewhere" : "") + (e.reason ? ": " + e.reason : ""), number(e.value),
    foretold(e.forecast), e.ended_s !== undefined && e.began_s !== undefined ? lasting(e.ended_s - e.began_s) : "", e.point]),
    ["", "words", "", "", "", "point"]);
  const c = p.coverage;
  put("coverage", c.judged ? `${(100 * c.central_share).toFixed(0)} % of ${plural(c.judged, "value")} came in the central 80 % of their forecasts` +
    (c.issued ? `; calibrated sets held ${(100 * c.held_share).toFixed(0)} % of ${c.issued}, want ${number(100 * c.target)} %` : "") + ". In standard deviations of the forecast:" : "No forecast was judged yet.");
  if (p.safety) put("counters", $("counters").textContent + ". Safety: " + p.safety);
}

const seen = new WeakSet(); // panels that are in sight
const watch = new IntersectionObserver(all => {
  for (const entry of all) {
    if (entry.isIntersecting) seen.add(entry.target); else seen.delete(entry.target);
  }
  if (p) parameters();
}, { rootMargin: "300px" });

// parameters draws the panels that are in sight, and their slices.
function parameters() {
  const most = Math.min(p.parameters.length, 24);
  for (let i = charts.against.length; i < most; i++) {
    const q = p.parameters[i];
    const chart = panel($("against"), q.name + (q.role === "action" ? "" : ` (${q.role})`) + (q.log ? ", logarithmic" : ""), 190, "Values over " + q.name);
    charts.against.push(chart);
    watch.observe(chart.host);
  }
  charts.against.forEach((chart, i) => { if (seen.has(chart.host)) against(chart, p, i, sorted); });
}

// slices fetches what the model expects, not more often than every ten seconds and where something came.
async function slices() {
  if (!p.best || sliced === p.standing.events || performance.now() - drawn < 10000 && drawn) return;
  drawn = performance.now();
  sliced = p.standing.events;
  const s = await fetched(base + "/slices");
  put("slices-words", s.why ? "Nothing: " + s.why + "." : `Along each parameter through evaluation #${s.n}, the best, all others held: the mean of the function, and two standard deviations to either side.`);
  for (const [i, chart] of charts.slices) {
    if (!s.parameters.some(one => one.parameter === i)) {
      chart.host.parentElement.remove();
      charts.slices.delete(i);
    }
  }
  for (const one of s.parameters) {
    if (!charts.slices.has(one.parameter)) charts.slices.set(one.parameter, panel($("slices"), p.parameters[one.parameter].name, 190, "What the model expects along " + p.parameters[one.parameter].name));
    slice(charts.slices.get(one.parameter), p, one);
  }
}

function about() {
  const s = p.study, all = [["policy", s.policy], ["seed", String(s.seed)], ["initial", String(s.initial)]];
  if (s.command) all.push(["command", s.command.join(" ")]);
  if (s.target !== undefined) all.push(["target", number(s.target)]);
  for (const c of p.constraints) all.push(["constraint", c.name + (c.at_most !== undefined ? " ≤ " + number(c.at_most) : " ≥ " + number(c.at_least))]);
  for (const q of p.parameters) all.push([q.name, `${q.kind}${q.role === "action" ? "" : ", " + q.role}: ${q.range}`]);
  for (const f of p.fidelities ?? []) all.push(["fidelity " + f.fidelity, `${plural(f.evaluations, "evaluation")} for ${number(f.cost)}`]);
  for (const o of s.options) all.push([o.name, o.text]);
  all.push(["begun", new Date(s.begun).toLocaleString()], ["program", `tarry ${s.tarry}, ${s.go}, ${s.arch}`], ["events", String(p.standing.events)]);
  const dl = $("about"), text = JSON.stringify(all);
  if (dl.dataset.text === text) return;
  dl.dataset.text = text;
  dl.replaceChildren(...all.flatMap(([term, what]) => [element("dt", {}, term), element("dd", {}, what)]));
}

// fields are those of the form, one for each parameter that a search moves.
async function fields() {
  $("enqueue").hidden = !p.standing.live || !!p.standing.ended || !can("enqueue");
  if ($("enqueue").hidden || $("fields").childElementCount) return;
  $("fields").append(element("p", { class: "muted small" }, "…"));
  const space = await fetched(base + "/space");
  $("fields").replaceChildren(...space.parameters.filter(q => q.role !== "context" && q.context !== true).map(q => {
    const words = q.choices ?? (q.type === "bool" ? ["false", "true"] : undefined);
    const field = words ? element("select", {}, element("option", { value: "" }, "open"), ...words.map(w => element("option", { value: w }, w)))
      : element("input", { inputmode: "decimal", placeholder: q.low !== undefined ? `${q.low} … ${q.high}` : "open" });
    field.name = q.name;
    field.dataset.type = q.type;
    return element("label", {}, q.name, field);
  }));
}

$("enqueue-form").addEventListener("submit", event => {
  event.preventDefault();
  const x = {};
  for (const field of $("fields").querySelectorAll("input,select")) {
    const text = field.value.trim();
    if (text === "") continue;
    x[field.name] = field.dataset.type === "categorical" ? text : field.dataset.type === "bool" ? text === "true" : Number.isNaN(Number(text)) ? text : Number(text);
  }
  act(event.submitter, () => post("/enqueue", { x }), "The next query is named.");
});

$("pause").addEventListener("click", event => {
  const rest = !p.standing.paused;
  act(event.currentTarget, () => post(rest ? "/pause" : "/resume"), rest ? "Paused: no query is given, answers are taken." : "The study goes on.");
});

// act does what a button says, and says what came of it.
async function act(button, what, done) {
  button.disabled = true;
  try {
    await what();
    say(done, true);
    await update();
  } catch (e) {
    say(e.message);
    if (e.status === 403) await admitted().catch(() => {}); // it was another's, or is no longer
    if (p) show();
  } finally {
    button.disabled = false;
  }
}

function happened(all) {
  $("events").replaceChildren(...all.slice(-60).reverse().map(e => element("li", {},
    `${lasting(e.at_s)} · ${e.kind}${e.evaluation ? " #" + e.evaluation : ""}${e.status ? ", " + e.status : ""}${e.value !== undefined ? " " + number(e.value) : ""}${e.fate === "taken" ? "" : " · " + e.fate}`)));
}

let wanted = false, busy = false;

// update brings the page up to date; while it does, what comes is one update more.
async function update() {
  wanted = true;
  if (busy || document.hidden || gone) return;
  busy = true;
  try {
    while (wanted && !gone) {
      wanted = false;
      if (!may.size) await admitted();
      await refresh();
      if (p.standing.live && !news) {
        measured.news = news = new News(name, p.standing.events, () => { wanted = true; later(); });
      }
      if (news) happened(news.events);
      await slices();
      if (failing) { failing = false; say(""); }
    }
  } catch (e) {
    failed(e);
  } finally {
    busy = false;
  }
}

let failing = false, timer;

// nothing says why there is no study to be shown, which is all that there is to say.
function nothing(why) {
  put("name", name);
  document.title = shown(name + " – tarry");
  for (const e of document.querySelectorAll("main, .actions, .skip, #standing, #lead")) e.hidden = true;
  say(why);
}

function failed(e) {
  failing = true;
  if (e.status === 404 || e.status === 410) {
    gone = true;
    news?.close();
    if (!p) return nothing(e.message[0].toUpperCase() + e.message.slice(1) + ".");
    $("pause").hidden = $("enqueue").hidden = true;
    for (const b of cancels.values()) b.disabled = true;
    say(`The study is not there any more: ${e.message}. What is shown is what there was.`);
    return;
  }
  say(e.status ? e.message : "The server does not answer; this page goes on when it does.");
}

// later lets events that come together be one update: twice a second at most.
function later() {
  timer ??= setTimeout(() => { timer = undefined; update(); }, 500);
}

// Ages grow also where nothing happens, and what has gone is noticed.
setInterval(() => { if (p && !document.hidden && !gone && !p.standing.ended) { lanes($("lanes"), sorted, now()); pending(); } }, 1000);
setInterval(update, 5000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) update(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawn = sliced = 0; if (p) { show(); slices(); } });
addEventListener("resize", () => { if (p) lanes($("lanes"), sorted, now()); });
addEventListener("pagehide", () => news?.close());
addEventListener("pageshow", e => { if (e.persisted) { news = undefined; update(); } });
update();
