import { $, element, rows, say } from "./text.js";

let names = [];

function show() {
  const part = $("find").value.trim().toLowerCase();
  const found = names.filter(n => n.toLowerCase().includes(part));
  const most = 500;
  $("studies").replaceChildren(...found.slice(0, most).map(name =>
    element("li", {}, element("a", { href: "/studies/" + encodeURIComponent(name) }, name))));
  if (names.length === 0) {
    say("No study yet. PUT /v1/studies/NAME begins one.", true);
  } else {
    say(found.length > most ? `${most} of ${found.length} studies are listed: find one by a part of its name.` : "", true);
  }
}

async function load() {
  try {
    const answer = await fetch("/v1/studies");
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail);
    names = body.studies.map(s => s.name).sort();
    show();
  } catch (e) {
    say("The server does not answer: " + e.message);
  }
}

// The workers are for who may see all studies; others see none.
async function crew() {
  try {
    const answer = await fetch("/v1/workers");
    if (!answer.ok) return;
    const body = await answer.json();
    const now = Date.parse(body.now);
    $("crew").hidden = body.workers.length === 0;
    rows($("workers"), body.workers.slice(0, 1000).map(w => [
      w.name, Math.max(0, (now - Date.parse(w.heard)) / 1000).toFixed(1) + " s ago", String(w.slots),
      Object.entries(w.running).map(([study, n]) => `${n} of ${study}`).join(", ") || "nothing",
      Object.entries(w.declined || {}).map(([study, why]) => `${study}: ${why}`).join("; "), w.labels.join(", "),
    ]), ["words", "", "", "words", "words", "words"]);
  } catch {
    // the list of studies says that the server does not answer
  }
}

function look() {
  if (document.hidden) return;
  load();
  crew();
}

$("find").addEventListener("input", show);
document.addEventListener("visibilitychange", look);
setInterval(look, 5000);
look();
