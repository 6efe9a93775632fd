/* What a report does in the browser: tables are sorted by their headings, and menus choose the
   metric, the dimension, and the topic, the systems and the reference whose texts are shown. What
   was chosen is in the address, so that a link leads to the same view. Nothing is fetched: all data
   are in the page, packed, and are unpacked when they are needed. */
(() => {
"use strict";

const byId = id => document.getElementById(id);
const data = JSON.parse(byId("report-data")?.textContent || "{}");

// ── packed blocks ──────────────────────────────────────────────────────

const unpacked = new Map();

/** The data of a block, by its id; unpacked once. */
function unpack(id) {
  if (!unpacked.has(id)) unpacked.set(id, inflate(byId(id).textContent));
  return unpacked.get(id);
}

async function inflate(text) {
  if (!("DecompressionStream" in window)) {
    throw new Error("This browser is too old to unpack the report (it has no DecompressionStream): "
      + "what is shown first can be read, the rest needs a newer one.");
  }
  const bytes = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// ── what is chosen ─────────────────────────────────────────────────────

const menus = new Map([...document.querySelectorAll("select[data-choice]")].map(one => [one.dataset.choice, one]));
let chosen = {};

function first() {
  return Object.fromEntries([...menus].map(([name, menu]) => [name, menu.dataset.first ?? menu.options[0]?.value ?? ""]));
}

/** What the address says, without what no menu offers. */
function fromAddress() {
  const asked = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
  const found = first();
  for (const [name, value] of asked) {
    const menu = menus.get(name);
    if (menu && (name === "reference" || [...menu.options].some(option => option.value === value))) found[name] = value;
  }
  return found;
}

function address(state) {
  const usual = first(), words = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value !== usual[name]) words.set(name, value);
  return words.toString();
}

async function choose(change, focus) {
  const before = chosen;
  chosen = { ...chosen, ...change };
  // A system does not stand beside itself.
  if (chosen.other === chosen.system && menus.has("other")) chosen.other = "";
  for (const option of menus.get("other")?.options ?? []) option.hidden = option.disabled = option.value === chosen.system;
  for (const [name, menu] of menus) if (name !== "reference") menu.value = chosen[name];
  const changed = name => before[name] !== chosen[name];
  try {
    if (changed("metric")) await showMetric();
    if (changed("dimension") || changed("judged")) await showJudges();
    if (["topic", "system", "other", "by", "reference"].some(changed)) await showTexts();
    if (["system", "by", "against"].some(changed)) await showDifferences();
  } catch (error) {
    tell(error);
  }
  const words = address(chosen);
  if (location.hash.slice(1) !== words && (words || location.hash.includes("="))) {
    history.replaceState(null, "", words ? `#${words}` : location.pathname);
  }
  if (focus) { const place = byId(focus); place.focus({ preventScroll: true }); place.scrollIntoView({ block: "start" }); }
}

function tell(error) {
  const box = byId("trouble");
  box.textContent = error.message;
  box.hidden = false;
}

// ── sections ───────────────────────────────────────────────────────────

/** Put HTML of our own making (every name in it is escaped) into a box. */
function fill(box, html) {
  box.innerHTML = html;
  makeSortable(box);
  watchWidths(box);
}

// What the page came with is kept, so that it need not be packed a second time.
const came = new Map([...document.querySelectorAll("[data-came]")].map(box => [box.dataset.came, box.innerHTML]));

async function showMetric() {
  const box = byId("metric-box"), id = `metric-${chosen.metric}`;
  fill(box, came.get(id) ?? await unpack(id));
}

async function showJudges() {
  const box = byId("judges-box");
  if (!box) return;
  const of = await unpack(`dimension-${chosen.dimension}`);
  fill(byId("judges-table"), of.table);
  fill(byId("judges-nulls"), of.nulls);
  fill(byId("judges-estimated"), of.estimated);
  fill(byId("judges-scatter"), of.scatter[chosen.judged] ?? "");
}

/** The summaries that are chosen: what they point at, and one item for each. */
async function items() {
  const { topic, items } = await unpack(`topic-${chosen.topic}`);
  const places = [...new Set([chosen.system, chosen.other])].filter(place => place !== "" && place !== undefined);
  const names = places.map(place => data.systems[place]);
  const there = names.map(name => items[data.explained[chosen.by]]?.[name] ?? lit.without(topic, name));
  return { topic, there: there.filter(Boolean), names, lacking: names.filter((_, k) => !there[k]) };
}

async function showTexts() {
  const box = byId("texts-box");
  if (!byId(`topic-${chosen.topic}`)) {
    // The topics of a very large report have pages of their own.
    location.href = `${data.pages[chosen.topic]}#${address(chosen)}`;
    return;
  }
  const { topic, there, names, lacking } = await items();
  const known = references(topic, there);
  showReferences(known);
  fill(box, there.length ? lit.html(topic, there, 3, known.includes(chosen.reference) ? chosen.reference : "") : "");
  for (const name of [...lacking].reverse()) {
    const line = document.createElement("p");
    line.className = "quiet";
    line.textContent = `There is no summary of this topic by ${name}${there.length ? `: ${names.find(one => one !== name)} stands alone` : ""}.`;
    box.prepend(line);
  }
  byId("texts-now").textContent = now();
}

/** Which view this is, in words, for those who cannot see that it has changed. */
function now() {
  const others = chosen.other === "" || chosen.other === undefined ? "" : ` beside ${data.systems[chosen.other]}`;
  return `${data.systems[chosen.system]}${others} on ${data.topics[chosen.topic]}, by ${data.explained[chosen.by]}`;
}

async function showReferencesOfFirst() {
  if (!byId(`topic-${chosen.topic}`)) return;
  const { topic, there } = await items();
  showReferences(references(topic, there));
}

/** The names of the references of the first summary that has some. */
function references(topic, there) {
  return there.map(item => lit.choices(topic, item)).find(names => names.length) ?? [];
}

function showReferences(names) {
  const menu = menus.get("reference");
  if (!menu) return;
  menu.closest(".field").hidden = names.length < 2;
  menu.replaceChildren(...[["", "all"], ...names.map(name => [name, name])].map(([value, words]) => new Option(words, value)));
  menu.value = names.includes(chosen.reference) ? chosen.reference : "";
}

// ── where do they differ most? ─────────────────────────────────────────

// What is shown as 0 has no sign.
const shown = value => value === null || !Number.isFinite(value) ? "–" : value.toFixed(3).replace(/^-(?=0\.000$)/, "").replace("-", "−");
const signed = value => (value >= 0.0005 ? "+" : "") + shown(value);

/** Both values of each topic, and the first minus the second; see reports/lit/differences.py. */
async function differences() {
  const { values, marks } = await unpack("numbers");
  const of = values[chosen.by], system = +chosen.system, against = +chosen.against;
  if (against < data.systems.length) {
    return of[system].map((value, topic) => [topic, value, of[against][topic], value - of[against][topic]])
      .filter(row => row[1] !== null && row[2] !== null);
  }
  const judged = marks[against - data.systems.length], sign = data.lower[chosen.by] ? -1 : 1, both = [];
  of.forEach((row, place) => row.forEach((value, topic) => {
    if (value !== null && judged[place][topic] !== null) both.push([place, topic]);
  }));
  const mine = standardized(both.map(([s, t]) => sign * of[s][t])), theirs = standardized(both.map(([s, t]) => judged[s][t]));
  return both.map(([place, topic], k) => [topic, mine[k], theirs[k], mine[k] - theirs[k], place])
    .filter(row => row[4] === system);
}

function standardized(numbers) {
  const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const spread = Math.sqrt(numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0) / numbers.length);
  return numbers.map(one => spread ? (one - mean) / spread : 0);
}

const MOST_TOPICS = 12;

async function showDifferences() {
  const box = byId("differ-box");
  if (!box) return;
  const against = +chosen.against, isJudged = against >= data.systems.length;
  const isSame = chosen.system === chosen.against;
  byId("differ-hint").hidden = !isSame;
  box.hidden = isSame;
  if (isSame) return;
  const rows = await differences();
  rows.sort((a, b) => Math.abs(b[3]) - Math.abs(a[3]) || a[0] - b[0]);
  const heads = isJudged ? [data.explained[chosen.by], data.dimensions[against - data.systems.length]]
    : [data.systems[chosen.system], data.systems[against]];
  const cells = box.querySelectorAll("thead th");
  cells[1].textContent = heads[0];
  cells[2].textContent = heads[1];
  box.querySelector("caption").textContent = isJudged ? data.words.judged : data.words.values.replace("{}", data.explained[chosen.by]);
  box.querySelector("tbody").replaceChildren(...rows.slice(0, MOST_TOPICS).map(([topic, mine, theirs, difference]) => {
    const row = document.createElement("tr"), head = document.createElement("th"), button = document.createElement("button");
    head.scope = "row"; head.className = "left";
    button.type = "button"; button.className = "link"; button.textContent = data.topics[topic]; button.dataset.topic = topic;
    head.append(button);
    row.append(head, ...[shown(mine), shown(theirs), signed(difference)].map(words => {
      const cell = document.createElement("td");
      cell.textContent = words;
      return cell;
    }));
    return row;
  }));
}

// ── tables ─────────────────────────────────────────────────────────────

/** What a cell is sorted by: its number, if it begins with one, or its words. */
function key(row, place) {
  const cell = row.cells[place];
  const words = (cell?.dataset.value ?? cell?.querySelector("bdi")?.textContent ?? cell?.textContent ?? "").trim().replace("−", "-").replace(/^[•<=≤]\s*/, "");
  const number = /^-?(\d|\.\d)/.test(words) ? parseFloat(words) : NaN;
  return { words, number, isNone: /^(|[–-](\s.*)?)$/.test(words) };
}

function sortBy(table, heading, place) {
  const wasUp = heading.getAttribute("aria-sort") === "ascending", wasDown = heading.getAttribute("aria-sort") === "descending";
  const body = table.tBodies[0], rows = [...body.rows].map(row => [row, key(row, place)]);
  const numeric = rows.every(([, one]) => one.isNone || !Number.isNaN(one.number));
  // Numbers begin with the largest, names with a.
  const down = numeric ? !wasDown : wasUp;
  rows.sort(([, a], [, b]) => {
    if (a.isNone !== b.isNone) return a.isNone ? 1 : -1;
    const order = numeric ? a.number - b.number : a.words.localeCompare(b.words, undefined, { numeric: true });
    return down ? -order : order;
  });
  for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows.map(([row]) => row));
}

