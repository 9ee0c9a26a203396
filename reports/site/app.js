"use strict";
// Draws the views of the board from the data block of the page. Computes no score: every figure is a cell of
// board.*, shown rounded.

const CONTENT = JSON.parse(document.getElementById("content").textContent);
const AXES = ["intelligence", "calibration", "speed", "cost"];
const GATED = ["intelligence", "speed", "cost"];
const PARTS = ["public", "sealed"];
const KEY = ["method", "suite", "track", "system"];

// ---------------------------------------------------------------- data

const cache = new Map();

/** A column as a list: runs of one value, places in a list of distinct values, or the list itself. */
function values(column) {
  if (column.v) return column.v.flatMap((value, n) => Array(column.n[n]).fill(value));
  return column.d ? column.i.map((place) => column.d[place]) : column;
}

function rows(name) {
  if (!cache.has(name)) {
    const table = CONTENT.tables[name];
    const out = [];
    if (table) {
      const columns = Object.entries(table.columns).map(([key, c]) => [key, values(c)]);
      for (let n = 0; n < table.n; n++) out.push(Object.fromEntries(columns.map(([key, list]) => [key, list[n]])));
    }
    cache.set(name, out);
  }
  return cache.get(name);
}

const indexes = new Map();

/** Rows of a table whose key columns equal those of `key`, as far as the table has them. */
function rowsOf(name, key, by = KEY) {
  const columns = by.filter((c) => CONTENT.tables[name] && c in CONTENT.tables[name].columns);
  const id = name + ":" + columns.join();
  if (!indexes.has(id)) {
    const index = new Map();
    for (const row of rows(name)) {
      const at = JSON.stringify(columns.map((c) => row[c]));
      if (!index.has(at)) index.set(at, []);
      index.get(at).push(row);
    }
    indexes.set(id, index);
  }
  return indexes.get(id).get(JSON.stringify(columns.map((c) => key[c]))) || [];
}

const one = (name, key) => rowsOf(name, key)[0] || {};
const comment = (table, column) => ((CONTENT.columns["board." + table] || []).find(([c]) => c === column) || ["", ""])[1];

function parameter(method, name, appliesTo = null) {
  const found = rows("methods").find((p) => p.method === method && p.parameter === name && (p.applies_to || null) === appliesTo);
  return found ? Number(found.value) : null;
}

// ---------------------------------------------------------------- text

const isNumber = (v) => typeof v === "number";

/** What stands for a cell without a value: withheld to protect sealed items, or unknown. */
const absent = (row) => (row && row.suppressed ? "suppressed" : "n/a");
const fixed = (v, digits, row) => (isNumber(v) ? v.toFixed(digits) : absent(row));
const percent = (v, row) => (isNumber(v) ? (100 * v).toFixed(1) + " %" : absent(row));

function significant(v, row) {
  if (!isNumber(v)) return absent(row);
  return v.toLocaleString("en", { maximumSignificantDigits: 3, useGrouping: false });
}

const signed = (v, digits) => (isNumber(v) ? (v > 0 ? "+" : v < 0 ? "−" : "±") + Math.abs(v).toFixed(digits) : "n/a");
const words = (name) => name.replaceAll("_", " ");
const capital = (name) => name.charAt(0).toUpperCase() + words(name).slice(1);
const bytes = (n) => (n >= 1e6 ? (n / 1e6).toFixed(1) + " MB" : Math.max(1, Math.round(n / 1e3)) + " kB");

// ---------------------------------------------------------------- elements

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "css") for (const [p, v] of Object.entries(value)) node.style.setProperty(p, v);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const hidden = (text) => h("span", { class: "sr" }, text);

