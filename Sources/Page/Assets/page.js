// The page: shows the state that the server sends, and sends the server what a user does.
// Foreign text is set as text, never as markup.

const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(max-width: 44rem)");

/** Makes an element: attributes, then children; text becomes text. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
function setText(element, text) { if (element.textContent !== text) element.textContent = text; }

// MARK: The token, which comes behind # and is kept for this tab alone.

function keepForTab(name, text) { try { sessionStorage.setItem(name, text); } catch { /* kept in memory alone */ } }
function keptForTab(name) { try { return sessionStorage.getItem(name); } catch { return null; } }
const given = /(?:^#|&)token=([0-9a-f]+)/i.exec(location.hash);
if (given) keepForTab("token", given[1]);
/** A place to open at first, such as known/Home/edit: what stands behind open=. */
let wanted = /(?:^#|&)open=([^&]+)/.exec(location.hash)?.[1] ?? null;
if (wanted) { try { wanted = decodeURIComponent(wanted); } catch { wanted = null; } }
if (given || wanted) history.replaceState(null, "", location.pathname);
const token = given?.[1] ?? keptForTab("token");
/** What this tab is called: the filter, the order, the selection and what is open are of one name. */
let browser = keptForTab("browser");
if (!browser) {
  browser = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, "0")).join("");
  keepForTab("browser", browser);
}
const identity = () => (token ? { Page: browser, Authorization: `Bearer ${token}` } : { Page: browser });

// MARK: State

let S = null;
const rows = new Map();
/** Rows that the filter hides, as they are. */
const resting = new Map();
let bars = new Map();
let clock = { nowMs: 0, at: 0 };
const now = () => clock.nowMs + (S?.header.clockRuns ? performance.now() - clock.at : 0);
const local = { span: 120_000, band: null, openElements: new Set() };

function time(ms) {
  const since = Math.round(ms - S.header.originMs);
  const two = value => String(Math.floor(value)).padStart(2, "0");
  if (!S.header.isTimeOfDay) {
    const [sign, tenths] = [since < 0 ? "−" : "+", Math.floor(Math.abs(since) / 100)];
    if (tenths < 36000) return `${sign}${Math.floor(tenths / 10)}.${tenths % 10} s`;
    return `${sign}${Math.floor(tenths / 36000)}:${two((tenths / 600) % 60)}:${two((tenths / 10) % 60)}`;
  }
  const seconds = ((Math.floor(since / 1000) % 86400) + 86400) % 86400;
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
}
function age(ms) {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return "now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3600)} h ago`;
}

// MARK: What a user does

/** The bytes of a text that the server takes, as PageAction.maximumTextLength. */
const longestText = 256;
/** What was typed, cut where the server takes no more; the field is left alone while a method of input composes. */
function typed(input, event) {
  const encoder = new TextEncoder();
  const characters = [...input.value];
  let size = encoder.encode(input.value).length;
  while (size > longestText) size -= encoder.encode(characters.pop()).length;
  const text = characters.join("");
  if (text !== input.value && !event.isComposing) input.value = text;
  return text;
}
const queue = [];
let isSending = false;
/** Controls whose value was sent and has not come back: until this revision they keep what was typed. */
const held = new Map();
const merged = new Set(["name", "priority", "filter", "minimumSignal", "highlight", "interval", "password", "seek", "band"]);

/** Why nothing can be done now: the server does not answer. */
let offline = null;
function setOffline(words) {
  offline = words;
  banner("offline", words);
  // Controls that change only this page stay enabled.
  const own = ".spans input, #channel-bands input, #zoom, #unfold, .check input";
  for (const control of document.querySelectorAll("button, input, select")) {
    if (words && !control.disabled && !control.matches(own)) { control.disabled = true; control.dataset.offline = ""; }
    if (!words && "offline" in control.dataset) { control.disabled = false; delete control.dataset.offline; }
  }
}
function act(action, control) {
  if (offline) return toast(offline);
  if (!S?.mayAct && !S?.viewActions.includes(action.do)) return toast("This page may only read. Open the address that was printed when the server was started.");
  if (control) held.set(control, Infinity);
  const entry = { action, control };
  const last = queue.at(-1);
  if (last && merged.has(action.do) && last.action.do === action.do) queue[queue.length - 1] = entry;
  else queue.push(entry);
  if (!isSending) send();
}
const counted = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;
async function send() {
  isSending = true;
  while (queue.length > 0) {
    const { action, control } = queue.shift();
    let revision = 0;
    let isTaken = false;
    try {
      const answer = await fetch("action", {
        method: "POST", headers: { "Content-Type": "application/json", ...identity() }, body: JSON.stringify(action), cache: "no-store",
        signal: AbortSignal.timeout(30_000),
      });
      if (answer.ok) {
        isTaken = true;
        const result = await answer.json();
        revision = result.revision;
        if (result.sentence) toast(result.sentence);
      } else {
        toast((await answer.text()).trim());
      }
    } catch (error) {
      const isLate = error.name === "TimeoutError";
      toast(isLate ? "The server did not answer for 30 seconds; what was done may be lost." : "The server did not answer.");
    }
    // Nothing is joined or saved with a password that was not taken whole.
    if (!isTaken && action.do === "password") while (["join", "save"].includes(queue[0]?.action.do)) queue.shift();
    if (control && !queue.some(entry => entry.control === control)) {
      held.set(control, revision);
      if (S && S.revision >= revision) { held.delete(control); showHeader(); showControls(); }
    }
  }
  isSending = false;
}
function isHeld(control) {
  if (S.revision < held.get(control)) return true;
  held.delete(control);
  return false;
}
let toastTimer = 0;
function toast(sentence) {
  const element = $("toast");
  // A dialog covers what is outside of it, for a screen reader, too.
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (element.parentNode !== place) place.append(element);
  setText(element, sentence);
  element.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element.hidden = true; }, 6000);
}

// MARK: Header and controls

function showHeader() {
  const h = S.header;
  const isOn = h.isOn;
  const isAbsent = isOn && h.phase === "absent";
  $("wifi").setAttribute("aria-checked", String(isOn && !isAbsent));
  setText($("source"), [h.interface, h.country, h.source].filter(Boolean).join(" · "));
  const paused = S.controls.isPaused && !h.playback;
  const [look, words] = !isOn ? ["held", "Off"]
    : isAbsent ? ["bad", "No adapter"]
    : paused ? ["held", "Paused"]
    : h.phase === "failing" ? ["bad", "Not scanning"]
    : h.phase === "joining" ? ["busy", "Scans wait for the join"]
    : h.phase === "ended" ? ["held", "At the end"]
    : h.phase === "waiting" ? (h.playback && !h.playback.isPlaying ? ["held", "Stopped"] : ["live", h.playback ? "Playing" : "Live"]) : ["busy", "Scanning…"];
  const phase = $("phase");
  phase.className = `phase ${look}`;
  const more = isOn && h.scanCount > 0
    ? [`scan ${h.scanCount.toLocaleString("en")}`, h.lastEndMs === undefined ? null : time(h.lastEndMs), h.completion].filter(Boolean) : [];
  setText(phase.querySelector(".words"), [words, ...more].join(" · "));
  banner("problem", isOn ? h.problem : undefined);
  banner("note", h.note);
  $("readonly").hidden = S.mayAct;
  document.body.classList.toggle("readonly", !S.mayAct);
  document.title = isAbsent ? "Wi-Fi: no adapter" : isOn ? `Wi-Fi: ${counted(h.totalCount, "network")}` : "Wi-Fi: off";
  const p = h.playback;
  $("time").hidden = !p;
  for (const element of document.querySelectorAll("#stepper, #scan, #pause, footer .live")) element.hidden = Boolean(p);
  $("known-open").hidden = Boolean(p) || !isOn;
  $("wifi").disabled = Boolean(p) || isAbsent || !S.mayAct;
  if (p) {
    $("position").max = p.count;
    if (!isHeld("position")) $("position").value = p.position;
    setText($("place"), `scan ${p.position} of ${p.count} · ${(p.timeMs / 1000).toFixed(1)} of ${(p.durationMs / 1000).toFixed(1)} s`);
    setText($("play"), p.isPlaying ? "Pause" : "Play");
  }
  showCount();
}
function banner(id, text) {
  const element = $(id);
  element.hidden = !text;
  if (text) setText(element, text);
}
function showCount() {
  const [count, total] = [rows.size, S.header.totalCount].map(number => number.toLocaleString("en"));
  setText($("count"), !S.header.isOn ? "" : count === total ? total : `${count} of ${total}`);
}

