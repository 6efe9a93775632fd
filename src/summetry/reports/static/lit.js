"use strict";
/* Texts with what matched and what was missed lit up: the same HTML as reports/lit/html.py makes,
   from the same data (see reports/lit/payload.py). A test compares both; change both.
   lit.html(topic, items, level, against), lit.choices(topic, item), lit.without(topic, system);
   nothing else is global. */
const lit = (() => {
  const LEGEND = {
    words: [
      ["match", "matched", "in both texts"],
      ["miss", "missed", "in the text beside the summary, without a match"],
      ["", "plain", "in the summary, without a match"],
    ],
    path: [
      ["match", "path", "the path through the choices of people that is closest to the summary"],
      ["in", "chosen", "chosen by the summary"],
    ],
    edges: [["match", "matched", "the strongest edges that both graphs have, by number"]],
    units: [
      ["match", "matched", "in the summary too, by number"],
      ["miss", "missed", "not in the summary"],
    ],
    votes: [
      ["match", "matched", "chosen by the summary and by others"],
      ["miss", "missed", "chosen by others only"],
      ["in", "alone", "chosen by the summary only"],
    ],
  };
  const LIST_HEADS =
    '<th scope="col">No.</th><th scope="col" class="left">What</th>' +
    '<th scope="col">Weight</th><th scope="col" class="left">Found</th>';
  const NO_VALUE = "The metric has no value here: the summary or the topic lacks what it needs.";
  const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const escape = (text) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]);

  // A number for people: a whole number as it is, any other with four decimals.
  function figure(value) {
    if (value === null) return "undefined";
    if (typeof value === "string") return value;
    if (Number.isInteger(value)) return String(value);
    if (Math.abs(value) < 0.00005) {
      const [digits, power] = value.toExponential(2).split("e");
      return digits + "e" + power[0] + power.slice(1).padStart(2, "0");
    }
    // Half of the last decimal goes to the even neighbour; only odd parts of 32 are such a half.
    if (Number.isInteger(value * 32) && !Number.isInteger(value * 16)) {
      const five = value.toFixed(5);
      if ("02468".includes(five.at(-2))) return five.slice(0, -1);
    }
    return value.toFixed(4);
  }

  const isNegative = (value) => value === "-inf" || value < 0;
  const term = (value) => (isNegative(value) ? "(" + figure(value) + ")" : figure(value));

  function steps(formula, value, known) {
    if (value === null && !formula.includes("undefined")) return [formula];
    const numbers = formula.replace(/[A-Za-z_]\w*/g, (name) =>
      known.has(name) ? term(known.get(name)) : name);
    return [...new Set([formula, numbers, figure(value)])];
  }

  function absolute(flat) {
    const spans = [];
    let start = 0;
    for (let i = 0; i < flat.length; i += 2) {
      start += flat[i];
      spans.push([start, start + flat[i + 1]]);
    }
    return spans;
  }

  const bySpan = (a, b) => a[0] - b[0] || a[1] - b[1];

  // Places are counted in code points; a text is a list of these.
  class Grid {
    constructor(text) {
      this.text = Array.from(text.text);
      this.words = absolute(text.grid);
    }

    slice(start, end) {
      return this.text.slice(start, end).join("");
    }

    spans(entry) {
      const spans = absolute(entry[1]);
      if (entry.length > 2) return spans;
      return spans.map(([first, last]) => [this.words[first][0], this.words[last - 1][1]]);
    }

    joined(spans) {
      const runs = [];
      for (const [start, end] of [...spans].sort(bySpan)) {
        const last = runs.at(-1);
        if (last && !/[\p{L}\p{N}]/u.test(this.slice(last[1], start))) {
          last[1] = Math.max(last[1], end);
        } else {
          runs.push([start, end]);
        }
      }
      return runs;
    }

    rest(covered) {
      const taken = new Set();
      for (const [start, end] of covered) for (let i = start; i < end; i++) taken.add(i);
      const isFree = ([start, end]) => {
        for (let i = start; i < end; i++) if (taken.has(i)) return false;
        return true;
      };
      return this.joined(this.words.filter(isFree));
    }
  }

  // Marks are [start, end, is match, number of the match or 0].
  function paint(text, marks) {
    const known = marks.filter(([start, end]) => start < end);
    const cuts = [...new Set([0, text.length, ...known.flatMap(([a, b]) => [a, b])])];
    cuts.sort((a, b) => a - b);
    const opened = new Map(), closed = new Map();
    const put = (map, key, mark) => map.set(key, [...(map.get(key) || []), mark]);
    for (const mark of known) {
      put(opened, mark[0], mark);
      put(closed, mark[1], mark);
    }
    const depth = { true: 0, false: 0 };
    const pieces = [];
    for (let i = 0; i + 1 < cuts.length; i++) {
      const [start, end] = [cuts[i], cuts[i + 1]];
      for (const mark of closed.get(start) || []) depth[mark[2]] -= 1;
      for (const mark of opened.get(start) || []) depth[mark[2]] += 1;
      const kind = depth[true] ? "match" : depth[false] ? "miss" : "";
      const ending = new Set((closed.get(end) || []).map((mark) => mark[3]).filter(Boolean));
      const numbers = [...ending].sort((a, b) => a - b).join(",");
      const piece = text.slice(start, end).join("");
      const last = pieces.at(-1);
      if (last && last[0] === kind && !last[2]) {
        last[1] += piece;
        last[2] = numbers;
      } else {
        pieces.push([kind, piece, numbers]);
      }
    }
    return pieces.map(([kind, piece, numbers]) => {
      if (!kind) return escape(piece);
      const shown = numbers ? `<span class="no">${numbers}</span>` : "";
      return `<mark class="${kind}">${escape(piece)}${shown}</mark>`;
    }).join("");
  }

  const left = (cell) => (Array.isArray(cell) ? ' class="left"' : "");

  function spoken(text) {
    const language = text.lang ? `lang="${escape(text.lang)}" ` : "";
    return `${language}dir="${text.dir}"`;
  }

  function table(label, heads, rows) {
    const body = `<table><thead><tr>${heads}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
    return `<div class="scroll" role="region" aria-label="${label}" tabindex="0">${body}</div>`;
  }

  class Page {
    constructor(topic, items, level, against) {
      Object.assign(this, { topic, items, level, against, words: topic.words });
    }

    html() {
      const { items } = this;
      let html = '<div class="lit">';
      if (items.length === 1) {
        html += this.figures(items[0]);
      } else {
        html += '<div class="side-by-side">';
        for (const item of items) {
          const name = this.topic.texts[item.of].name;
          html += `<div>${this.heading(name)}${this.figures(item)}</div>`;
        }
        html += "</div>";
      }
      const explained = items.filter((item) => item.parts.length);
      if (explained.length) html += this.legend(explained[0]);
      html += this.texts();
      for (const item of items) html += this.lists(item);
      return html + this.others() + "</div>";
    }

    heading(text, further = "") {
      return `<h${this.level}>${escape(text)}${further}</h${this.level}>`;
    }

    word(number) {
      return escape(this.words[number]);
    }

    // The places of the parts that are shown: all, or the one against the text that is chosen.
    shownParts(item) {
      const all = item.parts.map((_, place) => place);
      const mine = all.filter((place) => this.words[item.parts[place].against] === this.against);
      return mine.length ? mine : all;
    }

    // The texts that are chosen of several in one part, and the matches of that part.
    pooled(item) {
      const matches = (item.parts.length === 1 && item.parts[0].matches) || {};
      const chosen = item.show.filter((text) => this.topic.texts[text].name === this.against);
      return "with" in matches && chosen.length ? { chosen, matches } : null;
    }

    figures(item) {
      const values = item.values.map(([name, value]) =>
        `<div><dt>${this.word(name)}</dt><dd>${figure(value)}</dd></div>`).join("");
      let html = values ? `<dl class="big">${values}</dl>` : `<p class="quiet">${NO_VALUE}</p>`;
      if ("note" in item) html += `<p class="note">${this.word(item.note)}</p>`;
      for (const line of item.over || []) html += `<p class="formula">${escape(line)}</p>`;
      const shown = this.shownParts(item);
      const isFolded = shown.length > 1;
      if (isFolded) html += `<details><summary>The formulas against each of ${shown.length}</summary>`;
      for (const place of shown) {
        const part = item.parts[place];
        if (item.parts.length > 1) html += `<p class="against">${this.word(part.against)}</p>`;
        html += this.formulas(part);
      }
      if (isFolded) html += "</details>";
      const pooled = this.pooled(item);
      if (pooled) {
        const count = pooled.matches.with.reduce((sum, [text, amount]) =>
          sum + (pooled.chosen.includes(text) ? amount : 0), 0);
        html += `<p class="small">${figure(count)} of the ${figure(pooled.matches.all)} matches ` +
          `${count === 1 ? "is" : "are"} with ${escape(this.against)}; ` +
          "the numbers are for all references together.</p>";
      }
      if ("legend" in item) html += `<p class="small quiet">${this.word(item.legend)}</p>`;
      return html;
    }

    formulas(part) {
      const known = new Map();
      for (const [name, , value] of part.formulas) known.set(this.words[name], value);
      for (const [name, value] of part.facts) known.set(this.words[name], value);
      let html = "";
      for (const [name, formula, value] of part.formulas) {
        const line = [this.words[name], ...steps(this.words[formula], value, known)].join(" = ");
        html += `<p class="formula">${escape(line)}</p>`;
      }
      if ("note" in part) html += `<p class="note">${this.word(part.note)}</p>`;
      if (part.facts.length) {
        html += '<details class="facts-of"><summary>What the names mean</summary>';
        html += '<dl class="facts">';
        for (const [name, value, meaning] of part.facts) {
          const said = this.words[meaning] ? " " + this.word(meaning) : "";
          html += `<dt>${this.word(name)}</dt><dd>${figure(value)}${said}</dd>`;
        }
        html += "</dl></details>";
      }
      return html;
    }

    legend(item) {
      const kind = item.kind === "units" && "votes" in item ? "votes" : item.kind;
      const hasMissed = "votes" in item || item.parts.some((part) => "missed" in part);
      const used = LEGEND[kind].filter(([mark]) => hasMissed || mark !== "miss");
      let entries = used.map(([mark, word, meaning]) =>
        `<li><span class="${("swatch " + mark).trim()}">${word}</span>${meaning}</li>`).join("");
      if ("votes" in item) {
        const of = this.word(item.votes.of);
        entries += `<li><span class="swatch" data-heat="3">3</span>${of}</li>`;
      }
      return `<ul class="legend">${entries}</ul>`;
    }

    texts() {
      let html = '<div class="side-by-side">';
      for (const item of this.items) html += this.cell(item, item.of);
      const beside = [...new Set(this.items.flatMap((item) => item.show))];
      const named = beside.filter((text) => this.topic.texts[text].name === this.against);
      for (const text of named.length ? named : beside) {
        // An empty cell keeps each text in the column of the summary that it is lit up for.
        for (const item of this.items) html += item.values.length ? this.cell(item, text) : "<div></div>";
      }
      return html + "</div>";
    }

    cell(item, number) {
      const text = this.topic.texts[number];
      const isPlain = text.role !== "reference" || text.name.startsWith("reference");
      const role = isPlain ? "" : ', <span class="role">reference</span>';
      const heading = this.heading(text.name, role);
      if (item.votes && item.votes.text === number) {
        return `<div>${heading}${this.voted(item.votes, text, item)}</div>`;
      }
      const body = paint(Array.from(text.text), this.marks(item, number));
      return `<div>${heading}<p class="prose" ${spoken(text)}>${body}</p></div>`;
    }

    marks(item, number) {
      const grid = new Grid(this.topic.texts[number]);
      const marks = [];
      const shown = new Set(this.shownParts(item)), pooled = this.pooled(item);
      let count = 0;
      item.parts.forEach((part, place) => {
        const matched = [];
        for (const key of ["matches", "missed"]) {
          const isMatch = key === "matches", group = part[key] || {};
          if (shown.has(place)) {
            let entries = (group.lit || []).filter((entry) => entry[0] === number);
            if (pooled && isMatch && number === item.of) {
              entries = entries.filter((_, k) => pooled.chosen.includes(group.with[k][0]));
            }
            const spans = entries.flatMap((entry) => grid.spans(entry));
            if (isMatch) matched.push(...spans);
            for (const span of grid.joined(spans)) marks.push([...span, isMatch, 0]);
            if ((group.rest || []).includes(number)) {
              for (const span of grid.rest(matched)) marks.push([...span, isMatch, 0]);
            }
          }
          (group.places || []).forEach((entries, row) => {
            count += 1;
            const label = "no" in group ? group.no[row] : count;
            if (pooled && isMatch && !entries.some((e) => pooled.chosen.includes(e[0]))) return;
            for (const entry of entries) {
              if (entry[0] !== number || !shown.has(place)) continue;
              for (const span of grid.spans(entry)) marks.push([...span, isMatch, label]);
            }
          });
        }
      });
      return marks;
    }

    voted(votes, text, item) {
      const grid = new Grid(text), marks = this.marks(item, votes.text);
      const most = Math.max(0, ...votes.each);
      let last = 0, html = "";
      grid.spans(votes.units).forEach(([start, end], unit) => {
        const each = votes.each[unit], chosen = votes.chosen[unit];
        html += escape(grid.slice(last, start));
        last = end;
        let cut = each ? [[0, end - start, Boolean(chosen), 0]] : [];
        if (marks.length) {
          cut = marks.filter((mark) => mark[0] < end && start < mark[1]).map((mark) => [
            Math.max(mark[0], start) - start, Math.min(mark[1], end) - start, mark[2], mark[3]]);
        }
        const level = Math.max(1, Math.trunc((5 * each) / most));
        const heat = each && most ? ` data-heat="${level}"` : "";
        const count = each || chosen ? `<sup>${figure(each)}</sup>` : "";
        const body = paint(grid.text.slice(start, end), cut);
        html += `<span class="s${chosen ? " in" : ""}"${heat}>${count}${body}</span>`;
      });
      html += escape(grid.slice(last));
      return `<p class="prose votes" ${spoken(text)}>${html}</p>`;
    }

    lists(item) {
      const shown = new Set(this.shownParts(item));
      const name = escape(this.topic.texts[item.of].name);
      let html = "", number = 0;
      item.parts.forEach((part, place) => {
        const rows = [], more = [];
        for (const [key, found, said] of [["matches", "yes", "matched"], ["missed", "not", "missed"]]) {
          const group = part[key] || {};
          (group.what || []).forEach((what, row) => {
            number += "places" in group ? 1 : 0;
            const label = "no" in group ? group.no[row] : number;
            rows.push(`<tr><td>${"places" in group ? label || "" : ""}</td>` +
              `<th scope="row" class="left">${this.word(what)}</th>` +
              `<td>${figure(group.weight[row])}</td>` +
              `<td class="left"><span class="${found}">${said}</span></td></tr>`);
          });
          if ("more" in group) {
            const [count, weight] = group.more;
            more.push(`and ${count.toLocaleString("en")} more ${said}, of weight ${figure(weight)} together`);
          }
        }
        if (!shown.has(place)) return;
        if (rows.length) {
          const against = this.word(part.against);
          const title = against ? `${name} against ${against}` : name;
          html += `<details><summary>${title}: ${rows.length} listed</summary>`;
          html += table(title, LIST_HEADS, rows);
          html += more.map((line) => `<p class="small quiet">${line}</p>`).join("");
          html += "</details>";
        }
        for (const sheet of part.tables || []) html += this.sheet(sheet);
      });
      return html;
    }

    sheet(sheet) {
      const heading = this.word(sheet.heading);
      const first = sheet.rows.length ? sheet.rows[0] : sheet.columns;
      const heads = sheet.columns.map((column, place) =>
        `<th scope="col"${left(first[place])}>${this.word(column)}</th>`).join("");
      const rows = sheet.rows.map((row) => "<tr>" + row.map((cell) =>
        `<td${left(cell)}>${Array.isArray(cell) ? this.word(cell[0]) : figure(cell)}</td>`
      ).join("") + "</tr>");
      const more = sheet.more ? `<p class="small quiet">and ${sheet.more.toLocaleString("en")} more row${sheet.more === 1 ? "" : "s"}</p>` : "";
      return `<details><summary>${heading}</summary>${table(heading, heads, rows)}${more}</details>`;
    }

    others() {
      const used = new Set(this.items.flatMap((item) => [...item.show, item.of]));
      let html = "";
      for (const item of this.items) {
        for (const number of item.others || []) {
          if (used.has(number)) continue;
          used.add(number);
          const text = this.topic.texts[number];
          html += `<details><summary>${escape(text.name)}</summary>`;
          html += `<p class="prose" ${spoken(text)}>${escape(text.text)}</p></details>`;
        }
      }
      return html;
    }
  }

  // A summary that a metric has no value for, as an item; undefined if the topic has none of it.
  function without(topic, system) {
    const of = topic.texts.findIndex((text) => text.role === "candidate" && text.name === system);
    return of < 0 ? undefined : { of, kind: "", values: [], show: [], parts: [] };
  }

  return {
    without,
    html: (topic, items, level = 3, against = "") => new Page(topic, items, level, against).html(),
    choices: (topic, item) => item.show.map((text) => topic.texts[text].name),
  };
})();