function scroller(label, table) {
  return h("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, table);
}

/** A plain table. Columns: {label, value(row), cell?(row), numeric?, title?, head?}. */
function plainTable(label, columns, list, attributes = {}) {
  return scroller(
    label,
    h(
      "table",
      { class: "plain", ...attributes },
      h("caption", { class: "sr" }, label),
      h("thead", {}, h("tr", {}, columns.map((c) => h("th", { scope: "col", class: c.numeric && "num", title: c.title }, c.label)))),
      h(
        "tbody",
        {},
        list.map((row) =>
          h("tr", {}, columns.map((c) => h(c.head ? "th" : "td", { scope: c.head && "row", class: c.numeric && "num" }, c.cell ? c.cell(row) : c.value(row)))),
        ),
      ),
    ),
  );
}

const facts = (pairs) => h("dl", { class: "facts" }, pairs.filter(Boolean).map(([term, ...text]) => h("div", {}, h("dt", {}, term), h("dd", {}, text))));
const section = (title, ...content) => h("section", { class: "block" }, h("h2", {}, title), content);

function meter(axis, value) {
  return h("span", { class: "meter", "aria-hidden": "true" }, isNumber(value) && h("span", { class: "fill " + axis, css: { width: Math.max(0, Math.min(100, value)) + "%" } }));
}

// ---------------------------------------------------------------- routes

const boards = [];
for (const row of rows("leaderboard")) {
  let board = boards.find((b) => b.suite === row.suite && b.method === row.method);
  if (!board) boards.push((board = { suite: row.suite, method: row.method, tracks: [], count: 0 }));
  if (!board.tracks.includes(row.track)) board.tracks.push(row.track);
  board.count += 1;
}
boards.sort((a, b) => b.count / b.tracks.length - a.count / a.tracks.length || (a.suite < b.suite ? -1 : 1));
for (const board of boards) board.tracks.sort((a, b) => (b === "all") - (a === "all") || (a < b ? -1 : 1));

const link = (...parts) => "#/" + parts.map(encodeURIComponent).join("/");
const boardLink = (view, key, ...more) => link(view, key.suite, key.method, key.track, ...more);

function route() {
  const [view = "board", suite, method, track, ...more] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  const board = boards.find((b) => b.suite === suite && b.method === method) || boards.find((b) => b.suite === current.suite && b.method === current.method) || boards[0];
  return {
    view,
    suite: board.suite,
    method: board.method,
    track: board.tracks.includes(track) ? track : board.tracks.includes(current.track) ? current.track : board.tracks[0],
    more,
    board,
  };
}

let current = { suite: "", method: "", track: "" };
const chosen = new Set(); // systems ticked for comparison
const filters = { text: "", endpoint_kind: "", probability_kind: "", evidence_level: "", unranked: true };
let order = { key: "rank", ascending: true };

function boardRows(key) {
  return rowsOf("leaderboard", key, ["method", "suite", "track"]);
}

function disclosures(key, system) {
  return rowsOf("disclosures", { suite: key.suite, system }, ["suite", "system"]);
}

/** The gates that bite, and why. */
function gates(row) {
  const threshold = parameter(row.method, "gate_threshold");
  return GATED.filter((axis) => isNumber(row["gate_" + axis]) && row["gate_" + axis] < 1).map((axis) => ({
    axis,
    factor: row["gate_" + axis],
    why: `${capital(axis)} ${fixed(row[axis], 1)} is below ${threshold}: composite × ${row["gate_" + axis].toFixed(2)}`,
  }));
}

// ---------------------------------------------------------------- leaderboard

function boardPicker(here, view) {
  const select = h(
    "select",
    { id: "suite", onchange: (e) => (location.hash = boardLink(view, { ...boards[e.target.value], track: here.track })) },
    boards.map((b, n) => h("option", { value: n, selected: b === here.board }, `${b.suite} · ${b.method}`)),
  );
  return h(
    "div",
    { class: "picker" },
    h("label", { for: "suite" }, "Board "),
    select,
    h(
      "ul",
      { class: "segments", "aria-label": "Track" },
      here.board.tracks.map((t) => h("li", {}, h("a", { href: boardLink(view, { ...here, track: t }), "aria-current": t === here.track ? "true" : null }, words(t)))),
    ),
  );
}

function nameCell(row) {
  const mixed = boardRows(row).some((r) => r.evidence_level !== row.evidence_level);
  const seen = new Set();
  const marks = disclosures(row, row.system).filter((d) => !seen.has(d.kind) && seen.add(d.kind));
  return h(
    "div",
    { class: "name" },
    h("a", { href: boardLink("system", row, row.system) }, row.display_name),
    h(
      "span",
      { class: "marks" },
      h("span", { class: "tag" }, words(row.endpoint_kind)),
      row.probability_kind !== "categorical" && h("span", { class: "tag" }, words(row.probability_kind)),
      mixed && row.evidence_level !== "calls" && h("span", { class: "tag", title: "Scored from published aggregates, not from recorded calls" }, row.evidence_level),
      marks.map((d) => h("span", { class: "tag mark", title: d.disclosure }, d.kind === "api_saw_sealed" ? "API saw sealed" : words(d.kind), hidden(": " + d.disclosure))),
    ),
    !row.ranked && h("span", { class: "reason" }, "Not ranked: " + row.unranked_reason),
  );
}

const stacked = (main, sub) => [h("span", { class: "main" }, main), sub && h("span", { class: "sub" }, sub)];
const counted = (row, part) => {
  const [correct, n] = [row[part + "_correct"], row[part + "_n"]];
  if (!isNumber(n)) return "no " + part + " part";
  return isNumber(correct) ? stacked(percent(correct / n), `${correct}/${n}`) : stacked(absent(row), `of ${n}`);
};
const share = (row, part) => (isNumber(row[part + "_correct"]) ? row[part + "_correct"] / row[part + "_n"] : null);

const COLUMNS = [
  { key: "rank", label: "#", numeric: true, up: true, value: (r) => r.rank, cell: (r) => (r.ranked ? String(r.rank) : "–") },
  { key: "name", label: "System", up: true, value: (r) => r.display_name.toLowerCase(), cell: nameCell },
  { key: "composite", label: "Composite", numeric: true, value: (r) => r.composite, cell: (r) => [h("span", { class: "score" }, fixed(r.composite, 2, r)), meter("composite", r.composite)], title: comment("leaderboard", "composite") },
  ...AXES.map((axis) => ({
    key: axis,
    label: capital(axis),
    numeric: true,
    value: (r) => r[axis],
    cell: (r) => [h("span", {}, fixed(r[axis], 1, r)), meter(axis, r[axis])],
    title: "Axis, 0 to 100 points",
  })),
  {
    key: "gates",
    label: "Gates",
    up: true,
    value: (r) => gates(r).reduce((product, g) => product * g.factor, 1),
    cell: (r) => gates(r).map((g) => h("span", { class: "gate " + g.axis, title: g.why }, h("span", { "aria-hidden": "true" }, `${capital(g.axis).slice(0, 1)} ×${g.factor.toFixed(2)}`), hidden(g.why))),
    title: "Factors on the composite for an axis below the threshold",
  },
  {
    key: "gap",
    label: "Gap",
    numeric: true,
    up: true,
    value: (r) => r.matched_gap_pp,
    cell: (r) => stacked(isNumber(r.matched_gap_pp) ? signed(r.matched_gap_pp, 1) + " pp" : absent(r), r.overfit_factor < 1 && `penalty ×${r.overfit_factor.toFixed(2)}`),
    title: comment("leaderboard", "matched_gap_pp"),
  },
  ...PARTS.map((part) => ({ key: part, label: capital(part), numeric: true, value: (r) => share(r, part), cell: (r) => counted(r, part), title: "Right answers / frozen items" })),
  {
    key: "usd",
    label: "USD / 1,000",
    numeric: true,
    up: true,
    value: (r) => r.usd_per_1000,
    cell: (r) => stacked(significant(r.usd_per_1000, r), isNumber(r.receipt_coverage) && r.receipt_coverage < 1 && `${percent(r.receipt_coverage)} receipted`),
    title: comment("leaderboard", "usd_per_1000"),
  },
  { key: "p50", label: "p50", numeric: true, up: true, value: (r) => r.p50_s, cell: (r) => (isNumber(r.p50_s) ? significant(r.p50_s) + " s" : absent(r)), title: comment("leaderboard", "p50_s") },
  { key: "p95", label: "p95", numeric: true, up: true, value: (r) => r.p95_s, cell: (r) => (isNumber(r.p95_s) ? significant(r.p95_s) + " s" : absent(r)), title: comment("leaderboard", "p95_s") },
];

function sorted(list) {
  const column = COLUMNS.find((c) => c.key === order.key);
  const sign = order.ascending ? 1 : -1;
  return list
    .map((row) => [column.value(row), row])
    .sort(([a, x], [b, y]) => {
      const [lostA, lostB] = [a === null || a === undefined, b === null || b === undefined];
      if (lostA || lostB) return lostA - lostB || (x.display_name < y.display_name ? -1 : 1);
      return a < b ? -sign : a > b ? sign : 0;
    })
    .map(([, row]) => row);
}

function kept(row) {
  return (
    (filters.unranked || row.ranked) &&
    ["endpoint_kind", "probability_kind", "evidence_level"].every((f) => !filters[f] || row[f] === filters[f]) &&
    (row.display_name + " " + row.system).toLowerCase().includes(filters.text.toLowerCase())
  );
}

function boardView(here) {
  const all = boardRows(here);
  const parts = rowsOf("parts", here, ["suite", "track"]);
  for (const system of [...chosen]) if (!all.some((r) => r.system === system)) chosen.delete(system);
  const status = h("p", { class: "status", role: "status" });
  const body = h("tbody");
  const bar = h("div", { class: "comparebar", role: "region", "aria-label": "Comparison" });
  const heads = COLUMNS.map((c) =>
    h(
      "th",
      { scope: "col", class: `c-${c.key}` + (c.numeric ? " num" : ""), title: c.title },
      h("button", { type: "button", onclick: () => { order = { key: c.key, ascending: order.key === c.key ? !order.ascending : !!c.up }; draw(); } }, c.label),
    ),
  );

  function drawBar() {
    const pair = [...chosen];
    bar.replaceChildren(
      ...(pair.length
        ? [
            h("span", {}, pair.map((p) => all.find((r) => r.system === p).display_name).join(" and ")),
            pair.length === 2 ? h("a", { class: "button", href: boardLink("compare", here, ...pair) }, "Compare") : h("span", { class: "muted" }, "choose one more"),
            h("button", { type: "button", class: "quiet", onclick: () => { chosen.clear(); draw(); } }, "Clear"),
          ]
        : []),
    );
    bar.hidden = !pair.length;
  }

  function draw() {
    const shown = sorted(all.filter(kept));
    heads.forEach((th, n) => {
      const on = COLUMNS[n].key === order.key;
      if (on) th.setAttribute("aria-sort", order.ascending ? "ascending" : "descending");
      else th.removeAttribute("aria-sort");
    });
    body.replaceChildren(
      ...shown.map((row) =>
        h(
          "tr",
          { class: row.ranked ? null : "unranked", "data-system": row.system },
          h(
            "td",
            { class: "c-compare" },
            h("label", { class: "tick" }, h("input", {
              type: "checkbox",
              checked: chosen.has(row.system),
              onchange: (e) => {
                if (e.target.checked) {
                  if (chosen.size === 2) chosen.delete([...chosen][0]);
                  chosen.add(row.system);
                } else chosen.delete(row.system);
                for (const box of body.querySelectorAll("input")) box.checked = chosen.has(box.closest("tr").dataset.system);
                drawBar();
              },
            }), hidden("Compare " + row.display_name)),
          ),
          COLUMNS.map((c) => h(c.key === "name" ? "th" : "td", { scope: c.key === "name" ? "row" : null, class: `c-${c.key}` + (c.numeric ? " num" : "") }, c.cell(row))),
        ),
      ),
    );
    status.textContent = `${shown.length} of ${all.length} systems` + (shown.length ? "" : ": no system passes the filters");
    drawBar();
  }

  const choice = (name, label) => {
    const values = [...new Set(all.map((r) => r[name]))].sort();
    if (filters[name] && !values.includes(filters[name])) filters[name] = "";
    return h(
      "label",
      {},
      h("span", {}, label),
      h("select", { name, onchange: (e) => { filters[name] = e.target.value; draw(); } }, h("option", { value: "" }, "any"), values.map((v) => h("option", { value: v, selected: v === filters[name] }, words(v)))),
    );
  };
  const form = h(
    "div",
    { class: "filters", role: "search", "aria-label": "Filter systems" },
    h("label", { class: "wide" }, h("span", {}, "System"), h("input", { type: "search", name: "text", value: filters.text, placeholder: "name", oninput: (e) => { filters.text = e.target.value; draw(); } })),
    choice("endpoint_kind", "Endpoint"),
    choice("probability_kind", "Probabilities"),
    choice("evidence_level", "Evidence"),
    h("label", { class: "check" }, h("input", { type: "checkbox", name: "unranked", checked: filters.unranked, onchange: (e) => { filters.unranked = e.target.checked; draw(); } }), h("span", {}, "unranked too")),
    status,
  );
  const table = h(
    "table",
    { class: "board" },
    h("caption", { class: "sr" }, `Leaderboard of ${here.suite}, track ${here.track}, method ${here.method}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "c-compare" }, hidden("Compare")), heads)),
    body,
  );
  draw();
  const ranked = all.filter((r) => r.ranked);
  return [
    h("div", { class: "title" }, h("div", {}, h("h1", {}, here.suite), h("p", { class: "lead" }, lead(here, ranked, all, parts))), boardPicker(here, "board")),
    form,
    scroller("Leaderboard, scrolls sideways", table),
    bar,
    legend(here),
    h("div", { class: "charts" }, costChart(here, all), partsChart(here, all)),
  ];
}

function lead(here, ranked, all, parts) {
  const sizes = parts.map((p) => `${p.item_count} ${p.part} items (chance ${percent(p.chance_rate)})`).join(", ");
  return `${ranked.length} of ${all.length} systems ranked on ${sizes}. Track ${words(here.track)}, method ${here.method}${all.every((r) => r.evidence_level === "published") ? ", from published aggregates" : ""}.`;
}

function legend(here) {
  const weight = (axis) => `${Math.round(100 * parameter(here.method, axis + "_weight"))} %`;
  const threshold = parameter(here.method, "gate_threshold");
  return h(
    "p",
    { class: "legend muted" },
    "Composite: harmonic mean of ",
    AXES.map((axis, n) => [n ? ", " : "", h("span", { class: "key " + axis }), `${capital(axis)} (${weight(axis)})`]),
    `, times a gate for Intelligence, Speed or Cost below ${threshold}. n/a: unknown, never counted as zero. `,
    h("a", { href: "#/method" }, "How it is scored"),
  );
}

// ---------------------------------------------------------------- charts

let [W, H] = [560, 380]; // of the drawings; a phone gets smaller ones rather than smaller letters
const PAD = { left: 54, right: 18, top: 14, bottom: 44 };

const linear = (low, high, from, to) => (v) => from + ((v - low) / (high - low || 1)) * (to - from);
const log = (low, high, from, to) => { const f = linear(Math.log10(low), Math.log10(high), from, to); return (v) => f(Math.log10(v)); };

function decades(low, high) {
  const [a, b] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
  const last = b === a ? b + 1 : b;
  return Array.from({ length: last - a + 1 }, (_, n) => Number(`1e${a + n}`));
}

const tick = (v) => (v >= 1e-3 && v < 1e4 ? String(v) : v.toExponential().replace("+", ""));

function plot(label, { x, y, xTicks, yTicks, xLabel, yLabel, xFormat = String, yFormat = String, height = H }, ...marks) {
  const bottom = height - PAD.bottom;
  const every = Math.ceil(xTicks.length / (W < 500 ? 5 : 8));
  return s(
    "svg",
    { viewBox: `0 0 ${W} ${height}`, role: "img", "aria-label": label, class: "plot" },
    yTicks.map((t) => [s("line", { class: "grid", x1: PAD.left, x2: W - PAD.right, y1: y(t), y2: y(t) }), s("text", { class: "tick", x: PAD.left - 8, y: y(t) + 4, "text-anchor": "end" }, yFormat(t))]),
    xTicks.map((t, n) => [s("line", { class: "grid", x1: x(t), x2: x(t), y1: PAD.top, y2: bottom }), n % every === 0 && s("text", { class: "tick", x: x(t), y: bottom + 18, "text-anchor": "middle" }, xFormat(t))]),
    s("text", { class: "axis", x: (PAD.left + W - PAD.right) / 2, y: height - 6, "text-anchor": "middle" }, xLabel),
    s("text", { class: "axis", transform: `translate(14 ${(PAD.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, yLabel),
    marks,
  );
}

/** Points with names where there is room, best rank first. */
function points(list, x, y) {
  const taken = list.map((row) => ({ x0: x(row) - 6, x1: x(row) + 6, y0: y(row) - 6, y1: y(row) + 6 }));
  return list.map((row) => {
    const [px, py] = [x(row), y(row)];
    const left = px > W / 2 + 60;
    const width = row.display_name.length * 6.2;
    const box = { x0: left ? px - 8 - width : px + 8, x1: left ? px - 8 : px + 8 + width, y0: py - 8, y1: py + 8 };
    const free = row.rank && box.x0 > PAD.left && box.x1 < W && !taken.some((t) => t.x0 < box.x1 && box.x0 < t.x1 && t.y0 < box.y1 && box.y0 < t.y1);
    if (free) taken.push(box);
    return s(
      "g",
      { class: "point" },
      s("title", {}, row.display_name),
      s("circle", { class: row.endpoint_kind, cx: px, cy: py, r: 5 }),
      free && s("text", { class: "label", x: left ? px - 9 : px + 9, y: py + 4, "text-anchor": left ? "end" : "start" }, row.display_name),
    );
  });
}

const figure = (title, note, chart) => h("figure", {}, h("figcaption", {}, h("strong", {}, title), h("span", { class: "muted" }, note)), chart);
const range = (n, step) => Array.from({ length: n }, (_, i) => i * step);

function costChart(here, all) {
  const list = sorted0(all.filter((r) => r.usd_per_1000 > 0 && isNumber(r.intelligence)));
  if (!list.length) return null;
  const usd = list.map((r) => r.usd_per_1000);
  const ticks = decades(Math.min(...usd), Math.max(...usd));
  const x = log(ticks[0], ticks.at(-1), PAD.left, W - PAD.right);
  const y = linear(0, 100, H - PAD.bottom, PAD.top);
  const threshold = parameter(here.method, "gate_threshold");
  return figure(
    "Cost against intelligence",
    `Up and left is better. Below the line at ${threshold} the gate bites.`,
    plot(
      `Cost against intelligence of ${list.length} systems; the figures are in the table above`,
      { x, y, xTicks: ticks, yTicks: range(6, 20), xLabel: "USD per 1,000 decisions (log)", yLabel: "Intelligence, points", xFormat: tick },
      s("rect", { class: "gated", x: PAD.left, width: W - PAD.left - PAD.right, y: y(threshold), height: y(0) - y(threshold) }),
      s("line", { class: "rule", x1: PAD.left, x2: W - PAD.right, y1: y(threshold), y2: y(threshold) }),
      points(list, (r) => x(r.usd_per_1000), (r) => y(r.intelligence)),
    ),
  );
}

const sorted0 = (list) => [...list].sort((a, b) => (a.rank || 1e9) - (b.rank || 1e9));

function partsChart(here, all) {
  const list = sorted0(all.filter((r) => isNumber(share(r, "public")) && isNumber(share(r, "sealed"))));
  if (!list.length) return null;
  const allowance = parameter(here.method, "gap_allowance_pp");
  const x = linear(0, 100, PAD.left, W - PAD.right);
  const y = linear(0, 100, H - PAD.bottom, PAD.top);
  return figure(
    "Public against sealed accuracy",
    `Far below the diagonal: better on what was public. The dashed line is ${allowance} pp below it; the penalty itself goes by the gap over matched families.`,
    plot(
      `Public against sealed accuracy of ${list.length} systems; the figures are in the table above`,
      { x, y, xTicks: range(6, 20), yTicks: range(6, 20), xLabel: "Public accuracy, %", yLabel: "Sealed accuracy, %" },
      s("line", { class: "diagonal", x1: x(0), y1: y(0), x2: x(100), y2: y(100) }),
      s("line", { class: "rule", x1: x(allowance), y1: y(0), x2: x(100), y2: y(100 - allowance) }),
      points(list, (r) => x(100 * share(r, "public")), (r) => y(100 * share(r, "sealed"))),
    ),
  );
}

function reliabilityChart(list, part) {
  const x = linear(0, 1, PAD.left, W - PAD.right);
  const y = linear(0, 1, H - PAD.bottom, PAD.top);
  const most = Math.max(...list.map((b) => b.answer_count));
  return figure(
    capital(part),
    `${list.reduce((sum, b) => sum + b.answer_count, 0)} valid probability answers. Bars: answers in the bin. Dots on the diagonal: honest confidence.`,
    h("div", {}, plot(
      `Reliability diagram, ${part} part; the figures are in the table below`,
      { x, y, xTicks: range(6, 0.2), yTicks: range(6, 0.2), xLabel: "Mean confidence", yLabel: "Accuracy", xFormat: (v) => v.toFixed(1), yFormat: (v) => v.toFixed(1) },
      list.map((b) => s("rect", { class: "bin", x: x(b.low_confidence) + 1, width: x(b.high_confidence) - x(b.low_confidence) - 2, y: y((0.35 * b.answer_count) / most), height: y(0) - y((0.35 * b.answer_count) / most) })),
      s("line", { class: "diagonal", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
      s("polyline", { class: "curve calibration", points: list.map((b) => `${x(b.mean_confidence)},${y(b.accuracy)}`).join(" ") }),
      list.map((b) => s("circle", { class: "dot calibration", cx: x(b.mean_confidence), cy: y(b.accuracy), r: 5 }, s("title", {}, `${b.answer_count} answers: confidence ${b.mean_confidence.toFixed(3)}, accuracy ${b.accuracy.toFixed(3)}`))),
    )),
  );
}

function latencyChart(list) {
  const values = list.flatMap((p) => [p.latency_s, p.adjusted_latency_s]).filter((v) => v > 0);
  const ticks = decades(Math.min(...values), Math.max(...values));
  const x = log(ticks[0], ticks.at(-1), PAD.left, W - PAD.right);
  const y = linear(0, 1, 290 - PAD.bottom, PAD.top);
  const curve = (key) => list.filter((p) => p[key] > 0).map((p) => `${x(p[key])},${y(p.share)}`).join(" ");
  const same = list.every((p) => p.latency_s === p.adjusted_latency_s);
  return figure(
    "Whole-call latency",
    same ? "Share of calls that took at most so long; counted as measured." : "Share of calls that took at most so long: thin as measured, thick after the adjustment for where the system runs.",
    plot(
      "Distribution of latency; the quantiles are in the list beside it",
      { x, y, xTicks: ticks, yTicks: range(5, 0.25), xLabel: "Seconds (log)", yLabel: "Share of calls", xFormat: tick, yFormat: (v) => v.toFixed(2), height: 290 },
      s("polyline", { class: "curve raw", points: curve("latency_s") }),
      s("polyline", { class: "curve speed", points: curve("adjusted_latency_s") }),
    ),
  );
}

function familyChart(f) {
  const x = linear(0, 100, 4, 156);
  const at = (part) => (isNumber(f[part + "_correct"]) && f[part + "_n"] ? x((100 * f[part + "_correct"]) / f[part + "_n"]) : null);
  const [a, b] = PARTS.map(at);
  return s(
    "svg",
    { viewBox: "0 0 160 16", class: "dumbbell", "aria-hidden": "true" },
    s("line", { class: "grid", x1: 4, x2: 156, y1: 8, y2: 8 }),
    a !== null && b !== null && s("line", { class: "span", x1: a, x2: b, y1: 8, y2: 8 }),
    a !== null && s("circle", { class: "public", cx: a, cy: 8, r: 4.5 }),
    b !== null && s("circle", { class: "sealed", cx: b, cy: 8, r: 4.5 }),
  );
}

// ---------------------------------------------------------------- one system

function axisCard(row, axis, pairs) {
  const gate = gates(row).find((g) => g.axis === axis);
  return h(
    "section",
    { class: "card " + axis },
    h("h2", {}, capital(axis)),
    h("p", { class: "big" }, fixed(row[axis], 2, row)),
    meter(axis, row[axis]),
    gate && h("p", { class: "why" }, gate.why),
    facts(pairs),
  );
}

function systemView(here) {
  const row = boardRows(here).find((r) => r.system === here.more[0]);
  if (!row) return missing(`There is no system ${here.more[0]} on ${here.suite}, track ${here.track}.`);
  const latency = one("latency", row);
  const cost = one("costs", row);
  const size = (part) => rowsOf("parts", row, ["suite", "track"]).find((p) => p.part === part);
  const bins = PARTS.map((part) => [part, rowsOf("reliability", row).filter((b) => b.part === part)]).filter(([, list]) => list.length);
  const distribution = rowsOf("latency_distribution", row);
  const outcomes = rowsOf("outcomes", row);
  const states = [...new Set(outcomes.map((o) => o.outcome))];
  const families = rowsOf("families", row);
  const variants = rowsOf("sensitivity", row).filter((v) => v.variant !== "as_scored");
  const files = rowsOf("evidence", row, ["suite", "system"]);
  const money = (v) => (isNumber(v) ? significant(v) + " USD" : "n/a");
  const ranked = boardRows(here).filter((r) => r.ranked).length;
  return [
    h("p", { class: "crumb" }, h("a", { href: boardLink("board", here) }, `← ${here.suite}, track ${words(here.track)}`)),
    h(
      "div",
      { class: "title" },
      h("div", {}, h("h1", {}, row.display_name), h("p", { class: "marks" }, [row.endpoint_kind, row.probability_kind, row.evidence_level].map((t) => h("span", { class: "tag" }, words(t))))),
      h("p", { class: "hero" }, h("span", { class: "score" }, fixed(row.composite, 2, row)), h("span", { class: "muted" }, row.ranked ? `composite · rank ${row.rank} of ${ranked}` : "not ranked: " + row.unranked_reason)),
      boardPicker2(here, row),
    ),
    h(
      "div",
      { class: "cards" },
      axisCard(row, "intelligence", [
        ...PARTS.map((part) => isNumber(row[part + "_n"]) && [capital(part) + " accuracy", `${percent(share(row, part), row)} (${isNumber(row[part + "_correct"]) ? row[part + "_correct"] : absent(row)}/${row[part + "_n"]})`, size(part) && h("span", { class: "muted" }, ` chance ${percent(size(part).chance_rate)}`)]),
        ["Matched gap", isNumber(row.matched_gap_pp) ? signed(row.matched_gap_pp, 1) + " pp" : absent(row)],
        ["Factor for the gap", "×" + fixed(row.overfit_factor, 2)],
        ["Raw gap, for information", isNumber(row.overall_gap_pp) ? signed(row.overall_gap_pp, 1) + " pp" : absent(row)],
      ]),
      axisCard(row, "calibration", PARTS.flatMap((part) => [
        [capital(part) + " ECE", fixed(row[part + "_ece"], 4, row)],
        ["… valid probabilities", percent(row[part + "_probability_coverage"], row)],
      ])),
      axisCard(row, "speed", [
        ["p50 measured", isNumber(row.p50_s) ? significant(row.p50_s) + " s" : absent(row)],
        ["p50 adjusted", isNumber(row.adjusted_p50_s) ? `${significant(row.adjusted_p50_s)} s → ${fixed(latency.p50_points, 1)} points` : absent(row)],
        ["p95 measured", isNumber(row.p95_s) ? significant(row.p95_s) + " s" : absent(row)],
        ["p95 adjusted", isNumber(row.adjusted_p95_s) ? `${significant(row.adjusted_p95_s)} s → ${fixed(latency.p95_points, 1)} points` : absent(row)],
        ["Adjustment", `${latency.latency_factor} × seconds + ${latency.latency_addend_s}`],
        ["Calls", isNumber(row.latency_samples) ? String(row.latency_samples) : "not published"],
      ]),
      axisCard(row, "cost", [
        ["USD per 1,000", significant(row.usd_per_1000, row)],
        ["Points", fixed(cost.cost_points, 1)],
        ["Receipt coverage", percent(row.receipt_coverage, row)],
        ["Stands on", row.cost_source || "n/a"],
        isNumber(cost.costed_calls) && ["Costed calls", String(cost.costed_calls)],
        isNumber(cost.receipted_cost_usd) && ["Receipted", money(cost.receipted_cost_usd)],
        isNumber(cost.inference_s) && ["Charged time", `${significant(cost.inference_s)} s, ${money(cost.inference_cost_usd)}`],
        isNumber(cost.partial_cost_usd) && ["Partly known, at least", money(cost.partial_cost_usd)],
        isNumber(cost.retry_cost_usd) && ["Retries, apart", money(cost.retry_cost_usd)],
      ]),
    ),
    disclosures(here, row.system).length > 0 && section("Disclosures", h("ul", { class: "disclosures" }, disclosures(here, row.system).map((d) => h("li", {}, h("span", { class: "tag mark" }, words(d.kind)), " ", d.disclosure)))),
    families.length > 0 &&
      section(
        "Families on both parts",
        h("p", { class: "muted" }, h("span", { class: "key public" }), "public ", h("span", { class: "key sealed" }), "sealed. Matched families have enough items in both parts to count towards the gap."),
        plainTable("Families", [
          { label: "Family", head: true, value: (f) => words(f.family) },
          { label: "Public", numeric: true, cell: (f) => (isNumber(f.public_n) ? stacked(isNumber(f.public_correct) ? percent(f.public_correct / f.public_n) : absent(f), isNumber(f.public_correct) ? `${f.public_correct}/${f.public_n}` : `of ${f.public_n}`) : "none") },
          { label: "Sealed", numeric: true, cell: (f) => (isNumber(f.sealed_n) ? stacked(isNumber(f.sealed_correct) ? percent(f.sealed_correct / f.sealed_n) : absent(f), isNumber(f.sealed_correct) ? `${f.sealed_correct}/${f.sealed_n}` : `of ${f.sealed_n}`) : "none") },
          { label: "0 to 100 %", cell: familyChart },
          { label: "Gap", numeric: true, value: (f) => (isNumber(f.gap_pp) ? signed(f.gap_pp, 1) + " pp" : absent(f)) },
          { label: "Matched", value: (f) => (f.is_matched ? "yes" : "no") },
        ], families),
      ),
    bins.length > 0 &&
      section(
        "Reliability",
        h("div", { class: "charts" }, bins.map(([part, list]) => reliabilityChart(list, part))),
        h("details", {}, h("summary", {}, "Bins as a table"), plainTable("Reliability bins", [
          { label: "Part", head: true, value: (b) => b.part },
          { label: "Confidence", numeric: true, value: (b) => `${b.low_confidence.toFixed(1)} to ${b.high_confidence.toFixed(1)}` },
          { label: "Answers", numeric: true, value: (b) => String(b.answer_count) },
          { label: "Mean confidence", numeric: true, value: (b) => b.mean_confidence.toFixed(3) },
          { label: "Accuracy", numeric: true, value: (b) => b.accuracy.toFixed(3) },
        ], bins.flatMap(([, list]) => list))),
      ),
    (distribution.length > 0 || outcomes.length > 0) &&
      h(
        "div",
        { class: "charts" },
        distribution.length > 0 && section("Latency", latencyChart(distribution)),
        outcomes.length > 0 &&
          section("What the items ended as", plainTable("Outcomes by part", [
            { label: "Outcome", head: true, value: (state) => words(state) },
            ...PARTS.map((part) => ({ label: capital(part), numeric: true, value: (state) => { const o = outcomes.find((r) => r.outcome === state && r.part === part); return o ? fixed(o.item_count, 0, o) : "0"; } })),
          ], states)),
      ),
    variants.length > 0 &&
      section("Rank under other methods", plainTable("Rank under variants of the method", [
        { label: "Variant", head: true, cell: (v) => stacked(words(v.variant), v.meaning) },
        { label: "Composite", numeric: true, value: (v) => fixed(v.composite, 2) },
        { label: "Rank", numeric: true, value: (v) => String(v.rank) },
        { label: "Places", numeric: true, cell: (v) => h("span", { class: moved(v) }, v.rank_change ? signed(v.rank_change, 0) : "0") },
      ], variants)),
    section(
      "Evidence",
      h("p", {}, "Fingerprint ", h("code", { class: "hash" }, row.evidence_fingerprint || "n/a"), ": SHA-256 over the paths and hashes of these files."),
      files.length > 0 &&
        h("details", {}, h("summary", {}, `${files.length} files`), plainTable("Files of evidence", [
          { label: "File", head: true, value: (f) => f.path },
          { label: "Rows", numeric: true, value: (f) => String(f.row_count) },
          { label: "SHA-256", cell: (f) => h("code", { class: "hash" }, f.sha256) },
        ], files)),
    ),
  ];
}

function boardPicker2(here, row) {
  return h("ul", { class: "segments", "aria-label": "Track" }, here.board.tracks.map((t) => h("li", {}, h("a", { href: boardLink("system", { ...here, track: t }, row.system), "aria-current": t === here.track ? "true" : null }, words(t)))));
}

const moved = (v) => (v.rank_change > 0 ? "up" : v.rank_change < 0 ? "down" : "same");
const missing = (text) => [h("h1", {}, "Not on this board"), h("p", {}, text, " ", h("a", { href: "#/board" }, "To the leaderboard"))];

// ---------------------------------------------------------------- two systems

const MEASURES = [
  ["Composite", (r) => r.composite, (v, r) => fixed(v, 2, r), 1, 2],
  ...AXES.map((axis) => [capital(axis), (r) => r[axis], (v, r) => fixed(v, 1, r), 1, 1, axis]),
  ...GATED.map((axis) => [`Gate of ${axis}`, (r) => r["gate_" + axis], (v, r) => (isNumber(v) ? "×" + v.toFixed(2) : absent(r)), 1, 2]),
  ["Public accuracy, %", (r) => share(r, "public") === null ? null : 100 * share(r, "public"), (v, r) => isNumber(v) ? `${v.toFixed(1)} (${r.public_correct}/${r.public_n})` : absent(r), 1, 1],
  ["Sealed accuracy, %", (r) => share(r, "sealed") === null ? null : 100 * share(r, "sealed"), (v, r) => isNumber(v) ? `${v.toFixed(1)} (${r.sealed_correct}/${r.sealed_n})` : absent(r), 1, 1],
  ["Matched gap, pp", (r) => r.matched_gap_pp, (v, r) => (isNumber(v) ? signed(v, 1) : absent(r)), 0, 1],
  ["Public ECE", (r) => r.public_ece, (v, r) => fixed(v, 4, r), -1, 4],
  ["Sealed ECE", (r) => r.sealed_ece, (v, r) => fixed(v, 4, r), -1, 4],
  ["USD per 1,000", (r) => r.usd_per_1000, significant, -1, null],
  ["p50, s, as measured", (r) => r.p50_s, significant, -1, null],
  ["p95, s, as measured", (r) => r.p95_s, significant, -1, null],
  ["Receipt coverage", (r) => r.receipt_coverage, percent, 1, null],
];

function compareView(here) {
  const all = boardRows(here);
  const pair = here.more.map((system) => all.find((r) => r.system === system));
  if (pair.length !== 2 || !pair[0] || !pair[1]) return missing("Choose two systems of one board to compare them.");
  const pick = (n) =>
    h("label", {}, h("span", {}, n ? "with" : "Compare"), h("select", { name: n ? "second" : "first", onchange: (e) => { const next = [...here.more]; next[n] = e.target.value; location.hash = boardLink("compare", here, ...next); } }, all.map((r) => h("option", { value: r.system, selected: r.system === here.more[n] }, r.display_name))));
  const better = (m, n) => {
    const [a, b] = pair.map(m[1]);
    return isNumber(a) && isNumber(b) && m[3] * (n ? b - a : a - b) > 0;
  };
  const cell = (m, n) => h("span", { class: better(m, n) ? "better" : null }, m[2](m[1](pair[n]), pair[n]), better(m, n) && hidden(" (better)"), m[5] && meter(m[5], m[1](pair[n])));
  const difference = (m) => {
    const [a, b] = pair.map(m[1]);
    if (!isNumber(a) || !isNumber(b)) return "n/a";
    return m[4] === null ? (a > 0 && b > 0 ? "×" + significant(b / a) : "n/a") : signed(b - a, m[4]);
  };
  const families = pair.map((row) => rowsOf("families", row));
  const names = [...new Set(families.flat().map((f) => f.family))];
  const inFamily = (n, family, part) => { const f = families[n].find((r) => r.family === family); return f && isNumber(f[part + "_n"]) ? (isNumber(f[part + "_correct"]) ? stacked(percent(f[part + "_correct"] / f[part + "_n"]), `${f[part + "_correct"]}/${f[part + "_n"]}`) : absent(f)) : "none"; };
  return [
    h("p", { class: "crumb" }, h("a", { href: boardLink("board", here) }, `← ${here.suite}, track ${words(here.track)}`)),
    h("h1", {}, pair.map((r) => r.display_name).join(" and ")),
    h("div", { class: "filters" }, pick(0), pick(1)),
    plainTable("Comparison", [
      { label: "Figure", head: true, value: (m) => m[0] },
      ...[0, 1].map((n) => ({ label: pair[n].display_name, numeric: true, cell: (m) => cell(m, n) })),
      { label: "Difference", numeric: true, title: "second less first; for cost and latency second / first", value: difference },
    ], MEASURES, { class: "plain compare" }),
    names.length > 0 && section("Families", plainTable("Families of both", [
      { label: "Family", head: true, value: words },
      ...PARTS.flatMap((part) => [0, 1].map((n) => ({ label: `${pair[n].display_name}, ${part}`, numeric: true, cell: (family) => inFamily(n, family, part) }))),
    ], names)),
    section("Disclosures", pair.map((row) => [h("h3", {}, row.display_name), disclosures(here, row.system).length ? h("ul", { class: "disclosures" }, disclosures(here, row.system).map((d) => h("li", {}, h("span", { class: "tag mark" }, words(d.kind)), " ", d.disclosure))) : h("p", { class: "muted" }, "none")])),
  ];
}

// ---------------------------------------------------------------- sensitivity

function sensitivityView(here) {
  const list = rowsOf("sensitivity", here, ["method", "suite", "track"]);
  const ranked = sorted0(boardRows(here).filter((r) => r.ranked));
  const variants = [...new Set(list.map((v) => v.variant))].sort((a, b) => (b === "as_scored") - (a === "as_scored"));
  const meaning = new Map(list.map((v) => [v.variant, v.meaning]));
  const at = new Map(list.map((v) => [v.system + "\n" + v.variant, v]));
  const shade = (v) => `m${Math.max(-4, Math.min(4, v.rank_change))}`.replace("-", "n");
  return [
    h("div", { class: "title" }, h("div", {}, h("h1", {}, "Rank under other methods"), h("p", { class: "lead" }, "Each column changes one thing of the method and scores every system anew. A number is the rank that comes out; colour and sign say how many places that is up or down.")), boardPicker(here, "sensitivity")),
    list.length
      ? scroller(
          "Rank under other methods, scrolls sideways",
          h(
            "table",
            { class: "heat" },
            h("caption", { class: "sr" }, "Rank of each system under each variant"),
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "System"), variants.map((v) => h("th", { scope: "col", title: meaning.get(v) }, words(v))))),
            h("tbody", {}, ranked.map((row) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: boardLink("system", row, row.system) }, row.display_name)), variants.map((name) => {
              const v = at.get(row.system + "\n" + name);
              return h("td", { class: shade(v) }, String(v.rank), v.rank_change !== 0 && h("small", {}, signed(v.rank_change, 0)));
            })))),
          ),
        )
      : h("p", {}, "No system of this board is ranked."),
    h("dl", { class: "meanings" }, variants.map((v) => h("div", {}, h("dt", {}, words(v)), h("dd", {}, meaning.get(v))))),
  ];
}

