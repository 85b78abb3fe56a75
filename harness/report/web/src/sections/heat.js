// Heat maps: L1 sets by SM, and bytes from module to module. The darker, the more: the square root of the share of the
// largest cell, so that small values show; the scale is one for both runs.
import * as Plot from "@observablehq/plot";
import { stat } from "../data.js";
import { el, figure, hover, missing, table, width } from "../dom.js";
import { short, whole } from "../format.js";

const tone = (v, most) => (v > 0 ? Math.max(0.06, Math.sqrt(v / most)) : 0);

function grid(cells, most, { x, y, columns, rows, width: wide, height, numbers }) {
	return Plot.plot({
		width: wide, height, marginLeft: 64, marginBottom: 42, marginTop: 12, marginRight: 12, style: { fontSize: "12px" },
		x: { label: x, domain: columns, labelOffset: 38, tickSize: 3, ticks: columns.length > wide / 24 ? columns.filter((c, i) => i % Math.ceil(columns.length / (wide / 36)) === 0) : columns },
		y: { label: y, domain: rows, tickSize: 3, ticks: rows.length > 24 ? rows.filter((c, i) => i % Math.ceil(rows.length / 12) === 0) : rows },
		opacity: { type: "identity" },
		marks: [
			Plot.frame({ stroke: "var(--line)" }),
			Plot.cell(cells, { x: "x", y: "y", fill: "var(--heat)", fillOpacity: (c) => tone(c.v, most), inset: columns.length > 64 ? 0 : 0.5, ...hover((c) => `${y} ${c.y}, ${x} ${c.x}\n${whole(c.v)}`) }),
			numbers ? Plot.text(cells, { x: "x", y: "y", text: (c) => short(c.v), fill: "currentColor", stroke: "var(--bg)", strokeWidth: 3 }) : null,
		],
	});
}

// ---- sets of the L1s ----

const kinds = [["fail_line", "cycles in which all of a set's ways waited for lines"], ["misses", "misses"], ["accesses", "accesses"]];

const sumOf = (matrix, set) => matrix.reduce((n, row) => n + (row[set] || 0), 0);

function bySet(run, what) {
	const m = run.l1_sets[what], cells = m.flatMap((row, y) => row.map((v, x) => ({ x, y, v })));
	return { matrix: m, cells, most: cells.reduce((n, c) => Math.max(n, c.v), 0), columns: m[0].map((_, i) => i), rows: m.map((_, i) => i) };
}

function words(run, g, sets) {
	const of = sets.map((s) => sumOf(g.matrix, s)), all = of.reduce((a, b) => a + b, 0), used = of.filter((v) => v > 0).length;
	const top = [...of].sort((a, b) => b - a).slice(0, 4).reduce((a, b) => a + b, 0);
	return { all, used, text: `${run.label}: ${short(all)}, in ${used} of ${sets.length} sets; the 4 sets with most have ${all ? Math.round((100 * top) / all) : 0} %` };
}

function setMaps(pair, what, meaning) {
	const have = pair.filter((r) => r.l1_sets), data = have.map((r) => bySet(r, what)), most = Math.max(1, ...data.map((g) => g.most));
	return el("div", { class: "pair" }, have.map((run, i) => {
		const g = data[i], w = words(run, g, g.columns);
		return figure(`${w.text}`, grid(g.cells, most, { x: "set of the L1", y: "SM", columns: g.columns, rows: g.rows, width: width(2), height: Math.min(420, 70 + 15 * g.rows.length) }),
			`${meaning}, by SM and set. The darkest cell is ${whole(most)}`,
			() => table(`${meaning} of ${run.label}, by set`, [{ title: "set", n: true, cell: (s) => String(s) },
				{ title: "all SMs", n: true, value: (s) => sumOf(g.matrix, s), cell: (s) => whole(sumOf(g.matrix, s)) },
				{ title: "most of an SM", n: true, cell: (s) => whole(Math.max(...g.matrix.map((r) => r[s]))) }], g.columns, { tall: true }));
	}));
}

export function cacheSets(pair) {
	if (!pair.some((r) => r.l1_sets)) return missing("Counts by L1 set are not in these results:", "locus run W --report-data --json FILE");
	const choice = el("select", { id: "set-kind" }, kinds.map(([k, text]) => el("option", { value: k }, text))), place = el("div");
	const show = () => place.replaceChildren(setMaps(pair, choice.value, kinds.find((k) => k[0] === choice.value)[1]));
	choice.addEventListener("change", show);
	show();
	return [el("div", { class: "pick" }, el("label", { for: "set-kind" }, "Shown: "), choice), place,
		pair.filter((r) => !r.l1_sets).map((r) => missing(`${r.label} has none:`, "locus run W --report-data --json FILE"))];
}

// ---- from module to module ----

function traffic(run) {
	const cells = [], nodes = [];
	for (const name of Object.keys(run.stats || {})) {
		const m = /^traffic\.([^.]+)\.([^.]+)$/.exec(name);
		if (!m) continue;
		cells.push({ y: m[1], x: m[2], v: stat(run, name) || 0 });
		if (!nodes.includes(m[1])) nodes.push(m[1]);
	}
	return { cells, nodes };
}

export function modules(pair) {
	const all = pair.map((run) => ({ run, ...traffic(run) })).filter((t) => t.nodes.length > 1), most = Math.max(1, ...all.flatMap((t) => t.cells.map((c) => c.v)));
	if (!all.length) return missing("These machines have one module: there is no traffic between modules. A machine of several:", "locus run W --machine ndp4 --json FILE");
	return el("div", { class: "pair" }, all.map(({ run, cells, nodes }) => {
		const remote = cells.filter((c) => c.x !== c.y).reduce((n, c) => n + c.v, 0), sum = cells.reduce((n, c) => n + c.v, 0);
		return figure(`${run.label}: ${short(sum)}B, ${sum ? Math.round((100 * remote) / sum) : 0} % of them between modules`,
			grid(cells, most, { x: "to module", y: "from module", columns: nodes, rows: nodes, width: width(2), height: Math.min(560, 70 + Math.max(22, 300 / nodes.length) * nodes.length), numbers: nodes.length <= 9 }),
			`Bytes from module to module. The darkest cell is ${whole(most)}`,
			() => table(`Bytes from module to module, ${run.label}`, [{ title: "from \\ to", cell: (n) => n },
				...nodes.map((to) => ({ title: to, n: true, value: (n) => stat(run, `traffic.${n}.${to}`), cell: (n) => whole(stat(run, `traffic.${n}.${to}`)) }))], nodes));
	}));
}
