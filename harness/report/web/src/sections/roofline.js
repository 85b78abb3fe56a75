// Thread instructions a second over the bytes that each of them moves, at L1, L2 and DRAM, under the machine's roofs.
import * as Plot from "@observablehq/plot";
import { key, peaks, rate, ratio, stat } from "../data.js";
import { el, figure, hover, left, legend, missing, narrow, table, width } from "../dom.js";
import { bytesRate, number, short } from "../format.js";

const LANES = 32, symbols = { L1: "circle", L2: "square", DRAM: "triangle" };

function points(run) {
	const n = stat(run, "thread_insts"), p = peaks(run), y = rate(run, n), rows = [];
	const add = (level, bytes, peak) => {
		const x = ratio(n, bytes);
		if (x && y && peak) rows.push({ level, x, y, peak, bytes, top: p.issue * LANES, run: run.tag, color: run.color, label: run.label });
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

// Each point's label beside it, at the first height at which it covers no other; on the left of points near the right
// edge. Points of one place share their labels' column.
function labels(rows, roofTexts, [low, high], [bottom, top]) {
	const wide = width() - 110, tall = 380 - 62, offsets = [0, 14, -14, 28, -28, 42, -42, 56, -56, 70, -70];
	const px = (r) => ({ x: (wide * Math.log(r.x / low)) / Math.log(high / low), y: tall - (tall * Math.log(r.y / bottom)) / Math.log(top / bottom) });
	const placed = roofTexts.map((t) => ({ x1: 4, x2: 4 + 7.2 * t.text.length, y: px(t).y - 10 }));
	return rows.map((r) => {
		const text = narrow() ? `${r.run.slice(0, 1)} ${r.level}` : `${r.run}, ${r.level}`, p = px(r), long = 7.2 * text.length;
		const anchor = p.x + 10 + long > wide + 36 ? "end" : "start", x1 = anchor === "end" ? p.x - 10 - long : p.x + 10;
		const free = (dy) => placed.every((q) => x1 > q.x2 || x1 + long < q.x1 || Math.abs(p.y + dy - q.y) >= 13);
		const dy = offsets.find(free) ?? 0;
		placed.push({ x1, x2: x1 + long, y: p.y + dy });
		return { ...r, text, dy, dx: anchor === "end" ? -10 : 10, anchor };
	});
}

export function roofline(pair) {
	const rows = pair.flatMap(points);
	if (!rows.length) return missing("There are no accesses to memory in these results:", "locus run W --json FILE");
	const xs = rows.flatMap((r) => [r.x, r.top / r.peak]), low = Math.min(...xs) / 3, high = Math.max(...xs) * 3;
	const ends = rows.filter((r, i) => rows.findIndex((q) => q.level === r.level && q.peak === r.peak && q.top === r.top) === i);
	const lines = roofs(ends, low, high);
	const domain = [Math.min(...rows.map((r) => r.y), ...lines.map((l) => l.y)) / 2, Math.max(...rows.map((r) => r.top)) * 1.6];
	const roofTexts = [...new Set(ends.map((r) => Math.min(r.top, low * r.peak)))].map((y) => ({ x: low, y, text: ends.filter((r) => Math.min(r.top, low * r.peak) === y).map((r) => `${r.level}, ${bytesRate(r.peak)}`).join("; ") }));
	const drawing = Plot.plot({
		width: width(), height: 380, marginLeft: 70, marginRight: 40, marginBottom: 42, style: { fontSize: "13px" },
		x: { type: "log", label: "thread instructions a byte", domain: [low, high], tickFormat: (v) => short(v), ticks: narrow() ? 3 : 6, labelOffset: 38 },
		y: { type: "log", label: "thread instructions a second", grid: true, tickFormat: (v) => short(v), ticks: 6, domain },
		symbol: { domain: Object.keys(symbols), range: Object.values(symbols) },
		marks: [
			Plot.line(lines, { x: "x", y: "y", z: "id", stroke: "var(--dim)" }),
			// Roofs that begin at one height say so in one label.
			roofTexts.map((t) => Plot.text([t], { x: low, y: "y", text: "text", textAnchor: "start", dx: 4, dy: -10, fill: "var(--dim)", stroke: "var(--bg)", strokeWidth: 3 })),
			Plot.dot(rows, { x: "x", y: "y", fill: (r) => r.color, symbol: "level", r: 7, stroke: "var(--bg)", ...hover((r) => `${r.label}, ${r.level}\n${short(r.y)} thread instructions a second\n${number(r.x)} a byte\nthe roof there: ${short(Math.min(r.top, r.x * r.peak))}`) }),
			...labels(rows, roofTexts, [low, high], domain).map((l) => Plot.text([l], { x: "x", y: "y", text: "text", dx: l.dx, dy: l.dy, textAnchor: l.anchor, fill: "currentColor", stroke: "var(--bg)", strokeWidth: 3 })),
		],
	});
	return [legend(pair.map((r) => [r.color, r.label])),
		el("p", { class: "note" }, "A point at a sloping roof is bound by that level's bandwidth, one at the flat roof by issue. Bytes of L1 and L2 count as whole lines, which is what they look up."),
		figure("Roofline", drawing, rows.map((r) => `${r.label} at ${r.level}: ${short(r.y)} thread instructions a second, ${number(r.x)} a byte; the roof there is ${short(Math.min(r.top, r.x * r.peak))}`).join(". "),
			() => table("Roofline", [
				{ title: "run", cell: (r) => r.label }, { title: "level", cell: (r) => r.level },
				{ title: "instructions a byte", n: true, value: (r) => r.x, cell: (r) => number(r.x) },
				{ title: "instructions/s", n: true, value: (r) => r.y, cell: (r) => short(r.y) },
				{ title: "roof there", n: true, cell: (r) => short(Math.min(r.top, r.x * r.peak)) },
				{ title: "peak", n: true, value: (r) => r.peak, cell: (r) => bytesRate(r.peak) }], rows))];
}
