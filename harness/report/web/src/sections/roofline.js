// Thread instructions a second over the bytes that each of them moves, at L1, L2 and DRAM, under the machine's roofs.
import * as Plot from "@observablehq/plot";
import { key, peaks, rate, ratio, stat } from "../data.js";
import { el, figure, legend, missing, table } from "../dom.js";
import { bytesRate, number, short } from "../format.js";

const LANES = 32, symbols = { L1: "circle", L2: "square", DRAM: "triangle" };

function points(run) {
	const n = stat(run, "thread_insts"), p = peaks(run), y = rate(run, n), rows = [];
	const add = (level, bytes, peak) => {
		const x = ratio(n, bytes);
		if (x && y && peak) rows.push({ level, x, y, peak, bytes, top: p.issue * LANES, run: run.tag, side: run.side, label: run.label });
	};
	add("L1", (stat(run, "l1.accesses") || 0) * (key(run, "l1.line") || 0), p.l1Bytes);
	add("L2", (stat(run, "l2.accesses") || 0) * (key(run, "l2.line") || 0), p.l2Bytes);
	add("DRAM", stat(run, "dram.bytes") || 0, p.dram);
	return rows;
}

function roofs(rows, low, high) {
	return rows.flatMap((r) => {
		const ridge = r.top / r.peak, id = `${r.level} ${r.peak} ${r.top}`;
		return [low, Math.min(Math.max(ridge, low), high), high].map((x) => ({ x, y: Math.min(r.top, x * r.peak), id, level: r.level, peak: r.peak }));
	});
}

export function roofline(pair) {
	const rows = pair.flatMap(points);
	if (!rows.length) return missing("There are no accesses to memory in these results:", "locus run W --json FILE");
	const xs = rows.flatMap((r) => [r.x, r.top / r.peak]), low = Math.min(...xs) / 3, high = Math.max(...xs) * 3;
	const ends = rows.filter((r, i) => rows.findIndex((q) => q.level === r.level && q.peak === r.peak && q.top === r.top) === i);
	const lines = roofs(ends, low, high);
	const drawing = Plot.plot({
		width: 1000, height: 380, marginLeft: 70, marginRight: 40, marginBottom: 42, style: { fontSize: "13px" },
		x: { type: "log", label: "thread instructions a byte", domain: [low, high], tickFormat: (v) => short(v), ticks: 6, labelOffset: 38 },
		y: { type: "log", label: "thread instructions a second", grid: true, tickFormat: (v) => short(v), ticks: 6, domain: [Math.min(...rows.map((r) => r.y), ...lines.map((l) => l.y)) / 2, Math.max(...rows.map((r) => r.top)) * 1.6] },
		symbol: { domain: Object.keys(symbols), range: Object.values(symbols) },
		marks: [
			Plot.line(lines, { x: "x", y: "y", z: "id", stroke: "var(--dim)" }),
			Plot.text(ends, { x: low, y: (r) => Math.min(r.top, low * r.peak), text: (r) => `${r.level}, ${bytesRate(r.peak)}`, textAnchor: "start", dx: 4, dy: -10, fill: "var(--dim)" }),
			Plot.dot(rows, { x: "x", y: "y", fill: (r) => `var(--${r.side})`, symbol: "level", r: 7, stroke: "var(--bg)" }),
			// L1 and L2 have the same point where nothing hits: their labels do not.
			Object.keys(symbols).map((level, i) => Plot.text(rows.filter((r) => r.level === level), { x: "x", y: "y", text: (r) => `${r.run}, ${r.level}`, dx: 10, dy: 13 * (i - 1), textAnchor: "start", fill: "currentColor", stroke: "var(--bg)", strokeWidth: 3 })),
		],
	});
	return [legend(pair.map((r) => [`var(--${r.side})`, r.label])),
		el("p", { class: "note" }, "A point at a sloping roof is bound by that level's bandwidth, one at the flat roof by issue. Bytes of L1 and L2 count as whole lines, which is what they look up."),
		figure("Roofline", drawing, rows.map((r) => `${r.label} at ${r.level}: ${short(r.y)} thread instructions a second, ${number(r.x)} a byte; the roof there is ${short(Math.min(r.top, r.x * r.peak))}`).join(". "),
			() => table("Roofline", [
				{ title: "run", cell: (r) => r.label }, { title: "level", cell: (r) => r.level },
				{ title: "instructions a byte", n: true, value: (r) => r.x, cell: (r) => number(r.x) },
				{ title: "instructions/s", n: true, value: (r) => r.y, cell: (r) => short(r.y) },
				{ title: "roof there", n: true, cell: (r) => short(Math.min(r.top, r.x * r.peak)) },
				{ title: "peak", n: true, value: (r) => r.peak, cell: (r) => bytesRate(r.peak) }], rows))];
}
