// The page: reads the data, lets the reader choose two runs, draws the sections.
import { load } from "./data.js";
import { el, width } from "./dom.js";
import { clip } from "./format.js";
import { summary } from "./sections/summary.js";
import { speedOfLight } from "./sections/limits.js";
import { stallBreakdown } from "./sections/stalls.js";
import { hotSpots } from "./sections/hot.js";
import { memoryChart } from "./sections/memory.js";
import { cacheSets, modules } from "./sections/heat.js";
import { roofline } from "./sections/roofline.js";
import { ctas, series } from "./sections/time.js";
import { arrays, launches } from "./sections/arrays.js";
import { mismatches } from "./sections/mismatch.js";
import { machine, metrics } from "./sections/metrics.js";

const sections = [
	["summary", "Summary", (c) => summary(c.runs, c.a, c.b, c.page.table)],
	["limits", "Speed of light", (c) => speedOfLight(c.pair)],
	["stalls", "Stalls", (c) => stallBreakdown(c.pair)],
	["hot", "Hot lines", (c) => hotSpots(c.pair)],
	["memory", "Memory", (c) => memoryChart(c.pair)],
	["sets", "L1 sets", (c) => cacheSets(c.pair)],
	["roofline", "Roofline", (c) => roofline(c.pair)],
	["time", "Over time", (c) => series(c.pair)],
	["ctas", "CTAs", (c) => ctas(c.pair)],
	["modules", "Modules", (c) => modules(c.pair)],
	["arrays", "Arrays", (c) => arrays(c.pair)],
	["launches", "Launches", (c) => launches(c.pair)],
	["mismatches", "Mismatches", (c) => mismatches(c.pair, c.page)],
	["metrics", "Metrics", (c) => metrics(c.pair)],
	["machine", "Machine", (c) => machine(c.pair, c.runs, c.page)],
];

function choose(page, first, second) {
	const a = page.runs[first], b = second === null || second === first ? null : page.runs[second];
	const pair = b ? [a, b] : [a];
	pair.forEach((run, i) => { run.tag = b ? `${"AB"[i]} ${clip(run.label, 16)}` : clip(run.label, 18); });
	return { page, runs: page.runs, a, b, pair };
}

function draw(main, c) {
	main.replaceChildren(...sections.map(([id, title, make]) => {
		const drawn = [make(c)].flat(Infinity).filter((n) => n !== null && n !== undefined && n !== "");
		const node = el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), drawn);
		node.dataset.drawn = node.querySelector("figure, table") ? "yes" : "missing";
		return node;
	}));
}

// The chosen runs keep their colours: a run has one, by its number, in every chart and table.
function picker(page, main, [first, second]) {
	const option = (r, chosen) => el("option", { value: r.number, selected: chosen }, r.label);
	const a = el("select", { id: "base" }, page.runs.map((r) => option(r, r.number === first)));
	const b = el("select", { id: "other" }, el("option", { value: "" }, "nothing"), page.runs.map((r) => option(r, r.number === second)));
	const change = () => {
		main.choice = [Number(a.value), b.value === "" ? null : Number(b.value)];
		draw(main, choose(page, ...main.choice));
		window.history.replaceState(null, "", `#pick=${a.value},${b.value}`);
	};
	a.addEventListener("change", change);
	b.addEventListener("change", change);
	return el("div", { class: "pick" }, el("label", { for: "base" }, "A, the base:"), a, el("label", { for: "other" }, "B, beside it:"), b);
}

function title(page) {
	if (typeof page.name === "string") return page.name;
	const names = [...new Set(page.runs.map((r) => r.workload).filter(Boolean))];
	return names.length ? clip(names.join(", "), 80) : "mismatches";
}

// The address may say which two are shown: "#pick=0,3", "#pick=2," for one alone.
function picked(page) {
	const m = /\bpick=(\d+),(\d*)/.exec(window.location.hash), n = page.runs.length;
	if (m && Number(m[1]) < n && Number(m[2] || 0) < n) return [Number(m[1]), m[2] === "" ? null : Number(m[2])];
	return [0, n > 1 ? 1 : null];
}

// Charts are as wide as the page, with text of one size: they are drawn anew for another width.
function redrawWhenResized(page, main) {
	let drawn = width(), timer = 0;
	window.addEventListener("resize", () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			if (width() === drawn) return;
			drawn = width();
			draw(main, choose(page, ...main.choice));
		}, 150);
	});
}

function start() {
	const page = load(), pick = picked(page), main = el("main", { id: "main", tabindex: -1 });
	document.title = `${title(page)} - Locus report`;
	const nav = el("nav", { "aria-label": "Sections" }, el("ul", null, sections.map(([id, text]) => el("li", null, el("a", { href: `#${id}` }, text)))));
	document.body.append(el("a", { class: "skip", href: "#main" }, "Skip to the report"), nav,
		el("header", null, el("h1", null, title(page)), page.runs.length > 1 ? picker(page, main, pick) : ""), main);
	if (page.runs.length) {
		main.choice = pick;
		draw(main, choose(page, ...pick));
		redrawWhenResized(page, main);
	}
	else main.append(el("section", { id: "mismatches" }, el("h2", null, "Mismatches"), mismatches([], page)));
}

// What goes wrong is said on the page, and by an attribute that the browser test looks at.
try {
	start();
	document.documentElement.dataset.state = "ready";
} catch (e) {
	document.documentElement.dataset.state = "failed";
	document.body.append(el("p", { class: "failed", role: "alert" }, `This page could not be drawn: ${e.message}`));
	throw e;
}