// ---------------------------------------------------------------- documents

const DOCUMENTS = Object.keys(CONTENT.tables).filter((t) => t.startsWith("documents") && CONTENT.tables[t].n);

const SHARE = /, share$/;

function documentCell(table, column, row) {
  const v = row[column];
  if (v === null || v === undefined) return absent(row);
  if (typeof v === "boolean") return v ? "yes" : "no";
  if (!isNumber(v)) return String(v);
  if (SHARE.test(comment(table, column))) return v.toFixed(4);
  return Number.isInteger(v) ? String(v) : significant(v);
}

function genericTable(label, table, list, omit) {
  const columns = Object.keys(CONTENT.tables[table].columns).filter((c) => !omit.includes(c) && list.some((r) => r[c] !== null && r[c] !== undefined && r[c] !== ""));
  const first = columns.includes("system") ? "system" : columns[0];
  return plainTable(label, [first, ...columns.filter((c) => c !== first)].map((c) => ({
    label: words(c),
    title: comment(table, c),
    head: c === first,
    numeric: list.some((r) => isNumber(r[c])),
    value: (row) => documentCell(table, c, row),
  })), list);
}

function confusion(label, list) {
  const [truths, guesses] = ["true_category", "predicted_category"].map((c) => [...new Set(list.map((r) => r[c]))].sort());
  const at = new Map(list.map((r) => [r.true_category + "\n" + r.predicted_category, r]));
  const most = Math.max(1, ...list.map((r) => r.unit_count || 0));
  return scroller(label, h("table", { class: "heat" }, h("caption", {}, label + ": rows are true, columns predicted categories"), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true"), guesses.map((g) => h("th", { scope: "col" }, words(g))))), h("tbody", {}, truths.map((t) => h("tr", {}, h("th", { scope: "row" }, words(t)), guesses.map((g) => {
    const cell = at.get(t + "\n" + g);
    const count = cell ? cell.unit_count : 0;
    return h("td", { class: count ? (t === g ? "hit" : "miss") : "zero", css: { "--depth": Math.round((60 * (count || 0)) / most + (count ? 12 : 0)) + "%" } }, cell && !isNumber(count) ? absent(cell) : String(count));
  }))))));
}

