// Texts and numbers for people. Text enters the page as textContent alone, and as shown.

export const $ = id => document.getElementById(id);

// shown is a text in which nothing turns the letters around it: the characters that would do so are written as what they are.
export const shown = text => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, c => "\\u" + c.charCodeAt(0).toString(16));

// element makes an element with texts or elements in it.
export function element(name, attributes = {}, ...inside) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) {
    if (v !== undefined && v !== null) e.setAttribute(k, v);
  }
  for (const child of inside) e.append(typeof child === "string" ? shown(child) : child);
  return e;
}

// put sets a text where it changed.
export function put(id, text) {
  const e = typeof id === "string" ? $(id) : id, now = shown(text);
  if (e.textContent !== now) e.textContent = now;
}

// rows sets the cells of a table; each row is a list of texts or elements, and those that did not change stay as they are.
export function rows(body, all, classes = []) {
  while (body.rows.length > all.length) body.deleteRow(-1);
  all.forEach((cells, i) => {
    const row = body.rows[i] || body.insertRow();
    cells.forEach((cell, j) => {
      const td = row.cells[j] || row.insertCell();
      if (classes[j] && !td.className) td.className = classes[j];
      if (cell instanceof Node) {
        if (td.firstChild !== cell) td.replaceChildren(cell);
      } else {
        put(td, cell);
      }
    });
  });
}

// number is v with six digits, and an exponent where that leaves out some before the point: no zero takes their place.
export function number(v) {
  if (v === null || v === undefined) return "";
  if (Number.isInteger(v) && Math.abs(v) < 1e15) return String(v);
  const [digits, exponent] = v.toPrecision(6).split("e");
  return String(Number(digits)) + (exponent ? "e" + exponent.replace(/^([+-])(\d)$/, "$10$2") : "");
}

// foretold is a forecast; what of it is null is beyond all numbers.
export function foretold(f) {
  if (!f || f.mean === null) return f ? "beyond all numbers" : "";
  return number(f.mean) + " ± " + (f.stddev === null ? "more than all numbers" : Number(f.stddev.toPrecision(2)));
}

export function lasting(s) {
  if (s >= 2 * 86400) return (s / 86400).toFixed(1) + " days";
  if (s >= 2 * 3600) return (s / 3600).toFixed(1) + " h";
  if (s >= 120) return (s / 60).toFixed(1) + " min";
  if (s >= 1) return Number(s.toPrecision(3)) + " s";
  return Number((s * 1000).toPrecision(3)) + " ms";
}

export const plural = (n, one) => n === 1 ? "1 " + one : n + " " + one + "s";

// clock is a unit for times up to so many seconds.
export function clock(seconds) {
  for (const [unit, length] of [["days", 86400], ["h", 3600], ["min", 60]]) {
    if (seconds >= 3 * length) return { unit, length };
  }
  return { unit: "s", length: 1 };
}

// say shows a message; nothing hides it.
export function say(text, good = false) {
  const m = $("message");
  m.hidden = !text;
  m.classList.toggle("good", good);
  put(m, text || "");
}

// color is a variable of the style sheet.
export const color = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