// Looked for once: the list below them has tens of thousands of elements.
const shared = [...document.querySelectorAll(".run button, .timebar button, .timebar input")];
function showControls() {
  const c = S.controls;
  const field = (id, value) => { const element = $(id); if (!isHeld(id) && element.value !== value) element.value = value; };
  field("filter", c.filterText);
  if (!isHeld("band")) {
    const wanted = c.bands.length === 1 ? c.bands[0] : "all";
    for (const input of $("bands").querySelectorAll("input")) input.checked = input.value === wanted;
  }
  field("minimum", String(c.minimumSignalDBm ?? -100));
  showMinimum();
  field("protection", c.protection);
  field("generation", c.minimumGeneration === undefined ? "" : String(c.minimumGeneration));
  field("sort", c.sort);
  setText($("interval"), `every ${c.intervalSeconds} s`);
  $("pause").setAttribute("aria-pressed", String(c.isPaused));
  setText($("pause"), c.isPaused ? "Paused" : "Pause");
  for (const heading of $("headings").children) {
    const what = heading.dataset.sort;
    if (!what) continue;
    const isSorted = what === c.sort;
    // The first order of a signal is from strong to weak.
    const ascending = (what === "signal") === c.isReversed;
    heading.setAttribute("aria-sort", isSorted ? (ascending ? "ascending" : "descending") : "none");
    setText(heading.querySelector(".arrow"), isSorted ? (ascending ? " ▴" : " ▾") : "");
  }
  for (const control of shared) control.disabled = !S.mayAct;
  showCurrent();
}
function showMinimum() {
  const value = Number($("minimum").value);
  setText($("minimumText"), value <= -100 ? "any" : `${value} dBm`.replace("-", "−"));
}

// MARK: The list

const columns = [
  ["name", "Name", "name", "name"], ["signal", "Signal", "signal"], ["trend", "Last minute"], ["channel", "Ch", "channel", "number"],
  ["band", "GHz"], ["width", "MHz", null, "number"], ["generation", "Wi-Fi"], ["security", "Security", "security"],
  ["aps", "APs", null, "number"], ["heard", "Heard"], ["join", ""],
];
for (const [id, title, sort, extra] of columns) {
  const heading = el("th", { scope: "col", role: "columnheader", class: `w-${id} ${extra ?? ""}`, "data-sort": sort });
  if (sort) {
    heading.append(el("button", { type: "button", onclick: () => sortBy(sort) }, title, el("span", { class: "arrow", "aria-hidden": "true" })));
  } else {
    heading.append(title || el("span", { class: "hidden" }, "Action"));
  }
  $("headings").append(heading);
}
function sortBy(criterion) { act({ do: "sort", value: criterion, isReversed: S.controls.sort === criterion && !S.controls.isReversed }); }

function barsIcon() {
  const icon = svg("svg", { viewBox: "0 0 18 14", class: "bars", "aria-hidden": "true" });
  [4, 7, 10, 13].forEach((height, index) => { icon.append(svg("rect", { x: index * 4.7, y: 14 - height, width: 3.4, height, rx: 1 })); });
  return icon;
}
function lockIcon() {
  return svg("svg", { viewBox: "0 0 10 12", class: "lock", "aria-hidden": "true" },
    svg("path", { d: "M2 5V3.4a3 3 0 0 1 6 0V5h.4c.6 0 1 .4 1 1v5c0 .6-.4 1-1 1H1.6c-.6 0-1-.4-1-1V6c0-.6.4-1 1-1zm1.2 0h3.6V3.4a1.8 1.8 0 0 0-3.6 0z" }));
}
/** A row without its texts: a copy of it costs a tenth of a new one. */
const rowTemplate = (() => {
  const tr = el("tr", { role: "row" });
  for (const [id, , , extra] of columns) {
    const cell = el(id === "name" ? "th" : "td", { class: `w-${id} ${extra ?? ""}`, role: id === "name" ? "rowheader" : "cell", scope: id === "name" ? "row" : undefined });
    if (id === "name") {
      cell.append(el("button", { type: "button", class: "row", tabindex: "-1" }, el("span", { class: "text" }), lockIcon(),
        el("span", { class: "badge", hidden: true }), el("span", { class: "badge keep", hidden: true }, "kept"), el("span", { class: "meta", "aria-hidden": "true" })));
    } else if (id === "signal") {
      cell.append(el("span", { class: "signal" }, barsIcon(), el("span")));
    } else if (id === "trend") {
      cell.append(svg("svg", { viewBox: "0 0 60 60", preserveAspectRatio: "none", class: "trend", "aria-hidden": "true" }, svg("path")));
    } else if (id === "join") {
      cell.append(el("button", { type: "button", class: "join", tabindex: "-1" }));
    }
    tr.append(cell);
  }
  return tr;
})();
const shown = new Set();
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) {
    if (entry.isIntersecting) { shown.add(entry.target); drawMoving(rows.get(entry.target.dataset.key)); } else shown.delete(entry.target);
  }
}, { rootMargin: "120px" });

function makeRow(row, trend) {
  const tr = rowTemplate.cloneNode(true);
  tr.dataset.key = row.key;
  const cells = {};
  columns.forEach(([id], index) => { cells[id] = tr.children[index]; });
  const button = cells.name.firstElementChild;
  const [text, , badge, keep, meta] = button.children;
  const signal = cells.signal.firstElementChild;
  const entry = {
    row, tr, cells, button, text, badge, keep, meta, bars: signal.firstElementChild, level: signal.lastElementChild,
    path: cells.trend.firstElementChild.firstElementChild, join: cells.join.firstElementChild, trend,
  };
  drawRow(entry);
  watcher.observe(tr);
  return entry;
}
function drawRow(entry) {
  const { row, tr, cells, button, badge, join } = entry;
  tr.classList.toggle("lost", row.isLost);
  button.classList.toggle("unnamed", !row.isNamed);
  button.classList.toggle("open", !row.isSecured);
  setText(entry.text, row.name);
  badge.hidden = !row.isJoined && !row.isLost;
  badge.className = row.isJoined && !row.isLinkLost ? "badge good" : "badge away";
  setText(badge, row.isLinkLost ? "connection lost" : row.isJoined ? (row.isLost ? "joined, out of range" : "joined") : "lost");
  entry.keep.hidden = row.key !== S.controls.followed;
  const meta = [row.security, row.channel === undefined ? null : `ch ${row.channel}`, row.bands ? `${row.bands} GHz` : null, row.generation];
  setText(entry.meta, meta.filter(Boolean).join(" · "));
  setText(cells.channel, row.channel === undefined ? "–" : String(row.channel));
  setText(cells.band, row.bands || "–");
  setText(cells.width, row.widthMHz === undefined ? "–" : String(row.widthMHz));
  setText(cells.generation, (row.generation ?? "–").replace("Wi-Fi ", ""));
  setText(cells.security, row.security);
  cells.security.classList.toggle("weak", row.isWeak);
  setText(cells.aps, String(row.accessPointCount));
  join.hidden = !(row.isJoined || (!row.isLost && S.header.joins));
  const word = row.isJoined ? "Details" : "Join";
  setText(join, word);
  join.setAttribute("aria-label", `${word}: ${row.name}`);
  drawSignal(entry);
}
function drawSignal(entry) {
  const { row, button } = entry;
  entry.bars.setAttribute("class", `bars b${row.isLost ? 0 : row.bars}`);
  setText(entry.level, row.isLost ? "lost" : row.dBm === undefined ? `${row.percent} %` : `${row.dBm}`.replace("-", "−"));
  button.setAttribute("aria-label", [
    row.name, row.isLinkLost ? "connection lost" : row.isJoined ? "joined" : null, row.isLost ? "lost" : `${row.bars} of 4 bars`, row.dBm === undefined ? null : `${row.dBm} dBm`,
    row.isSecured ? row.security : `${row.security}, needs no password`,
  ].filter(Boolean).join(", "));
  drawMoving(entry);
}
/** What continues with time: only for rows that are in sight. */
function drawMoving(entry) {
  if (!entry || !shown.has(entry.tr)) return;
  setText(entry.cells.heard, entry.row.heardMs === undefined ? "–" : age(now() - entry.row.heardMs));
  const end = now();
  const start = end - 60_000;
  let d = "";
  let last = null;
  // A line that began before the picture does comes in at its left edge.
  const draw = step => { d = (d || `M0 ${level(last, 60).toFixed(1)}`) + step; };
  for (const [at, dBm] of entry.trend) {
    if (at < start) { last = dBm || null; continue; }
    const x = ((at - start) / 1000).toFixed(1);
    const y = dBm ? level(dBm, 60).toFixed(1) : null;
    if (last === null) { if (dBm) d += `M${x} ${y}`; }
    else draw(dBm ? `H${x}V${y}` : `H${x}`);
    last = dBm || null;
  }
  if (last !== null && !entry.row.isLost) draw("H60");
  if (entry.drawn !== d) { entry.drawn = d; entry.path.setAttribute("d", d); }
}
const level = (dBm, height) => height - Math.min(Math.max((dBm + 100) / 80, 0), 1) * height;