function documentsView() {
  const blocks = DOCUMENTS.map((table) => {
    const by = ["comparison", "run_id", "task", ...(table === "documents_confusion" ? ["system"] : [])].filter((c) => c in CONTENT.tables[table].columns);
    if (by.includes("comparison")) by.splice(by.indexOf("run_id"), by.includes("run_id") ? 1 : 0);
    const groups = new Map();
    for (const row of rows(table)) {
      const id = by.map((c) => row[c]).join(" · ") || "all";
      if (!groups.has(id)) groups.set(id, []);
      groups.get(id).push(row);
    }
    const description = (CONTENT.models.find(([schema, name]) => schema === "board" && name === table) || ["", "", ""])[2];
    return section(capital(table), h("p", { class: "muted" }, description), [...groups].map(([id, list]) => [h("h3", {}, id), table === "documents_confusion" ? confusion(id, list) : genericTable(`${capital(table)}: ${id}`, table, list, [...by, ...Object.keys(list[0]).filter((c) => list.every((r) => typeof r[c] === "string" && r[c] && id.includes(r[c])))])]));
  });
  return [
    h("h1", {}, "Documents"),
    h("p", { class: "lead" }, "One table per condition: runs with another scope, concurrency or text are not comparable and never share one. Column heads explain themselves on hover; the Method page has the same text."),
    blocks,
  ];
}

