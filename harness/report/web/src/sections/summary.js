// What the runs are, and in a sentence or two why they take the time they take.
import { biggestChange, culprit, key, mainStall, meaning, speedUp, stat } from "../data.js";
import * as Plot from "@observablehq/plot";
import { el, figure, hover, left, named, narrow, table, ticks, width } from "../dom.js";
import { change, clip, number, percent, short, whole } from "../format.js";

const bold = (text) => el("b", null, text);

function instruction(c) {
	return [bold(`${c.opcode || "the instruction"} of ${c.line.name}`), c.n > 1 ? ` (${c.n} instructions)` : "",
		c.width > 1 ? [", ", bold(`${c.width} lines an access`)] : ""];
}

function story(run) {
	const stall = mainStall(run);
	if (!stall) return null;
	const c = culprit(run, stall.name);
	return el("p", null, el("span", named(run), run.label), `: ${whole(stat(run, "cycles"))} cycles; schedulers issue in `,
		bold(percent(stat(run, "sched.issued"))), " of them. Most others: ", bold(percent(stall.share)), ` ${meaning.get(stall.name)}`,
		c ? ["; ", bold(percent(c.share)), " of these wait for ", instruction(c)] : "", ".");
}

function comparison(a, b) {
	const s = speedUp(a, b), c = biggestChange(a, b), who = c && culprit(c.from >= c.to ? a : b, c.name);
	if (s === null) return null;
	const same = stat(a, "warp_insts") === stat(b, "warp_insts");
	return el("p", null, el("span", named(b), b.label), ...(s === 1 ? [" takes ", bold("the same time"), " as "] : [" is ", bold(`${(s > 1 ? s : 1 / s).toFixed(Math.abs(s - 1) < 0.1 ? 4 : 2)} times ${s > 1 ? "faster" : "slower"}`), " than "]),
		el("span", named(a), a.label), ". ",
		c && c.from !== c.to ? ["The largest change of the schedulers' cycles: ", meaning.get(c.name), ", ",
			bold(`${short(c.from)} \u2192 ${short(c.to)}`), ` (${change(c.from, c.to)})`,
			who ? ["; ", bold(percent(who.share)), " of them at ", instruction(who)] : "", ". "] : "",
		same ? "" : el("span", { class: "failed" }, "They issued other instructions: this does not compare the same work."));
}

function audit(run) {
	const all = Array.isArray(run.audit) ? run.audit : [], held = all.filter((i) => i.holds).length;
	return el("span", { class: held === all.length ? null : "failed" }, `${held}/${all.length}`);
}

function cycles(runs) {
	const rows = runs.map((r, i) => ({ r, name: `${i + 1} ${clip(r.label, narrow() ? 11 : 18)}`, cycles: stat(r, "cycles") })).filter((d) => d.cycles !== null);
	const drawing = Plot.plot({
		width: width(), height: 54 + 18 * rows.length, marginLeft: left(170), marginRight: 80, marginBottom: 42, style: { fontSize: "12px" },
		x: { label: "cycles", labelOffset: 38, grid: true, ticks: ticks(), tickFormat: (v) => short(v) }, y: { label: null, domain: rows.map((d) => d.name) },
		marks: [Plot.barX(rows, { x: "cycles", y: "name", fill: (d) => d.r.color, ...hover((d) => `${d.r.label}\n${whole(d.cycles)} cycles`) }),
			Plot.text(rows, { x: "cycles", y: "name", text: (d) => short(d.cycles), textAnchor: "start", dx: 4, fill: "currentColor" }), Plot.ruleX([0])],
	});
	return figure("Cycles of all runs", drawing, rows.map((d) => `${d.r.label} ${whole(d.cycles)}`).join(", "));
}

// Of a sweep: what `locus sweep table` prints.
function sweep(t) {
	const columns = [{ title: "", cell: (r) => r.name }, ...t.columns.map((title, i) => ({ title, n: true, value: (r) => r.values[i], cell: (r) => number(r.values[i]) }))];
	return figureless(t.title, table(t.title, columns, t.rows, { tall: t.rows.length > 20 }));
}
const figureless = (title, node) => [el("h3", null, title), node];

export function summary(runs, a, b, swept) {
	const columns = [
		{ title: "run", cell: (r) => el("span", named(r), r.label) },
		{ title: "program", cell: (r) => r.workload || "-" },
		{ title: "machine", cell: (r) => `${key(r, "name") ?? "-"}${r.planner ? `, plan ${r.planner}` : ""}` },
		{ title: "cycles", n: true, value: (r) => stat(r, "cycles"), cell: (r) => whole(stat(r, "cycles")) },
		{ title: `speed-up over ${a.label}`, n: true, cell: (r) => number(speedUp(a, r) === null ? null : Number(speedUp(a, r).toFixed(3))) },
		{ title: "IPC (warps)", n: true, value: (r) => stat(r, "ipc.warp"), cell: (r) => number(stat(r, "ipc.warp")) },
		{ title: "most cycles lost to", cell: (r) => { const m = mainStall(r); return m ? `${m.name}, ${percent(m.share)}` : "-"; } },
		{ title: "invariants hold", n: true, cell: audit },
	];
	const cut = runs.filter((r) => r.cut).map((r) => el("p", { class: "failed" }, `${r.label} was cut by ${r.cut}: its metrics are those up to then.`));
	return [
		swept ? sweep(swept) : "",
		el("div", { class: "verdict" }, b ? [comparison(a, b), story(a), story(b)] : story(a)),
		table("Runs", columns, runs, { tall: runs.length > 12, row: (r) => ({ "data-run": r.number }) }), cut, runs.length > 2 ? cycles(runs) : "",
	];
}