function remember(entry) {
  const { row, trend } = entry;
  const at = row.heardMs ?? now();
  // A recording may be wound back.
  while (trend.length > 0 && trend.at(-1)[0] >= at) trend.pop();
  trend.push([at, row.isLost ? 0 : row.dBm ?? Math.round(row.percent * 0.6 - 100)]);
  while (trend.length > 2 && trend[1][0] < now() - 90_000) trend.shift();
}

/** The list itself, which changes at once. */
const list = {
  place(entry, before) { $("rows").insertBefore(entry.tr, rows.get(before)?.tr ?? null); },
  remove(entry) { moveFocusAway(entry); entry.tr.remove(); },
  move(entry, before) {
    const focused = entry.tr.contains(document.activeElement) ? document.activeElement : null;
    list.place(entry, before);
    focused?.focus({ preventScroll: true });
  },
};
/** The order of the list, which is set once: many changes of rows at once, as a filter makes, cost less so. */
function makeOrder() {
  const body = $("rows");
  const focusedKey = document.activeElement?.closest?.("#rows tr")?.dataset.key;
  const focusedClass = document.activeElement?.classList[0];
  // A list with links: to insert before a row costs the same wherever it is.
  const next = new Map(), previous = new Map();
  let last = null;
  for (const tr of body.children) { previous.set(tr.dataset.key, last); next.set(last, tr.dataset.key); last = tr.dataset.key; }
  next.set(last, null);
  previous.set(null, last);
  return {
    place({ row: { key } }, before) {
      const at = rows.has(before) ? before : null;
      const ahead = previous.get(at);
      next.set(ahead, key); previous.set(key, ahead); next.set(key, at); previous.set(at, key);
    },
    remove({ row: { key } }) { const [before, after] = [previous.get(key), next.get(key)]; next.set(before, after); previous.set(after, before); },
    move(entry, before) { this.remove(entry); this.place(entry, before); },
    show() {
      const order = [];
      for (let key = next.get(null); key !== null; key = next.get(key)) order.push(rows.get(key).tr);
      body.replaceChildren(...order);
      if (!focusedKey) return;
      const entry = rows.get(focusedKey) ?? rows.get(order[0]?.dataset.key);
      (focusedClass === "join" ? entry?.join : entry?.button)?.focus({ preventScroll: true });
    },
  };
}
function applyRows(changes, animation) {
  const weight = changes.reduce((sum, one) => sum + (one.hide ?? one.show ?? "1").length, 0);
  const order = weight < 32 ? null : makeOrder();
  for (const change of changes) applyRow(change, order ?? list, order ? null : animation);
  order?.show();
}
/** A row leaves the list. */
function forget(entry) {
  watcher.unobserve(entry.tr);
  shown.delete(entry.tr);
}
/** A row came that the filter hides. */
function keep(row) {
  const entry = makeRow(row, []);
  forget(entry);
  remember(entry);
  resting.set(row.key, entry);
}
function applyRow(change, list, animation) {
  let entry;
  const takeOut = key => {
    entry = rows.get(key);
    if (!entry) return false;
    list.remove(entry);
    forget(entry);
    return rows.delete(key);
  };
  if (change.insert) {
    entry = makeRow(change.insert, []);
    rows.set(change.insert.key, entry);
    remember(entry);
    list.place(entry, change.before);
    flash(entry, animation, "in");
  } else if (change.remove) {
    resting.delete(change.remove);
    takeOut(change.remove);
  } else if (change.hide) {
    for (const key of change.hide) if (takeOut(key)) resting.set(key, entry);
  } else if (change.show) {
    for (const key of change.show) {
      entry = resting.get(key);
      if (!entry) continue;
      resting.delete(key);
      // While it was hidden, only what it shows was kept up to date.
      if (entry.isOld) { entry.isOld = false; drawRow(entry); }
      watcher.observe(entry.tr);
      rows.set(key, entry);
      list.place(entry, change.before);
    }
  } else if (change.keep) {
    keep(change.keep);
  } else if (change.move) {
    entry = rows.get(change.move);
    if (entry) list.move(entry, change.before);
  } else if (change.update || change.signal) {
    const key = change.signal ?? change.update.key;
    entry = rows.get(key) ?? resting.get(key);
    if (!entry) return;
    entry.row = change.update ?? { ...entry.row, dBm: change.dBm, percent: change.percent, bars: change.bars, heardMs: change.heardMs };
    remember(entry);
    // A row that is hidden is drawn when it comes back.
    if (!rows.has(key)) entry.isOld = true;
    else if (change.signal) drawSignal(entry);
    else { drawRow(entry); flash(entry, animation, "new"); }
  }
}
function moveFocusAway(entry) {
  if (!entry.tr.contains(document.activeElement)) return;
  const next = entry.tr.nextElementSibling ?? entry.tr.previousElementSibling;
  if (next) rows.get(next.dataset.key)?.button.focus({ preventScroll: true });
}
let flashes = 0;
/** What changed fades for as long as the change is animated. */
function flash(entry, animation, kind) {
  if (!animation || still.matches || flashes > 24) return;
  flashes += 1;
  const frames = kind === "in" ? [{ opacity: 0 }, { opacity: 1 }] : [{ opacity: 0.55 }, { opacity: 1 }];
  entry.tr.animate(frames, { duration: animation.durationMs, easing: "ease-out" });
}

/** The rows that are marked as the current one, and as the one that Tab leads to. */
const marks = { current: null, first: null };
function showCurrent() {
  const current = rows.get(S.controls.cursor) ?? null;
  const first = current ?? rows.get($("rows").firstElementChild?.dataset.key) ?? null;
  if (marks.current !== current) {
    marks.current?.tr.classList.remove("current");
    marks.current?.tr.removeAttribute("aria-current");
  }
  current?.tr.classList.add("current");
  current?.tr.setAttribute("aria-current", "true");
  if (marks.first) { marks.first.button.tabIndex = -1; marks.first.join.tabIndex = -1; }
  if (first) { first.button.tabIndex = 0; first.join.tabIndex = 0; }
  Object.assign(marks, { current, first });
}
function showEmpty() {
  const empty = $("empty");
  const h = S.header;
  const isEmpty = rows.size === 0;
  empty.hidden = !isEmpty;
  $("table").hidden = isEmpty;
  if (!isEmpty) return;
  const [title, text] = !h.isOn ? ["Wi-Fi is off", "Turn it on with the switch."]
    : h.problem ? [h.phase === "absent" ? "No adapter" : "No networks", "See above for what keeps this from scanning."]
    : h.totalCount > 0 ? ["No network matches the filter", `It hides ${h.totalCount}. Esc in the filter clears it.`]
    : h.playback ? ["No network was heard in this scan", "The bar above goes to others."]
    : h.scanCount === 0 ? ["Scanning…", "The first scan takes a few seconds."] : ["No network was heard", "Scan again, or look with wifi-harness doctor."];
  empty.replaceChildren(el("strong", {}, title), text);
}

$("rows").addEventListener("click", event => {
  const tr = event.target.closest("tr");
  const key = tr?.dataset.key;
  if (!key) return;
  if (event.target.closest(".join")) return act({ do: "tap", network: key });
  if (narrow.matches && S.mayAct) return act({ do: "info", network: key });
  // A key on the row that is highlighted already joins; a second click of a mouse does where it is a double one.
  const isKey = event.detail === 0;
  if (isKey && key === S.controls.cursor && S.mayAct) return act({ do: S.header.joins ? "tap" : "info", network: key });
  act({ do: "highlight", network: key });
});
$("rows").addEventListener("dblclick", event => {
  const key = event.target.closest("tr")?.dataset.key;
  if (key && !event.target.closest(".join") && !narrow.matches && S.mayAct) act({ do: S.header.joins ? "tap" : "info", network: key });
});
$("rows").addEventListener("keydown", event => {
  const tr = event.target.closest("tr");
  if (!tr || event.ctrlKey || event.metaKey || event.altKey) return;
  const list = $("rows");
  const page = 10;
  const walk = steps => {
    let target = tr;
    for (let step = 0; step < Math.abs(steps); step += 1) target = (steps > 0 ? target.nextElementSibling : target.previousElementSibling) ?? target;
    return target;
  };
  const target = { ArrowDown: () => walk(1), ArrowUp: () => walk(-1), PageDown: () => walk(page), PageUp: () => walk(-page),
    Home: () => list.firstElementChild, End: () => list.lastElementChild }[event.key]?.();
  if (!target) return;
  event.preventDefault();
  const entry = rows.get(target.dataset.key);
  entry.button.focus();
  act({ do: "highlight", network: target.dataset.key });
});

// MARK: Details

