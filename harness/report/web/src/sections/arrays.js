// By array of the program, and by launch.
import * as Plot from "@observablehq/plot";
import { ratio, stat } from "../data.js";
import { bar, el, figure, fit, hover, left, missing, named, table, ticks, width } from "../dom.js";
import { clip, number, percent, short, whole } from "../format.js";

function arraysOf(run) {
	const names = new Set();
	for (const n of Object.keys(run.stats || {})) {
		const m = /^buffer\.(.+)\.l[12]\.accesses$/.exec(n);
		if (m) names.add(m[1]);
	}
	return [...names].map((name) => {
		const of = (what) => stat(run, `buffer.${name}.${what}`), hits = (of("l1.hits") || 0) + (of("l1.hits_reserved") || 0);
		return { name, run, l1: of("l1.accesses") || 0, hit: ratio(hits, hits + (of("l1.misses") || 0)), l2: of("l2.accesses") || 0, l2Hit: ratio(of("l2.hits"), of("l2.accesses")), latency: of("load.latency.mean"), loads: of("load.count") };
	}).filter((a) => a.l1 || a.l2);
}

export function arrays(pair) {
	const rows = pair.flatMap(arraysOf), order = [...new Set(rows.sort((x, y) => y.l1 - x.l1).map((r) => r.name))], shown = order.slice(0, 12), most = rows.reduce((n, r) => Math.max(n, r.l1), 1);
	if (!rows.length) return missing("There are no metrics by array in these results:", "locus run W --json FILE");
	const parts = rows.filter((r) => shown.includes(r.name));
	const drawing = Plot.plot({
		width: width(), height: 54 + shown.length * (12 + 18 * pair.length), marginLeft: left(150), marginRight: 84, marginBottom: 42, style: { fontSize: "13px" },
		x: { label: "accesses to the L1; the pale part missed or went past", labelOffset: 38, grid: true, ticks: ticks(), tickFormat: (v) => short(v) }, y: { axis: null, domain: pair.map((r) => r.tag) }, fy: { label: null, axis: "left", domain: shown, padding: 0.2, tickFormat: (n) => fit(clip(n, 18)) },
		marks: [
			Plot.barX(parts, { x: "l1", y: (r) => r.run.tag, fy: "name", fill: (r) => r.run.color, fillOpacity: 0.35, ...hover((r) => `${r.name} in ${r.run.label}\n${whole(r.l1)} accesses to the L1\n${percent(r.hit)} hit`) }),
			Plot.barX(parts, { x: (r) => r.l1 * (r.hit || 0), y: (r) => r.run.tag, fy: "name", fill: (r) => r.run.color }),
			Plot.text(parts, { x: "l1", y: (r) => r.run.tag, fy: "name", text: (r) => (r.hit === null ? "" : `${percent(r.hit)} hit`), textAnchor: "start", dx: 4, fill: "currentColor" }), Plot.ruleX([0])],
	});
	return [figure("Accesses by array", drawing, parts.map((r) => `${r.name} in ${r.run.label}: ${whole(r.l1)} accesses, ${percent(r.hit)} hit`).join(". ")),
		table("Arrays", [{ title: "array", cell: (r) => r.name }, { title: "run", cell: (r) => el("span", named(r.run), r.run.label) },
			{ title: "L1 accesses", n: true, value: (r) => r.l1, cell: (r) => [bar(r.l1 / most, r.run.color, 60), whole(r.l1)] }, { title: "L1 hit", n: true, cell: (r) => percent(r.hit) },
			{ title: "L2 accesses", n: true, value: (r) => r.l2, cell: (r) => whole(r.l2) }, { title: "L2 hit", n: true, cell: (r) => percent(r.l2Hit) },
			{ title: "loads", n: true, cell: (r) => whole(r.loads) }, { title: "cycles a load", n: true, value: (r) => r.latency, cell: (r) => number(r.latency) },
		], rows.sort((x, y) => order.indexOf(x.name) - order.indexOf(y.name) || x.run.tag.localeCompare(y.run.tag)), { tall: rows.length > 20 })];
}

const ROWS = 200;

export function launches(pair) {
	if (!pair.some((r) => Array.isArray(r.launches) && r.launches.length)) return missing("There are no launches in these results (those of --on cpu have none):", "locus run W --json FILE");
	return pair.map((run) => {
		const all = run.launches || [], rows = [...all].sort((x, y) => (y.stats?.cycles || 0) - (x.stats?.cycles || 0)).slice(0, ROWS), total = stat(run, "cycles");
		return [el("h3", named(run), run.label),
			run.n_launches > rows.length ? el("p", { class: "note" }, `The longest ${rows.length} of the first ${all.length} of ${run.n_launches} launches.`) : "",
			table(`Launches of ${run.label}`, [{ title: "launch", cell: (l) => `${l.index} ${l.kernel}${l.program ? `, ${l.program}` : ""}` },
				{ title: "cycles", n: true, value: (l) => l.stats?.cycles, cell: (l) => [bar(ratio(l.stats?.cycles, total), run.color, 60), whole(l.stats?.cycles)] },
				{ title: "IPC (warps)", n: true, cell: (l) => number(l.stats?.["ipc.warp"]) }, { title: "L1 miss rate", n: true, cell: (l) => percent(l.stats?.["l1.miss_rate"]) },
				{ title: "line stalls", n: true, cell: (l) => percent(l.stats?.["sched.mem_line"]) }, { title: "L2 miss rate", n: true, cell: (l) => percent(l.stats?.["l2.miss_rate"]) },
				{ title: "cycles a load", n: true, cell: (l) => number(l.stats?.["load.latency.mean"]) }], rows, { tall: rows.length > 20 })];
	});
}
