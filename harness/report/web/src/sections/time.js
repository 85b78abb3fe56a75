// Over time: metrics by interval, and which CTA was on which SM.
import * as Plot from "@observablehq/plot";
import { isNumber } from "../data.js";
import { el, figure, hover, later, legend, missing, narrow, table, ticks, width } from "../dom.js";
import { number, percent, short, whole } from "../format.js";

const MOST_SERIES = 24;

// A count is told per core cycle, so that runs with intervals of other lengths compare.
function samples(v, s) {
	return s.values.map((value, i) => {
		const from = i * v.cycles, until = Math.min(from + v.cycles, v.run_cycles), last = until > from ? until - from : v.cycles;
		return { from, until, value: isNumber(value) ? (s.kind === "count" ? value / last : value) : null };
	});
}

const unitOf = (s) => (s.kind === "count" ? `${s.unit ? `${s.unit} ` : ""}a core cycle` : s.unit || "");

// From zero, and one scale for both runs: heights compare. Fitted: small changes of a large value show. Logarithmic:
// ratios compare; what is zero is not drawn.
const scales = [["zero", "from zero, one for both runs"], ["fitted", "fitted to each chart"], ["log", "logarithmic, one for both runs"]];

function vertical(scale, have, most, least) {
	const low = have.reduce((a, b) => Math.min(a, b), Infinity), high = have.reduce((a, b) => Math.max(a, b), -Infinity);
	if (scale === "log" && most > 0) return { type: "log", domain: [least / 1.2, most * 1.2] };
	if (scale === "fitted" && high > low) return { domain: [low - 0.05 * (high - low), high + 0.05 * (high - low)] };
	return { domain: [0, most || 1] };
}

function panel(run, path, { most, least }, scale) {
	const v = run.intervals, s = v.series.find((q) => q.path === path), rows = samples(v, s), have = rows.filter((r) => r.value !== null).map((r) => r.value);
	const mean = have.length ? have.reduce((a, b) => a + b, 0) / have.length : null;
	const y = vertical(scale, have, most, least), drawn = rows.map((r) => ({ ...r, value: y.type === "log" && !(r.value > 0) ? null : r.value }));
	const drawing = Plot.plot({
		width: width(2), height: 120, marginLeft: 56, marginRight: 26, marginBottom: 26, marginTop: 8, style: { fontSize: "12px" },
		x: { domain: [0, v.run_cycles], label: null, tickFormat: (c) => short(c), ticks: narrow() ? 4 : 6 }, y: { ...y, label: null, ticks: 4, grid: true, tickFormat: (v) => short(v) },
		marks: [Plot.lineY(drawn, { x: "from", y: "value", curve: "step-after", stroke: run.color, strokeWidth: 1.3, ...hover((r) => `${run.label}\ncycles ${whole(r.from)} to ${whole(r.until)}\n${number(r.value)} ${unitOf(s)}`) }), y.domain[0] === 0 ? Plot.ruleY([0]) : null],
	});
	const smallest = have.reduce((a, b) => Math.min(a, b), Infinity), largest = have.reduce((a, b) => Math.max(a, b), -Infinity);
	return figure(`${path}${unitOf(s) ? `, ${unitOf(s)}` : ""}: ${run.label}`, drawing,
		have.length ? `Over ${whole(v.run_cycles)} core cycles: ${number(smallest)} to ${number(largest)}, mean of the intervals ${number(mean)}` : "No values",
		() => table(`${path} of ${run.label}`, [{ title: "from cycle", n: true, cell: (r) => whole(r.from) }, { title: "until", n: true, cell: (r) => whole(r.until) },
			{ title: unitOf(s) || "value", n: true, value: (r) => r.value, cell: (r) => number(r.value) }], rows, { tall: true }));
}

export function series(pair) {
	const have = pair.filter((r) => r.intervals && Array.isArray(r.intervals.series));
	const lacks = pair.filter((r) => !have.includes(r)).map((r) => missing(`${r.label} has no metrics over time:`, "locus run W --report-data --json FILE, or --interval N"));
	if (!have.length) return lacks;
	const paths = [...new Set(have.flatMap((r) => r.intervals.series.map((s) => s.path)))], interesting = paths.filter((p) => have.some((r) => r.intervals.series.some((s) => s.path === p && s.values.some((v) => v))));
	const choice = el("select", { id: "scale" }, scales.map(([value, text]) => el("option", { value }, text)));
	const rows = (list) => list.map((path) => {
		const own = have.filter((r) => r.intervals.series.some((s) => s.path === path));
		const all = own.flatMap((r) => samples(r.intervals, r.intervals.series.find((s) => s.path === path)).map((x) => x.value || 0));
		const range = { most: all.reduce((m, v) => Math.max(m, v), 0), least: all.reduce((m, v) => (v > 0 ? Math.min(m, v) : m), Infinity) };
		return el("div", { class: "pair" }, own.map((r) => panel(r, path, range, choice.value)));
	});
	const charts = () => [rows(interesting.slice(0, MOST_SERIES)), interesting.length > MOST_SERIES ? later(`${interesting.length - MOST_SERIES} more metrics`, () => el("div", null, rows(interesting.slice(MOST_SERIES, MOST_SERIES * 4)))) : ""].flat(Infinity).filter((n) => n);
	const place = el("div"), show = () => place.replaceChildren(...charts());
	choice.addEventListener("change", show);
	show();
	return [el("p", { class: "note" }, have.map((r) => `${r.label}: intervals of ${whole(r.intervals.cycles)} core cycles. `),
		"The horizontal scale is each run's own. Metrics that are zero throughout are left out."),
	el("div", { class: "pick" }, el("label", { for: "scale" }, "Vertical scale: "), choice), place, lacks];
}