const chosenMembers = 6;
function showDetails() {
  const d = S.details;
  const layer = S.layers.find(layer => layer.kind === "detail");
  setText($("details-title"), d ? d.summary.name : "Details");
  setText($("page-title"), layer && d ? d.summary.name : "");
  fillDetails($("details-body"), d, null);
  fillDetails($("page-body"), layer ? d : null, layer ?? null);
}
function fillDetails(body, d, layer) {
  if (!d) {
    body.replaceChildren(...(body.id === "details-body" ? [el("p", { class: "soft" }, S.header.isOn ? "No network to show." : "Wi-Fi is off.")] : []));
    body.view = null;
    return;
  }
  if (body.view?.key !== d.summary.key) body.view = makeDetails(body, d, Boolean(layer));
  drawDetails(body.view, d, layer);
}
function makeDetails(body, d, isPage) {
  const key = d.summary.key;
  const view = { key, isPage, lead: el("div", { class: "lead" }), facts: el("dl", { class: "facts" }), members: el("ul", { class: "members" }), elements: el("div") };
  const spans = el("fieldset", { class: "segments small spans" }, el("legend", { class: "hidden" }, "Time of the chart"));
  for (const [ms, text] of [[120_000, "2 min"], [600_000, "10 min"], [3_600_000, "1 h"]]) {
    const input = el("input", { type: "radio", name: `span-${body.id}`, value: ms, checked: local.span === ms });
    input.addEventListener("change", () => { local.span = ms; drawCharts(); });
    spans.append(el("label", {}, input, el("span", {}, text)));
  }
  view.chart = svg("svg", { class: "chart", role: "img" });
  view.spans = spans;
  const signal = [el("div", { class: "charthead" }, el("h3", {}, "Signal in dBm"), spans), view.chart, el("h3", {}, "Access points"), view.members];
  view.groups = el("details", { class: "groups" }, el("summary", {}), view.elements);
  view.groups.open = isPage;
  body.replaceChildren(view.lead, ...(isPage
    ? [el("div", { class: "columns" }, el("div", {}, view.facts, ...signal), el("div", {}, el("h3", {}, "Elements"), view.elements))]
    : [view.facts, ...signal, view.groups]));
  return view;
}
function drawDetails(view, d, layer) {
  const s = d.summary;
  if (view.summary !== s || view.layer !== layer || view.followed !== S.controls.followed || view.mayAct !== S.mayAct) {
    Object.assign(view, { summary: s, layer, followed: S.controls.followed, mayAct: S.mayAct });
    const focusedName = view.lead.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    const lead = [];
    if (s.isJoined) lead.push(el("span", { class: "badge good" }, "joined"));
    if (s.isLost || layer?.isLost) lead.push(el("span", { class: "badge away" }, "out of range: what was known last"));
    const button = (name, kind, text, action) => el("button", { type: "button", class: kind, "data-name": name, onclick: () => act(action()) }, text);
    if (!s.isJoined && !s.isLost && S.header.joins) lead.push(button("join", "strong", s.isSecured ? "Join…" : "Join", () => ({ do: "tap", network: s.key })));
    if (!view.isPage) {
      if (s.isJoined || !s.isLost) lead.push(button("info", "quiet", s.isJoined ? "Details and forget…" : "All details", () => ({ do: "info", network: s.key })));
      const isKept = S.controls.followed === s.key;
      const keep = button("keep", "quiet", isKept ? "Kept" : "Keep here", () => ({ do: "follow" }));
      keep.setAttribute("aria-pressed", String(isKept));
      keep.title = "Keep these details, whichever row is highlighted";
      lead.push(keep);
    } else if (layer?.canForget) {
      lead.push(button("forget", "danger", "Forget…", () => ({ do: "forget", over: layer.number })));
    }
    view.lead.replaceChildren(...lead);
    if (focusedName) view.lead.querySelector(`[data-name="${focusedName}"]`)?.focus();
    view.facts.replaceChildren(...s.facts.flatMap(fact => [el("dt", {}, fact.name), el("dd", { class: fact.isWarning ? "weak" : "" }, fact.value.replace(/ (GHz|MHz|dBm|%)/g, "\u00a0$1"))]));
    view.members.replaceChildren(...s.members.map((member, index) => el("li", {},
      el("span", { class: index < chosenMembers ? `swatch k${index}` : "" }), el("span", { class: "mono" }, member.bssid),
      el("span", {}, member.dBm === undefined ? "–" : `${member.dBm} dBm`.replace("-", "−")),
      el("span", { class: "more" }, [member.isJoined ? "joined" : null, "channel " + member.channel, member.name, member.load].filter(Boolean).join(" · ")))));
  }
  if (view.shownElements !== d.elements) {
    view.shownElements = d.elements;
    const count = d.elements.reduce((sum, group) => sum + group.elements.length, 0);
    const summary = view.groups.querySelector("summary");
    if (summary) setText(summary, counted(count, "decoded element"));
    const many = d.elements.length > 1;
    // Some of them change with each scan, and all are made anew.
    const focused = view.elements.contains(document.activeElement) && document.activeElement.dataset.id;
    view.elements.replaceChildren(...d.elements.flatMap(group => [
      ...(many ? [el("h3", { class: "mono" }, group.bssid)] : []),
      ...group.elements.map(element => {
        const id = `${group.bssid} ${element.name}`;
        const item = el("details", { class: "elements", open: local.openElements.has(id) },
          el("summary", { class: element.isMalformed ? "weak" : "", "data-id": id }, element.name), el("pre", {}, element.text || "no fields"));
        item.addEventListener("toggle", () => { if (item.open) local.openElements.add(id); else local.openElements.delete(id); });
        return item;
      }),
    ]));
    if (focused) [...view.elements.querySelectorAll("summary")].find(each => each.dataset.id === focused)?.focus();
  }
  drawChart(view, d);
}
function drawCharts() {
  for (const id of ["details-body", "page-body"]) {
    const view = $(id).view;
    if (!view) continue;
    for (const input of view.spans.querySelectorAll("input")) input.checked = Number(input.value) === local.span;
    if (S.details) drawChart(view, S.details);
  }
}
/** Lines across a chart, a signal at each. */
const grid = (signals, left, end, y) => signals.flatMap(dBm => [
  svg("line", { class: "grid", x1: left, x2: end, y1: y(dBm), y2: y(dBm) }),
  svg("text", { x: left - 6, y: y(dBm) + 4, "text-anchor": "end" }, `−${-dBm}`),
]);
function drawChart(view, d) {
  const chart = view.chart;
  const width = Math.round(chart.clientWidth);
  if (!width) return;
  const height = Math.round(chart.clientHeight);
  const [left, right, top, bottom] = [34, 10, 8, 20];
  const end = now();
  const start = end - local.span;
  const x = at => left + ((at - start) / local.span) * (width - left - right);
  const y = dBm => top + level(dBm, height - top - bottom);
  const parts = grid([-30, -50, -70, -90], left, width - right, y);
  const ago = local.span >= 3_600_000 ? "1 h ago" : `${local.span / 60_000} min ago`;
  parts.push(svg("text", { x: left, y: height - 5 }, ago), svg("text", { x: width - right, y: height - 5, "text-anchor": "end" }, "now"));
  const hold = Math.max(30_000, S.controls.intervalSeconds * 3000);
  const all = [];
  d.curves.forEach((curve, index) => {
    let line = "";
    let gaps = "";
    let before = null;
    for (let i = 0; i < curve.points.length; i += 2) {
      const [at, dBm] = [curve.points[i], curve.points[i + 1]];
      if (at < start) { before = [at, dBm]; continue; }
      all.push(dBm);
      const point = `${x(at).toFixed(1)} ${y(dBm).toFixed(1)}`;
      if (before && before[0] < start) before = [start, before[1], at - before[0]];
      const gap = before ? before[2] ?? at - before[0] : Infinity;
      const from = before ? `${x(before[0]).toFixed(1)} ${y(before[1]).toFixed(1)}` : null;
      if (gap > hold) { if (from) gaps += `M${from}H${x(at).toFixed(1)}`; line += `M${point}h.01`; }
      else line += line && before?.length === 2 ? `L${point}` : `M${from}L${point}`;
      before = [at, dBm];
    }
    if (!before) return;
    all.push(before[1]);
    const last = Math.max(before[0], start);
    if (!d.summary.isLost) gaps += `M${x(last).toFixed(1)} ${y(before[1]).toFixed(1)}H${x(end).toFixed(1)}`;
    if (gaps) parts.push(svg("path", { class: `curve hold k${index}`, d: gaps }));
    if (line) parts.push(svg("path", { class: `curve k${index}`, d: line }));
    parts.push(svg("circle", { class: `end k${index}`, cx: x(last), cy: y(before[1]), r: 3.5 }));
  });
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  chart.setAttribute("aria-label", all.length === 0 ? "No signal was heard in this time"
    : `Signal of ${d.summary.name}: between ${Math.min(...all)} and ${Math.max(...all)} dBm, ${all.at(-1)} dBm last`);
  chart.replaceChildren(...parts);
}

// MARK: Channels

