// Speed of light: how close each part came to the most that it can do.
import * as Plot from "@observablehq/plot";
import { limits } from "../data.js";
import { el, figure, fit, hover, left, missing, table, width } from "../dom.js";
import { percent, short } from "../format.js";

export function speedOfLight(pair) {
	const rows = pair.flatMap((run) => limits(run).map((l) => ({ ...l, run: run.tag, color: run.color, label: run.label })));
	if (!rows.length) return missing("There are no metrics of SMs in these results:", "locus run W --json FILE");
	const drawing = Plot.plot({
		width: width(), height: 54 + 21 * rows.length, marginLeft: left(150), marginBottom: 42, marginRight: 60,
		x: { labelOffset: 38, label: "% of the peak", domain: [0, 100], grid: true }, y: { axis: null, domain: pair.map((r) => r.tag) },
		fy: { label: null, axis: "left", padding: 0.25, domain: [...new Set(rows.map((r) => r.name))], tickFormat: fit },
		style: { fontSize: "13px" },
		marks: [
			Plot.barX(rows, { x: (d) => 100 * d.share, y: "run", fy: "name", fill: (d) => d.color, ...hover((d) => `${d.name}, ${d.label}\n${percent(d.share)} of the peak\n${short(d.used)} of ${short(d.peak)} ${d.unit}`) }),
			Plot.text(rows, { x: (d) => 100 * d.share, y: "run", fy: "name", text: (d) => percent(d.share), dx: 4, textAnchor: "start", fill: "currentColor" }),
			Plot.ruleX([0]),
		],
	});
	const columns = [
		{ title: "part", cell: (r) => r.name }, { title: "run", cell: (r) => r.label }, { title: "of what", cell: (r) => r.what },
		{ title: "used", n: true, value: (r) => r.used, cell: (r) => `${short(r.used)} ${r.unit}` },
		{ title: "peak", n: true, value: (r) => r.peak, cell: (r) => `${short(r.peak)} ${r.unit}` },
		{ title: "share", n: true, value: (r) => r.share, cell: (r) => percent(r.share) },
	];
	const first = limits(pair[0]).sort((x, y) => y.share - x.share)[0];
	return [el("p", { class: "note" }, "No part can do more than its peak. Where all are far from it, time goes to waiting: see the stalls."),
		figure("Used, of each part's peak", drawing, pair.map((run) => `${run.label}: ${limits(run).map((l) => `${l.name} ${percent(l.share)}`).join(", ")}`).join(". ") +
			(first ? `. Closest to its peak in ${pair[0].label}: ${first.name}` : ""), () => table("Used, of each part's peak", columns, rows))];
}
