// Where the schedulers' cycles go: each cycle of each scheduler has one cause.
import * as Plot from "@observablehq/plot";
import { causes, meaning, stalls } from "../data.js";
import { el, figure, fit, hover, left, legend, missing, table, ticks, width } from "../dom.js";
import { change, percent, short, whole } from "../format.js";

// The longest text that the part has room for: seven pixels a letter.
function inside(d, room) {
	const all = `${d.name} ${(100 * d.share).toFixed(0)} %`;
	return [all, d.name, `${(100 * d.share).toFixed(0)} %`].find((t) => 7.5 * t.length + 6 <= room) || "";
}

function shares(pair) {
	const rows = pair.flatMap((run) => stalls(run).map((c) => ({ ...c, run: run.tag, label: run.label })));
	return Plot.plot({
		width: width(), height: 58 + 46 * pair.length, marginLeft: left(150), marginBottom: 42, marginRight: 30, style: { fontSize: "13px" },
		x: { labelOffset: 38, label: "% of each run's scheduler cycles", percent: true, domain: [0, 100] }, y: { label: null, domain: pair.map((r) => r.tag), padding: 0.2, tickFormat: fit },
		marks: [
			Plot.barX(rows, { x: "share", y: "run", fill: (d) => `var(--${d.name})`, order: causes.map((c) => c[0]), z: "name", insetRight: 0.5, ...hover((d) => `${d.name}, ${d.label}\n${percent(d.share)}, ${whole(d.cycles)} cycles\n${meaning.get(d.name)}`) }),
			Plot.text(rows, Plot.stackX({ x: "share", y: "run", z: "name", order: causes.map((c) => c[0]), text: (d) => inside(d, d.share * (width() - left(150) - 30)),
				fill: "#000", stroke: "#fff", strokeWidth: 3 })),
		],
	});
}

function cycles(pair, names) {
	const rows = pair.flatMap((run) => names.map((name) => ({ name, run: run.tag, color: run.color, label: run.label, cycles: (stalls(run).find((c) => c.name === name) || { cycles: 0 }).cycles })));
	return Plot.plot({
		width: width(), height: 54 + names.length * (10 + 17 * pair.length), marginLeft: left(150), marginBottom: 42, marginRight: 70, style: { fontSize: "13px" },
		x: { labelOffset: 38, label: "cycles of all schedulers", grid: true, ticks: ticks(), tickFormat: (v) => short(v) }, y: { axis: null, domain: pair.map((r) => r.tag) },
		fy: { label: null, axis: "left", padding: 0.2, domain: names },
		marks: [
			Plot.barX(rows, { x: "cycles", y: "run", fy: "name", fill: (d) => d.color, ...hover((d) => `${d.name}, ${d.label}\n${whole(d.cycles)} cycles\n${meaning.get(d.name)}`) }),
			Plot.text(rows, { x: "cycles", y: "run", fy: "name", text: (d) => short(d.cycles), dx: 4, textAnchor: "start", fill: "currentColor" }),
			Plot.ruleX([0]),
		],
	});
}

export function stallBreakdown(pair) {
	if (!pair.some((run) => stalls(run).length)) return missing("There is no stall breakdown in these results:", "locus run W --json FILE");
	const names = causes.map((c) => c[0]).filter((n) => pair.some((run) => stalls(run).some((c) => c.name === n)));
	const of = (run, name) => stalls(run).find((c) => c.name === name);
	const numbers = () => table("Stall breakdown", [
		{ title: "cause", cell: (n) => n }, { title: "meaning", cell: (n) => meaning.get(n) },
		...pair.flatMap((run) => [
			{ title: `${run.label}, cycles`, n: true, value: (n) => of(run, n)?.cycles ?? 0, cell: (n) => whole(of(run, n)?.cycles ?? 0) },
			{ title: "share", n: true, cell: (n) => percent(of(run, n)?.share ?? 0) }]),
		...(pair[1] ? [{ title: "change", n: true, cell: (n) => change(of(pair[0], n)?.cycles ?? 0, of(pair[1], n)?.cycles ?? 0) }] : []),
	], names);
	const say = (run) => `${run.label}: ${stalls(run).filter((c) => c.share >= 0.005).map((c) => `${c.name} ${percent(c.share)}`).join(", ")}`;
	const order = [...names].sort((x, y) => Math.max(...pair.map((r) => of(r, y)?.cycles ?? 0)) - Math.max(...pair.map((r) => of(r, x)?.cycles ?? 0))).slice(0, 8);
	return [
		el("div", null, legend(names.map((n) => [`var(--${n})`, `${n}: ${meaning.get(n)}`]))),
		figure("Stall breakdown, in shares of each run", shares(pair), pair.map(say).join(". "), numbers),
		figure("Stall breakdown, in cycles: the causes with most", cycles(pair, order), pair.map((run) => `${run.label}: ${order.map((n) => `${n} ${whole(of(run, n)?.cycles ?? 0)}`).join(", ")}`).join(". "), numbers),
	];
}