const bandPlans = {
  "2.4GHz": { low: 2397, high: 2499, name: "2.4 GHz", ticks: [...Array.from({ length: 13 }, (_, i) => [i + 1, 2412 + 5 * i]), [14, 2484]] },
  "5GHz": {
    low: 5150, high: 5895, name: "5 GHz",
    ticks: [36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 149, 153, 157, 161, 165, 169, 173, 177].map(n => [n, 5000 + 5 * n]),
  },
  "6GHz": { low: 5925, high: 7125, name: "6 GHz", ticks: Array.from({ length: 59 }, (_, i) => [1 + 4 * i, 5955 + 20 * i]) },
};
/** A colour for a name: of names that differ in one letter, too, another. */
function hue(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 12)) >>> 0) % 360;
}
for (const [band, plan] of Object.entries(bandPlans)) {
  const input = el("input", { type: "radio", name: "channel-band", value: band });
  input.addEventListener("change", () => { local.band = band; drawChannels(); });
  $("channel-bands").append(el("label", {}, input, el("span", {}, plan.name)));
}
let plotIsSeen = false;
let plotIsDue = 0;
new IntersectionObserver(entries => { plotIsSeen = entries.at(-1).isIntersecting; if (plotIsSeen && S) drawChannels(); }, { rootMargin: "200px" }).observe($("plot"));
/** Draws the channels soon: at most once a second, and only in sight. */
function channelsChanged() {
  if (plotIsDue || !plotIsSeen) return;
  plotIsDue = setTimeout(() => { plotIsDue = 0; if (!document.hidden) drawChannels(); }, 1000);
}
/** The most shapes that can be distinguished. */
const maximumShapes = 120;
function drawChannels() {
  const counts = { "2.4GHz": 0, "5GHz": 0, "6GHz": 0 };
  for (const bar of bars.values()) counts[bar.band] += 1;
  const subject = S.details?.summary.key;
  const own = [...bars.values()].find(bar => bar.network === subject)?.band;
  const band = local.band ?? own ?? Object.keys(counts).reduce((best, one) => (counts[one] > counts[best] ? one : best));
  for (const input of $("channel-bands").querySelectorAll("input")) input.checked = input.value === band;
  // The weakest behind, the chosen one in front.
  const all = [...bars.values()].filter(bar => bar.band === band)
    .sort((a, b) => (a.network === subject) - (b.network === subject) || (a.dBm ?? -100) - (b.dBm ?? -100) || (a.key < b.key ? -1 : 1));
  const list = all.slice(-maximumShapes);
  // What is heard beside the channels of the plan, as at 4.9 GHz, is in the picture, too.
  const plan = {
    ...bandPlans[band],
    low: Math.min(bandPlans[band].low, ...list.map(bar => bar.lowMHz)), high: Math.max(bandPlans[band].high, ...list.map(bar => bar.highMHz)),
  };
  const plot = $("plot");
  const zoom = Number($("zoom").value);
  const room = plot.clientWidth - 14;
  if (room <= 0) return;
  const width = Math.round(Math.max(room * zoom, narrow.matches && band !== "2.4GHz" ? room * 2 : 0));
  const height = plot.firstElementChild?.clientHeight || 240;
  const loads = new Map((S.loads?.channels ?? []).map(channel => [channel.megahertz, channel]));
  const isBusyShown = plan.ticks.some(([, MHz]) => loads.has(MHz)) || S.loads?.isLoading === true;
  const [left, right, top, bottom] = [34, 8, 20, isBusyShown ? 37 : 22];
  const x = MHz => left + ((MHz - plan.low) / (plan.high - plan.low)) * (width - left - right);
  const y = dBm => top + level(dBm, height - top - bottom);
  const base = height - bottom;
  const parts = grid([-40, -60, -80], left, width - right, y);
  parts.push(svg("line", { class: "grid", x1: left, x2: width - right, y1: base, y2: base }));
  let free = -Infinity;
  for (const [number, MHz] of plan.ticks) {
    if (x(MHz) < free) continue;
    parts.push(svg("text", { x: x(MHz), y: height - bottom + 16, "text-anchor": "middle" }, String(number)));
    const load = loads.get(MHz);
    if (load) {
      const title = svg("title", {}, `Channel ${number}: busy ${load.busyPercent} %${load.noiseDBm === undefined ? "" : `, noise −${-load.noiseDBm} dBm`}`);
      parts.push(svg("text", { x: x(MHz), y: height - 6, "text-anchor": "middle", class: load.busyPercent >= 60 ? "busy much" : load.busyPercent >= 30 ? "busy some" : "busy" }, `${load.busyPercent} %`, title));
    }
    free = x(MHz) + (number > 99 ? 30 : 24);
  }
  if (isBusyShown) parts.push(svg("text", { x: left - 6, y: height - 6, "text-anchor": "end" }, S.loads.isLoading ? "busy…" : "busy"));
  const taken = [];
  const named = [];
  const labels = [];
  for (const bar of list) {
    const isChosen = bar.network === subject;
    const color = `hsl(${hue(bar.network)} 62% 50%)`;
    const [low, high, peak] = [x(bar.lowMHz), x(bar.highMHz), y(bar.dBm ?? -95)];
    const slope = Math.min((high - low) * 0.12, 14);
    parts.push(svg("path", {
      class: isChosen ? "shape chosen" : "shape", fill: color, stroke: color, "data-network": bar.network,
      d: `M${low.toFixed(1)} ${base}L${(low + slope).toFixed(1)} ${peak.toFixed(1)}H${(high - slope).toFixed(1)}L${high.toFixed(1)} ${base}Z`,
    }, svg("title", {}, `${bar.name}, ${bar.bssid}: ${bar.lowMHz} to ${bar.highMHz} MHz, primary ${bar.primaryMHz} MHz, ${bar.dBm ?? "?"} dBm`)));
    // The place of the primary channel, which a wide bar does not show by itself.
    parts.push(svg("line", { x1: x(bar.primaryMHz), x2: x(bar.primaryMHz), y1: peak, y2: peak + 5, stroke: color, "stroke-width": 2 }));
  }
  for (const bar of list.slice().reverse()) {
    if (named.length >= 40) break;
    const isChosen = bar.network === subject;
    const text = bar.name.length > 18 ? bar.name.slice(0, 17) + "…" : bar.name;
    const [center, peak] = [(x(bar.lowMHz) + x(bar.highMHz)) / 2, y(bar.dBm ?? -95)];
    const half = text.length * 3.4 + 3;
    const at = Math.min(Math.max(center, left + half), width - right - half);
    // Of several access points of a network in one place the strongest bears its name.
    if (named.some(other => other.network === bar.network && Math.abs(other.center - center) < half)) continue;
    // On the bar; where another name is there, in it or above it, as near as there is room, with a line that leads up
    // there.
    const near = taken.filter(other => other[0] < at + half && at - half < other[1]);
    const box = [peak - 17, ...near.flatMap(other => [other[3], other[2] - 14])].map(high => [at - half, at + half, high, high + 14])
      .filter(box => box[2] >= 0 && box[3] <= base && Math.abs(box[2] - peak + 17) < 60 && !near.some(other => other[2] < box[3] && box[2] < other[3]))
      .sort((a, b) => Math.abs(a[2] - peak + 17) - Math.abs(b[2] - peak + 17))[0];
    if (!box && !isChosen) continue;
    const line = box ? box[3] - 3 : peak - 6;
    named.push({ network: bar.network, center });
    taken.push(box ?? [at - half, at + half, peak - 17, peak - 3]);
    if (line < peak - 6) {
      labels.push(svg("line", { class: "leader", x1: at, x2: center, y1: line + 2, y2: peak, stroke: `hsl(${hue(bar.network)} 62% 50%)` }));
    }
    labels.push(svg("text", { class: isChosen ? "label chosen" : "label", x: at, y: line, "text-anchor": "middle" }, text));
  }
  if (list.length === 0) labels.push(svg("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, `Nothing was heard on ${plan.name}.`));
  if (all.length > list.length) {
    labels.push(svg("text", { x: width - right, y: 12, "text-anchor": "end" }, `the ${list.length} strongest of ${all.length.toLocaleString("en")}`));
  }
  const names = new Set(all.map(bar => bar.network)).size;
  plot.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": `${counted(all.length, "access point")} of ${counted(names, "network")} on ${plan.name}` }, ...parts, ...labels));
}
$("plot").addEventListener("click", event => {
  const network = event.target.closest("[data-network]")?.getAttribute("data-network");
  if (network) act({ do: "highlight", network });
});
$("zoom").addEventListener("input", () => drawChannels());

// MARK: Events

function eventItem(event) {
  return el("li", {}, el("span", { class: "soft" }, time(event.timeMs)), el("span", { class: `kind ${event.kind}` }, event.kind),
    el("span", {}, event.name), el("span", { class: "detail" }, event.detail));
}
function showEvents() {
  $("events").replaceChildren(...S.events.last.slice().reverse().map(eventItem));
  setText($("event-count"), S.events.totalCount ? S.events.totalCount.toLocaleString("en") : "");
  if (S.events.last.length === 0) $("events").append(el("li", { class: "soft" }, "Nothing has happened yet."));
}
let news = { found: [], lost: [] };
let newsTimer = 0;
/** A screen reader hears what was found and lost, some seconds at a time. */
function announceNews(events) {
  for (const event of events) news[event.kind]?.push(event.name);
  if (newsTimer || (news.found.length === 0 && news.lost.length === 0)) return;
  newsTimer = setTimeout(() => {
    const words = (names, word) => names.length === 0 ? "" : names.length > 3 ? `${word} ${names.length} networks. ` : `${word} ${names.join(", ")}. `;
    setText($("news"), words(news.found, "Found") + words(news.lost, "Lost"));
    news = { found: [], lost: [] };
    newsTimer = 0;
  }, 3000);
}

// MARK: What lies over the list

let sheetNumber = null;
let questionNumber = null;
let pageNumber = null;
function showLayers() {
  const [page, sheet, add, question] = ["detail", "sheet", "knownSheet", "question"].map(kind => S.layers.find(layer => layer.kind === kind));
  const known = S.layers.findLast(layer => layer.kind === "known" || layer.kind === "knownPage");
  document.body.classList.toggle("paged", Boolean(page || known));
  showKnown(known);
  $("page").hidden = !page;
  if (page && pageNumber !== page.number) { scrollTo(0, 0); $("page-title").focus(); }
  if (!page && !known && pageNumber !== null) (rows.get(S.controls.cursor)?.button ?? $("list-title")).focus();
  pageNumber = page?.number ?? null;
  showSheet(sheet);
  showAdd(add);
  showQuestion(question, sheet);
}

// MARK: Known networks

let knownNumber = null;
let knownKind = null;
let knownShown = null;
/** The list, or the page of the one network that lies over it. */
function showKnown(layer) {
  const kind = layer?.kind ?? null;
  const isNew = layer && layer.number !== knownNumber;
  const wasShown = knownNumber !== null;
  $("known").hidden = kind !== "known";
  $("edit").hidden = kind !== "knownPage";
  if (kind === "known") showKnownList(layer, isNew && knownKind !== "knownPage");
  if (kind === "knownPage") {
    setText($("edit-title"), layer.title);
    setText($("edit-facts"), layer.facts ?? "");
    showForm($("edit-form"), layer, "edit");
    if (isNew) { scrollTo(0, 0); $("edit-title").focus(); }
  } else {
    $("edit-form").view = null;
    $("edit-form").replaceChildren();
  }
  if (!layer && wasShown) $("known-open").focus();
  knownNumber = layer?.number ?? null;
  knownKind = kind;
}
function showKnownList(layer, isNew) {
  if (isNew) { scrollTo(0, 0); $("known-title").focus(); }
  const rows = layer.rows;
  const inRange = rows.filter(row => row.isInRange).length;
  setText($("known-count"), rows.length ? `${rows.length}, ${inRange} in range` : "");
  $("known-add").hidden = !layer.can.includes("add");
  $("known-add").disabled = !S.mayAct;
  $("known-list").disabled = !S.mayAct || layer.isLoading;
  const state = $("known-state");
  const [sentence, isBad] = layer.failure && rows.length ? [layer.failure, true]
    : !layer.isSaved ? ["The daemon forgets the last change when it ends: wpa_supplicant needs update_config=1 to keep it.", false] : [null, false];
  state.hidden = !sentence;
  state.classList.toggle("bad", isBad);
  setText(state, sentence ?? "");
  const empty = $("known-empty");
  empty.hidden = rows.length > 0;
  $("known-table").hidden = rows.length === 0;
  if (!rows.length) {
    const [title, text] = layer.failure ? ["No list", layer.failure] : layer.isLoading ? ["Asking which networks are known…", ""]
      : ["No network is known", layer.can.includes("add") ? "Add one here; joining one makes it known, too." : "Joining one makes it known."];
    empty.replaceChildren(el("strong", {}, title), text);
  }
  const text = JSON.stringify([rows, layer.can, S.mayAct]);
  if (knownShown === text && $("known-rows").childElementCount === rows.length) return;
  knownShown = text;
  const focused = document.activeElement?.closest?.("#known-rows tr")?.dataset.key;
  const focusedWhat = document.activeElement?.dataset.what;
  $("known-rows").replaceChildren(...rows.map(row => knownRow(row, layer)));
  if (focused) {
    const tr = [...$("known-rows").children].find(tr => tr.dataset.key === focused);
    (tr?.querySelector(`[data-what="${focusedWhat}"]`) ?? tr?.querySelector("button"))?.focus({ preventScroll: true });
  }
}
function knownRow(row, layer) {
  const button = (what, kind, title, action) => el("button", {
    type: "button", class: kind, "data-what": what, disabled: !S.mayAct, "aria-label": `${title}: ${row.name}`, onclick: () => act({ ...action, over: knownNumber }),
  }, title);
  const name = el("button", { type: "button", class: "known-name", "data-what": "edit", disabled: !S.mayAct, "aria-label": `Edit ${row.name}`, onclick: () => act({ do: "edit", known: row.key, over: knownNumber }) }, row.name);
  const range = el("span", { class: "signal" });
  if (row.bars !== undefined) {
    const icon = barsIcon();
    icon.setAttribute("class", `bars b${row.bars}`);
    range.append(icon, el("span", {}, row.dBm === undefined ? "yes" : `${row.dBm} dBm`.replace("-", "−")));
  } else {
    range.append(row.isInRange ? "yes" : "no");
  }
  return el("tr", { role: "row", "data-key": row.key, class: row.isInRange || row.isJoined ? "" : "away" },
    el("th", { role: "rowheader", scope: "row", class: "k-name" }, name, " ", row.isJoined ? el("span", { class: "badge good" }, "joined") : null,
      row.isHidden ? el("span", { class: "soft" }, "· hidden") : null),
    el("td", { role: "cell", class: "k-range" }, range),
    el("td", { role: "cell", class: `k-security ${row.isWeak ? "weak" : ""}` }, row.security),
    el("td", { role: "cell", class: "k-priority number", "data-label": "Priority" }, row.priority === undefined ? "–" : String(row.priority).replace("-", "−")),
    el("td", { role: "cell", class: "k-auto", "data-label": "Auto-join" }, row.joinsAutomatically ? "yes" : "no"),
    el("td", { role: "cell", class: "k-actions" },
      layer.can.includes("duplicate") ? button("duplicate", "link", "Duplicate", { do: "duplicate", known: row.key }) : null,
      layer.can.includes("forget") ? button("forget", "link bad", "Forget", { do: "forgetKnown", known: row.key }) : null));
}
$("known-open").addEventListener("click", () => act({ do: "known" }));
for (const [id, action] of Object.entries({ "known-back": "back", "edit-back": "back", "known-add": "add", "known-list": "list" })) {
  $(id).addEventListener("click", () => act({ do: action, over: knownNumber }));
}

/** Whether a number is being typed that is none yet: nothing, a sign alone, or one that is not taken. */
const isUnfinished = input => input.type === "number" && (input.value === "" || !input.validity.valid) && document.activeElement === input;
/** Fills a form with the fields of a layer: made once for a layer and its fields, then only set. */
function showForm(form, layer, id) {
  const shape = `${layer.number} ${layer.fields} ${layer.can} ${layer.securityChoices.length}`;
  if (form.view?.shape !== shape) makeForm(form, layer, id, shape);
  const view = form.view;
  view.number = layer.number;
  const set = (field, value) => {
    const input = view.inputs[field];
    if (input && !isHeld(`${id}-${field}`) && input.value !== value && !isUnfinished(input)) input.value = value;
  };
  view.priority = layer.priority;
  set("name", layer.name ?? "");
  set("priority", String(layer.priority));
  for (const [field, value] of [["autoconnect", layer.joinsAutomatically], ["hidden", layer.isHidden]]) {
    if (view.inputs[field] && !isHeld(`${id}-${field}`)) view.inputs[field].setAttribute("aria-checked", String(value));
  }
  if (view.inputs.security && !isHeld(`${id}-security`)) view.inputs.security.value = layer.security;
  const password = view.inputs.password;
  if (password) {
    // What was saved is no change any more, and is not kept here either.
    if (layer.passwordCount === 0 && password.value && !isHeld(`${id}-password`) && !queue.some(entry => entry.control === `${id}-password`)) password.value = "";
    password.placeholder = password.value === "" && layer.passwordCount > 0 && !isHeld(`${id}-password`) ? "•".repeat(layer.passwordCount) : view.hint;
  }
  view.state.className = layer.isFailure ? "state failed" : "state";
  setText(view.state, layer.status ?? "");
  view.save.disabled = !S.mayAct || layer.isSaving || (id === "edit" && !layer.canSave);
  setText(view.cancel ?? view.save, view.cancel ? (layer.isSaving ? "Stop" : "Cancel") : layer.isSaving ? "Saving…" : "Save");
  for (const control of form.querySelectorAll("input, select, .switch, .quiet, .danger")) control.disabled = !S.mayAct;
}
function makeForm(form, layer, id, shape) {
  const focused = form.contains(document.activeElement) ? document.activeElement.id : null;
  const view = { shape, inputs: {}, number: layer.number, hint: id === "edit" ? "unchanged" : layer.facts ? "that of the original" : "" };
  const change = (field, name, value) => act({ do: name, over: view.number, value }, `${id}-${field}`);
  const titles = { name: "Name", security: "Security", password: id === "edit" ? "New password" : "Password", priority: "Priority", autoconnect: "Auto-join", hidden: "Hidden name" };
  const parts = [];
  for (const field of layer.fields) {
    const control = `${id}-${field}`;
    const old = form.view?.inputs[field];
    let input;
    const extras = [];
    if (field === "name" || field === "password") {
      input = el("input", { type: field === "name" ? "text" : "password", id: control, autocomplete: "off", spellcheck: "false", maxlength: field === "name" ? "128" : "1024" });
      input.addEventListener("input", event => change(field, field, field === "name" ? typed(input, event) : input.value));
      if (field === "password") {
        const show = el("input", { type: "checkbox", id: `${id}-show` });
        show.addEventListener("change", () => { input.type = show.checked ? "text" : "password"; });
        extras.push(el("label", { class: "check" }, show, el("span", {}, "Show")));
      }
    } else if (field === "security") {
      input = el("select", { id: control }, ...layer.securityChoices.map(choice => el("option", { value: choice.value }, choice.title)));
      input.addEventListener("change", () => change(field, "security", input.value));
    } else if (field === "priority") {
      input = el("input", { type: "number", id: control, min: "-999", max: "999", step: "1" });
      input.addEventListener("input", () => { if (input.value !== "" && input.checkValidity()) change(field, "priority", Number(input.value)); });
      // What was left unfinished is what it was.
      input.addEventListener("blur", () => { if (input.value === "" || !input.validity.valid) input.value = view.priority; });
      extras.push(el("span", { class: "hint" }, "the higher is joined first"));
    } else {
      input = el("button", { type: "button", id: control, class: "switch", role: "switch", "aria-checked": "false" }, el("span", {}));
      input.addEventListener("click", () => {
        const isOn = input.getAttribute("aria-checked") !== "true";
        if (S.mayAct) input.setAttribute("aria-checked", String(isOn));
        change(field, field, isOn);
      });
      extras.push(el("span", { class: "hint" }, field === "autoconnect" ? "joined whenever it is in range" : "asked for by name"));
    }
    // What is being typed survives a field that comes or goes.
    if (old && "value" in old && field !== "security") input.value = old.value;
    view.inputs[field] = input;
    parts.push(el("label", { for: control }, titles[field]), el("div", { class: "value" }, input, ...extras));
  }
  view.state = el("p", { class: "state", role: "status" });
  view.save = el("button", { type: "submit", class: "strong", id: `${id}-save` }, id === "edit" ? "Save" : layer.facts ? "Duplicate" : "Add");
  const buttons = el("div", { class: "buttons" });
  const other = (kind, title, action) => el("button", { type: "button", class: kind, id: `${id}-${action}`, onclick: () => act({ do: action, over: view.number }) }, title);
  if (id === "edit") {
    buttons.append(view.save);
    if (layer.can.includes("duplicate")) buttons.append(other("quiet", "Duplicate…", "duplicate"));
    if (layer.can.includes("forget")) buttons.append(other("danger", "Forget…", "forget"));
  } else {
    view.cancel = other("quiet", "Cancel", "cancel");
    buttons.append(view.cancel, view.save);
  }
  form.replaceChildren(...parts, view.state, buttons);
  form.view = view;
  if (focused) $(focused)?.focus();
}
for (const id of ["edit", "add"]) {
  $(`${id}-form`).addEventListener("submit", event => {
    event.preventDefault();
    const view = event.target.view;
    if (!view || view.save.disabled) return;
    const password = view.inputs.password;
    if (password?.value) act({ do: "password", over: view.number, value: password.value }, `${id}-password`);
    act({ do: "save", over: view.number });
  });
}
let addNumber = null;
function showAdd(layer) {
  const dialog = $("add");
  if (!layer) {
    addNumber = null;
    if (dialog.open) dialog.close();
    $("add-form").view = null;
    $("add-form").replaceChildren();
    return;
  }
  addNumber = layer.number;
  setText($("add-title"), layer.title);
  setText($("add-facts"), layer.facts ?? "");
  showForm($("add-form"), layer, "add");
  if (!dialog.open) { dialog.showModal(); $("add-name").focus(); $("add-name").select(); }
}
function showSheet(layer) {
  const dialog = $("sheet");
  if (!layer) {
    if (dialog.open) dialog.close();
    $("password").value = "";
    sheetNumber = null;
    return;
  }
  const field = $("password");
  if (sheetNumber !== layer.number) {
    sheetNumber = layer.number;
    field.value = "";
    field.type = "password";
    $("show").checked = false;
  }
  setText($("sheet-title"), `Join ${layer.name}`);
  setText($("sheet-facts"), layer.facts);
  const elsewhere = field.value === "" && layer.passwordCount > 0 && !isHeld("password");
  field.placeholder = elsewhere ? "•".repeat(layer.passwordCount) : "";
  field.disabled = !S.mayAct;
  const state = $("sheet-state");
  state.className = layer.isConnecting ? "state" : "state failed";
  setText(state, layer.isConnecting ? `Joining: ${layer.progress ?? "waiting for the access point"}…` : layer.failure ?? (layer.isLost ? "This network is out of range now." : ""));
  $("sheet-join").disabled = layer.isConnecting || !S.mayAct;
  setText($("sheet-cancel"), layer.isConnecting ? "Stop" : "Cancel");
  if (!dialog.open) { dialog.showModal(); field.focus(); }
}
function showQuestion(layer, sheet) {
  const dialog = $("question");
  if (!layer) {
    const wasOpen = dialog.open;
    if (wasOpen) dialog.close();
    // A password that was wrong is replaced by what is typed next.
    if (wasOpen && sheet) { $("password").focus(); $("password").select(); }
    questionNumber = null;
    return;
  }
  setText($("question-title"), layer.title);
  setText($("question-text"), layer.message ?? "");
  if (questionNumber !== layer.number) {
    questionNumber = layer.number;
    $("question-buttons").replaceChildren(...layer.buttons.map((button, index) => el("button", {
      type: "button", class: button.role === "destructive" ? "danger" : "quiet", autofocus: button.role === "cancel",
      onclick: () => act({ do: "answer", over: layer.number, value: index }),
    }, button.title)));
  }
  if (!dialog.open) dialog.showModal();
}
const topNumber = () => S.layers.at(-1)?.number ?? 0;
for (const id of ["sheet", "question", "add"]) {
  $(id).addEventListener("cancel", event => { event.preventDefault(); act({ do: "cancel", over: topNumber() }); });
  // A browser may close a dialog whatever is said: the state decides.
  $(id).addEventListener("close", () => {
    if ($(id).contains($("toast"))) document.body.append($("toast"));
    const number = { sheet: sheetNumber, question: questionNumber, add: addNumber }[id];
    if (number !== null && S.layers.some(layer => layer.number === number)) { act({ do: "cancel", over: topNumber() }); setTimeout(() => showLayers(), 300); }
  });
}
$("password").addEventListener("input", () => act({ do: "password", over: sheetNumber, value: $("password").value }, "password"));
$("show").addEventListener("change", () => { $("password").type = $("show").checked ? "text" : "password"; });
$("sheet-form").addEventListener("submit", event => {
  event.preventDefault();
  if ($("sheet-join").disabled) return;
  // Another page or the terminal may have typed since: what is joined with is what stands here.
  if ($("password").value) act({ do: "password", over: sheetNumber, value: $("password").value }, "password");
  act({ do: "join", over: sheetNumber });
});
$("sheet-cancel").addEventListener("click", () => act({ do: "cancel", over: sheetNumber }));
$("page-back").addEventListener("click", () => act({ do: "back", over: pageNumber }));

// MARK: Controls

$("wifi").addEventListener("click", () => act({ do: "wifi", value: !S.header.isOn }));
$("scan").addEventListener("click", () => {
  act({ do: "scan" });
  // Where no scan begins the answer says why.
  if (S.header.isOn && !S.controls.isPaused) toast("Scanning as soon as the adapter can.");
});
$("pause").addEventListener("click", () => act({ do: "pause", value: !S.controls.isPaused }));
const intervals = [1, 2, 5, 10, 15, 30, 60, 120, 300];
const pauseFor = value => { if (value) act({ do: "interval", value }); };
$("less").addEventListener("click", () => pauseFor(intervals.findLast(one => one < S.controls.intervalSeconds)));
$("more").addEventListener("click", () => pauseFor(intervals.find(one => one > S.controls.intervalSeconds)));
$("tools").addEventListener("submit", event => event.preventDefault());
$("filter").addEventListener("input", event => act({ do: "filter", value: typed($("filter"), event) }, "filter"));
$("filter").addEventListener("keydown", event => {
  if (event.key === "Escape" && $("filter").value) { $("filter").value = ""; act({ do: "filter", value: "" }, "filter"); event.preventDefault(); }
  if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); $("rows").querySelector('.row[tabindex="0"]')?.focus(); }
});
for (const input of document.querySelectorAll("#bands input")) input.addEventListener("change", () => act({ do: "band", value: input.value }, "band"));
$("minimum").addEventListener("input", () => {
  const value = Number($("minimum").value);
  showMinimum();
  act({ do: "minimumSignal", value: value <= -100 ? null : value }, "minimum");
});
for (const id of ["protection", "sort"]) $(id).addEventListener("change", () => act({ do: id, value: $(id).value }, id));
$("generation").addEventListener("change", () => act({ do: "minimumGeneration", value: $("generation").value ? Number($("generation").value) : null }, "generation"));
$("unfold").addEventListener("click", () => {
  const isOpen = $("conditions").classList.toggle("open");
  $("unfold").setAttribute("aria-expanded", String(isOpen));
});
const seek = value => act({ do: "seek", value }, "position");
$("first").addEventListener("click", () => seek(1));
$("last").addEventListener("click", () => seek(S.header.playback.count));
$("back").addEventListener("click", () => seek(S.header.playback.position - 1));
$("forth").addEventListener("click", () => seek(S.header.playback.position + 1));
$("position").addEventListener("input", () => seek(Number($("position").value)));
$("play").addEventListener("click", () => act({ do: "pause", value: S.header.playback.isPlaying }));