// ---------------------------------------------------------------- method, data

function methodView() {
  const methods = [...new Set(rows("methods").map((p) => p.method))];
  const schemas = [...new Set(CONTENT.models.map(([schema]) => schema))];
  return [
    h("h1", {}, "How it is scored"),
    h("p", { class: "lead" }, "The parameters below are the ones that scored this board. The models are the steps from frozen facts and recorded calls to the board, in order, each in the words of its own definition."),
    methods.map((method) => section(method, h("p", { class: "muted" }, "Scores " + (boards.filter((b) => b.method === method).map((b) => b.suite).join(", ") || "documents")), plainTable("Parameters of " + method, [
      { label: "Parameter", head: true, value: (p) => words(p.parameter) + (p.applies_to ? ` (${words(p.applies_to)})` : "") },
      { label: "Value", numeric: true, value: (p) => p.value },
      { label: "Unit", value: (p) => p.unit || "" },
      { label: "What it does", value: (p) => p.meaning },
    ], rows("methods").filter((p) => p.method === method)))),
    section("Models", schemas.map((schema) => h("div", {}, h("h3", {}, schema), CONTENT.models.filter(([name]) => name === schema).map(([, table, text]) => h("details", {}, h("summary", {}, h("strong", {}, table), " ", h("span", { class: "muted" }, text)), facts((CONTENT.columns[`${schema}.${table}`] || []).map(([column, what]) => [column, what]))))))),
  ];
}