function makeSortable(root) {
  for (const table of root.querySelectorAll("table.sortable, table.ranking, table.heatmap")) {
    const head = table.tHead.rows[table.tHead.rows.length - 1];
    [...head.cells].forEach((heading, place) => {
      if (heading.tagName !== "TH" || heading.querySelector("button") || !heading.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sortBy(table, heading, place));
    });
  }
}

// ── what is wider than the page ────────────────────────────────────────

/** Mark a region that goes on to the right of what can be seen of it. */
function markWide(region) {
  region.classList.toggle("goes-on", region.scrollWidth - region.clientWidth - Math.abs(region.scrollLeft) > 2);
}

function watchWidths(root) {
  for (const region of root.querySelectorAll(".scroll")) widths.observe(region);
}

const widths = new ResizeObserver(entries => entries.forEach(entry => markWide(entry.target)));
document.addEventListener("scroll", event => { if (event.target.classList?.contains("scroll")) markWide(event.target); }, true);

// ── beginning ──────────────────────────────────────────────────────────

for (const [name, menu] of menus) menu.addEventListener("change", () => choose({ [name]: menu.value }));
for (const box of document.querySelectorAll(".menus[hidden], .steps[hidden]")) box.hidden = false;
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#topic=']");
  if (link) {
    event.preventDefault();
    return void choose({ other: "", ...Object.fromEntries(new URLSearchParams(link.hash.slice(1))) }, "texts");
  }
  const button = event.target.closest("button[data-topic], button[data-step]");
  if (!button) return;
  if (button.dataset.topic) {
    // Beside the system stands the one that it differs from.
    const other = +chosen.against < data.systems.length ? chosen.against : "";
    return void choose({ topic: button.dataset.topic, other }, "texts");
  }
  const menu = menus.get("topic"), place = menu.selectedIndex + Number(button.dataset.step);
  choose({ topic: menu.options[(place + menu.options.length) % menu.options.length].value });
});
window.addEventListener("hashchange", () => { if (location.hash.includes("=")) choose(fromAddress()); });
makeSortable(document);
watchWidths(document);
chosen = first();
// What is usual is in the page already; rows of topics become buttons.
if (menus.size) choose(fromAddress());
if (byId("texts-box")) Promise.all([showReferencesOfFirst(), showDifferences()]).catch(tell);
})();