addEventListener("keydown", event => {
  if (!S || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const over = pageNumber ?? knownNumber;
  if (event.key === "Escape" && over !== null) return act({ do: "back", over });
  if (event.target.matches("input:not([type=radio]):not([type=range]), select, textarea")) return;
  if (knownNumber !== null) return;
  // Nothing has the focus on a page that was just opened: its first row, or the one that is highlighted, gets it.
  if (event.target === document.body && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key) && pageNumber === null && marks.first) {
    event.preventDefault();
    marks.first.button.focus();
    act({ do: "highlight", network: marks.first.row.key });
    return;
  }
  if (event.key === "k" && !S.header.playback && pageNumber === null) return act({ do: "known" });
  if (event.key === "/") { event.preventDefault(); $("filter").focus(); $("filter").select(); }
  if (event.key === "p" && !S.header.playback) act({ do: "pause", value: !S.controls.isPaused });
  if (event.key === "f") act({ do: "follow" });
  if (event.key === "i" && S.details && pageNumber === null) act({ do: "info", network: S.details.summary.key });
  if (event.key === "j" && pageNumber === null) rows.get(S.controls.cursor)?.button.focus();
});

// MARK: What the server sends

function setClock(event) { clock = { nowMs: event.nowMs, at: performance.now() }; }
function hello(event) {
  const focused = document.activeElement?.closest?.("tr")?.dataset.key;
  S = event;
  held.clear();
  setClock(event);
  watcher.disconnect();
  shown.clear();
  rows.clear();
  resting.clear();
  const { endMs, spanMs, rows: trends } = event.trends;
  const fragment = document.createDocumentFragment();
  event.rows.forEach((row, index) => {
    const values = trends[index].dBm;
    const entry = makeRow(row, values.map((dBm, part) => [endMs - spanMs + ((part + 0.5) * spanMs) / values.length, dBm]));
    rows.set(row.key, entry);
    fragment.append(entry.tr);
  });
  $("rows").replaceChildren(fragment);
  Object.assign(marks, { current: null, first: null });
  for (const row of event.hiddenRows ?? []) keep(row);
  bars = new Map(event.bars.map(bar => [bar.key, bar]));
  document.body.classList.remove("starting");
  showHeader();
  showControls();
  showEmpty();
  showLayers();
  showDetails();
  drawChannels();
  showEvents();
  if (focused) rows.get(focused)?.button.focus({ preventScroll: true });
  if (wanted && S.mayAct) act({ do: "open", value: wanted });
  wanted = null;
}
function change(event) {
  if (!S || event.revision <= S.revision) return;
  if (event.revision !== S.revision + 1) throw new Error("an event is missing");
  S.revision = event.revision;
  setClock(event);
  flashes = 0;
  const { originMs } = S.header;
  if (event.header) S.header = event.header;
  const followed = S.controls.followed;
  if (event.controls) S.controls = event.controls;
  applyRows(event.rows ?? [], event.animation);
  if (event.details) applyDetails(event.details);
  for (const one of event.bars ?? []) { if (one.set) bars.set(one.set.key, one.set); else bars.delete(one.remove); }
  if (event.events) {
    S.events.totalCount = event.events.totalCount;
    S.events.last = (event.events.beginAnew ? [] : S.events.last).concat(event.events.last).slice(-200);
    announceNews(event.events.last);
  }
  if (event.layers) S.layers = event.layers;
  if (event.header || event.rows) { showHeader(); showEmpty(); }
  if (event.controls) {
    if (followed !== S.controls.followed) {
      for (const list of [rows, resting]) for (const entry of list.values()) entry.keep.hidden = entry.row.key !== S.controls.followed;
    }
    showControls();
  } else if (event.rows) {
    showCurrent();
  }
  if (event.layers) showLayers();
  if (event.details || event.layers || event.controls) showDetails();
  if ("loads" in event) S.loads = event.loads ?? undefined;
  if (event.details && "whole" in event.details && plotIsSeen) drawChannels();
  else if (event.bars || "loads" in event) channelsChanged();
  if (event.events || originMs !== S.header.originMs) showEvents();
}
function applyDetails(change) {
  if ("whole" in change) { S.details = change.whole ?? undefined; return; }
  const d = S.details;
  if (!d) return;
  if (change.summary) d.summary = change.summary;
  if (change.elements) d.elements = change.elements;
  if (change.curves) d.curves = change.curves;
  change.grown?.forEach(({ dropped, added }, index) => { d.curves[index].points.splice(0, dropped * 2); d.curves[index].points.push(...added); });
}