function dataView() {
  const description = (table) => (CONTENT.models.find(([schema, name]) => schema === "board" && name === table) || ["", "", ""])[2];
  return [
    h("h1", {}, "Data"),
    h("p", { class: "lead" }, "Every table of the board in full precision, in the folder beside this page."),
    plainTable("Downloads", [
      { label: "Table", head: true, cell: (d) => stacked(words(d.table), description(d.table)) },
      { label: "Rows", numeric: true, value: (d) => String(d.rows) },
      ...["csv", "parquet"].map((form) => ({ label: form === "csv" ? "CSV" : "Parquet", numeric: true, cell: (d) => h("a", { href: `data/${d.table}.${form}`, download: `${d.table}.${form}`, "aria-label": `${d.table} as ${form}` }, isNumber(d.bytes[form]) ? bytes(d.bytes[form]) : form) })),
    ], CONTENT.downloads),
  ];
}

// ---------------------------------------------------------------- page

const VIEWS = { board: boardView, system: systemView, compare: compareView, sensitivity: sensitivityView, documents: documentsView, method: methodView, data: dataView };
const NAV = [["board", "Leaderboard"], ["sensitivity", "Sensitivity"], ...(DOCUMENTS.length ? [["documents", "Documents"]] : []), ["method", "Method"], ["data", "Data"]];