// ---- CTAs ----

// Each CTA on the lowest place of its SM that is free.
function placed(t) {
	const free = new Map();
	return t.ctas.map(([launch, cta, sm, start, end, stolen]) => ({ launch, cta, sm, start, end, stolen })).sort((a, b) => a.start - b.start || a.launch - b.launch || a.cta - b.cta).map((c) => {
		if (!free.has(c.sm)) free.set(c.sm, []);
		const of = free.get(c.sm);
		let lane = of.findIndex((until) => until <= c.start);
		if (lane < 0) lane = of.length;
		of[lane] = c.end;
		return { ...c, lane };
	});
}

function gantt(t, sms, most) {
	const ctas = placed(t), lanes = ctas.reduce((n, c) => Math.max(n, c.lane + 1), 1);
	return Plot.rect(ctas, { x1: "start", x2: (c) => Math.max(c.end, c.start + most / 2000), y1: (c) => c.sm + 0.06 + (0.88 * c.lane) / lanes, y2: (c) => c.sm + 0.06 + (0.88 * (c.lane + 1)) / lanes,
		fill: (c) => (c.stolen ? "var(--mem_entry)" : c.launch % 2 ? "var(--memory)" : "var(--arithmetic)"), stroke: "var(--bg)", strokeWidth: ctas.length > 1000 ? 0.2 : 0.5,
		...hover((c) => `launch ${c.launch}, CTA ${c.cta}\nSM ${c.sm}, cycles ${whole(c.start)} to ${whole(c.end)}${c.stolen ? "\nstolen" : ""}`) });
}

function occupied(t) {
	const most = t.cta_cycles.flat().reduce((a, b) => Math.max(a, b), 1);
	const cells = t.cta_cycles.flatMap((row, sm) => row.map((v, i) => ({ sm, from: i * t.bin, until: Math.min((i + 1) * t.bin, t.cycles), v })).filter((c) => c.v));
	return Plot.rect(cells, { x1: "from", x2: "until", y1: "sm", y2: (c) => c.sm + 1, fill: "var(--arithmetic)", fillOpacity: (c) => c.v / most, ...hover((c) => `SM ${c.sm}, cycles ${whole(c.from)} to ${whole(c.until)}\n${number(c.v / (c.until - c.from))} CTAs on the mean`) });
}

function timeline(run) {
	const t = run.timeline, sms = t.cta_cycles.length, all = t.cta_cycles.map((row) => row.reduce((a, b) => a + b, 0)), mean = all.reduce((a, b) => a + b, 0) / Math.max(1, sms);
	const drawing = Plot.plot({
		width: width(), height: Math.min(620, 60 + Math.max(9, Math.min(20, 480 / sms)) * sms), marginLeft: 56, marginBottom: 42, marginTop: 10, style: { fontSize: "12px" },
		x: { domain: [0, t.cycles], label: "core cycle", labelOffset: 38, ticks: ticks(), tickFormat: (c) => short(c) }, opacity: { type: "identity" },
		y: { domain: [sms, 0], label: "SM", ticks: Math.min(sms, 16), tickFormat: (y) => (Number.isInteger(y) && y < sms ? String(y) : "") },
		marks: [t.ctas ? gantt(t, sms, t.cycles) : occupied(t), Plot.frame({ stroke: "var(--line)" })],
	});
	const idle = all.filter((v) => v === 0).length, busiest = all.indexOf(Math.max(...all));
	return [figure(`CTAs of ${run.label}: ${whole(t.n_ctas)} on ${sms} SMs${t.ctas ? "" : "; the darker, the more CTAs on the SM"}`, drawing,
		`${whole(t.cycles)} core cycles. Cycles times CTAs of an SM: mean ${whole(Math.round(mean))}, most ${whole(Math.max(...all))} on SM ${busiest}; ${idle} SMs had none`,
		() => table(`CTAs of ${run.label}, by SM`, [{ title: "SM", n: true, cell: (_, i) => String(i) }, { title: "cycles times CTAs", n: true, value: (v) => v, cell: whole },
			{ title: "of the mean", n: true, cell: (v) => percent(mean ? v / mean : null) }], all, { tall: true })),
	t.launches.length > 1 ? later(`Launches of ${run.label} in time`, () => table(`Launches of ${run.label}`, [{ title: "launch", cell: (l) => `${l.index} ${l.kernel}` },
		{ title: "CTAs", n: true, cell: (l) => whole(l.ctas) }, { title: "from cycle", n: true, cell: (l) => whole(l.start) }, { title: "until", n: true, cell: (l) => whole(l.end) }], t.launches, { tall: true })) : ""];
}

export function ctas(pair) {
	return [legend([["var(--arithmetic)", "a CTA of launches 0, 2, 4, ..."], ["var(--memory)", "of launches 1, 3, 5, ..."], ["var(--mem_entry)", "stolen from another SM's list"]]),
		pair.map((r) => (r.timeline && Array.isArray(r.timeline.cta_cycles) ? timeline(r) : missing(`${r.label} does not say which CTA ran where:`, "locus run W --report-data --json FILE")))];
}