/** A hidden page closes its connection: a browser has only six for all its pages of one server. */
let hiding = 0;
let stream = null;
let seen = () => {};
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) { hiding = setTimeout(() => stream?.abort("hidden"), 10_000); return; }
  seen();
  drawPlots();
});
const sleep = ms => new Promise(done => setTimeout(done, ms));
let lastEvent = null;
async function follow() {
  let wait = 500;
  for (;;) {
    if (document.hidden && S) await new Promise(done => { seen = done; });
    const ending = new AbortController();
    stream = ending;
    let silence = 0;
    // A server sends a sign of life every 15 s.
    const listen = () => { clearTimeout(silence); silence = setTimeout(() => ending.abort(), 45_000); };
    try {
      listen();
      const answer = await fetch("events", {
        headers: { Accept: "text/event-stream", ...identity(), ...(lastEvent ? { "Last-Event-ID": lastEvent } : {}) }, cache: "no-store", signal: ending.signal,
      });
      if (!answer.ok) throw new Error((await answer.text()).trim());
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) throw new Error("The connection to wifi-harness ended; trying again…");
        listen();
        if (offline) setOffline(null);
        text += value;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          take(text.slice(0, end));
          text = text.slice(end + 2);
        }
        wait = 500;
      }
    } catch (error) {
      clearTimeout(silence);
      const isHidden = ending.signal.reason === "hidden";
      ending.abort();
      if (isHidden) continue;
      const words = error instanceof TypeError || error.name === "AbortError" ? "No connection to wifi-harness; trying again…" : error.message;
      setOffline(S ? `${words} What is shown is old, and nothing can be changed.` : words);
      const phase = $("phase");
      phase.className = "phase bad";
      setText(phase.querySelector(".words"), "Not connected");
    }
    await sleep(wait);
    wait = Math.min(wait * 2, 8000);
  }
}
function take(text) {
  const fields = {};
  for (const line of text.split("\n")) {
    const at = line.indexOf(": ");
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
  }
  if (!fields.data) return;
  lastEvent = fields.id;
  const event = JSON.parse(fields.data);
  if (fields.event === "hello") hello(event);
  else if (fields.event === "change") change(event);
}

setInterval(() => {
  if (!S || document.hidden || !S.header.clockRuns) return;
  for (const tr of shown) drawMoving(rows.get(tr.dataset.key));
  drawCharts();
}, 1000);
function drawPlots() { if (S) { drawCharts(); drawChannels(); } }
let resizing = 0;
new ResizeObserver(() => { cancelAnimationFrame(resizing); resizing = requestAnimationFrame(drawPlots); }).observe($("main"));
follow();