function show(first) {
  const here = boards.length ? route() : { view: "documents", more: [] };
  current = here;
  [W, H] = innerWidth < 640 ? [340, 300] : [560, 380];
  const main = document.getElementById("main");
  const view = VIEWS[here.view] || boardView;
  main.replaceChildren(...view(here).flat(Infinity).filter(Boolean));
  main.className = "view-" + here.view;
  document.title = main.querySelector("h1").textContent + " · jevhouse";
  document.getElementById("nav").replaceChildren(
    ...NAV.map(([name, label]) => {
      const on = name === here.view || (name === "board" && ["system", "compare"].includes(here.view));
      return h("li", {}, h("a", { href: ["board", "sensitivity"].includes(name) && boards.length ? boardLink(name, here) : link(name), "aria-current": on ? "page" : null }, label));
    }),
  );
  if (!first) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

const THEMES = ["auto", "light", "dark"];

function theme(name) {
  document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.textContent = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[name];
  button.setAttribute("aria-label", `Colours: ${name}. Change`);
}

function remembered() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // a page opened from a file may have no storage
  }
}

theme(THEMES.includes(remembered()) ? remembered() : "auto");
document.getElementById("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % 3];
  theme(next);
  try {
    localStorage.setItem("theme", next);
  } catch {
    // shown all the same
  }
});
if (CONTENT.watermark) {
  const mark = document.getElementById("watermark");
  mark.textContent = `${CONTENT.watermark}: no passing audit stands behind these figures.`;
  mark.hidden = false;
}
document.getElementById("foot").append(h("p", {}, "Built from board.* of one audited state, ", h("code", { class: "hash" }, CONTENT.state.slice(0, 16)), ". This page asks no network for anything."));
addEventListener("hashchange", () => show(false));
show(true);
