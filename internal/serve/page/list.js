import { $, element, say } from "./text.js";

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

$("find").addEventListener("input", show);
document.addEventListener("visibilitychange", () => { if (!document.hidden) load(); });
setInterval(() => { if (!document.hidden) load(); }, 10000);
load();
