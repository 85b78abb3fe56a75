// Mismatch bundles: the report as it was printed, and the window of its steps as waves: what differs, golden above RTL.
import { el, figure, later, missing, svg, table } from "../dom.js";
import { clip } from "../format.js";

// A row a signal: pairs, then inputs.
const rows = (w) => [...w.pairs.flatMap((p) => [{ title: `golden ${p.name}`, kind: "golden", values: p.golden, other: p.rtl }, { title: `rtl ${p.name}`, kind: "rtl", values: p.rtl, other: p.golden }]),
	...w.inputs.map((s) => ({ title: s.name, kind: "in", values: s.values }))];

const HIGH = 30;

// Times are in the row above.
function names(list) {
	const left = Math.min(200, 16 + 7.2 * Math.max(...list.map((s) => clip(s.title, 26).length))), high = HIGH * (list.length + 1) + 8;
	return svg("svg", { viewBox: `0 0 ${left} ${high}`, width: left, height: high, class: "names", "aria-hidden": "true", "font-size": 12, fill: "currentColor" },
		list.map((s, r) => svg("text", { x: left - 8, y: HIGH * (r + 1) + 19, "text-anchor": "end" }, clip(s.title, 26))));
}

function waves(w, list) {
	const longest = Math.max(...list.flatMap((s) => s.values.map((v) => v.length)));
	const wide = Math.max(48, Math.min(100, longest * 7.5 + 14)), width = wide * w.steps.length + 10, all = HIGH * (list.length + 1) + 8;
	const node = svg("svg", { viewBox: `0 0 ${width} ${all}`, width, height: all, "font-size": 12, fill: "currentColor" });
	w.steps.forEach((s, i) => {
		const first = s.step === w.step;
		node.append(svg("text", { x: wide * (i + 0.5), y: 16, "text-anchor": "middle", fill: first ? "currentColor" : "var(--dim)", "font-weight": first ? "bold" : null }, clip(String(s.cycle), 9)));
		if (first) node.append(svg("line", { x1: wide * i, x2: wide * i, y1: 0, y2: all, stroke: "currentColor", "stroke-dasharray": "3 3" }));
	});
	list.forEach((s, r) => {
		const y = HIGH * (r + 1), color = s.kind === "rtl" ? "var(--fetch)" : s.kind === "golden" ? "var(--good)" : "var(--dim)";
		const differs = (i) => Boolean(s.other) && s.values[i] !== s.other[i];
		for (let i = 0, end; i < s.values.length; i = end) {
			for (end = i + 1; end < s.values.length && s.values[end] === s.values[i] && differs(end) === differs(i); end++);
			const x1 = wide * i, x2 = wide * end, bad = differs(i);
			node.append(svg("path", { d: `M${x1},${y + 15}l4,-11H${x2 - 4}l4,11l-4,11H${x1 + 4}z`, fill: bad ? "var(--heat)" : "none", "fill-opacity": 0.25, stroke: color, "stroke-width": bad ? 2 : 1, "pointer-events": "all" }, svg("title", null, `${s.title}, cycle ${w.steps[i].cycle}${end > i + 1 ? ` to ${w.steps[end - 1].cycle}` : ""}: ${s.values[i]}${bad ? `, other side ${s.other[i]}` : ""}`)));
			// In a long one again and again, so that it is seen wherever the window is scrolled to.
			for (let at = i; at < end; at += 8) {
				const to = Math.min(end, at + 8);
				node.append(svg("text", { x: wide * (at + to) / 2, y: y + 19, "text-anchor": "middle" }, clip(s.values[i], Math.max(4, Math.floor(wide * (to - at) / 8)))));
			}
		}
	});
	return node;
}

function drawn(b) {
	const w = b.window, list = rows(w), node = waves(w, list), at = w.steps.findIndex((s) => s.step === w.step) / w.steps.length;
	const chart = figure(`${w.steps.length} step${w.steps.length === 1 ? "" : "s"} by cycle; the first difference is at the broken line, values that differ are filled`, node, b.lines.slice(0, 3).join(" "),
		() => table(`Signals of ${b.name}`, [{ title: "step", n: true, cell: (s) => String(s.step) }, { title: "cycle", n: true, cell: (s) => String(s.cycle) }, ...list.map((s) => ({ title: s.title, text: true, cell: (_, i) => s.values[i] })), { title: "", cell: (s) => (s.reset ? "reset" : "") }], w.steps));
	const view = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Signals of ${b.name}` });
	node.replaceWith(el("div", { class: "waves" }, view, names(list)));
	view.append(node);
	requestAnimationFrame(() => { view.scrollLeft = Math.max(0, at * view.scrollWidth - 0.3 * view.clientWidth); });
	return chart;
}

function bundle(b) {
	return [el("h3", null, b.name), el("p", { class: "failed" }, b.lines[0]), b.window.steps.length && b.window.pairs.length ? drawn(b) : "",
		later("The report as it was printed", () => el("pre", { tabindex: 0 }, b.lines.join("\n")))];
}

function differing(pair) {
	const rows_ = pair.flatMap((run) => (Array.isArray(run.blocks) ? run.blocks : []).map((b) => ({ run, ...b })));
	return rows_.length ? table("Hardware blocks that ran in Verilog", [{ title: "run", cell: (b) => b.run.label }, { title: "block", cell: (b) => b.block }, { title: "mode", cell: (b) => b.mode },
		{ title: "drives the model", cell: (b) => (b.drives ? "Verilog" : "golden twin") }, { title: "RTL", cell: (b) => (b.own ? `${b.rtl} (Locus's own)` : b.rtl || "") }, { title: "XXH64", cell: (b) => b.xxh64 || "" }, { title: "steps", n: true, cell: (b) => String(b.steps) }, { title: "mismatches", n: true, cell: (b) => (b.idle ? "not checked" : b.mode === "rtl" ? "not compared" : String(b.mismatches)) }, { title: "unread", n: true, cell: (b) => String(b.unread_mismatches || 0) }, { title: "assertions", n: true, cell: (b) => String(b.assertions) }], rows_) : "";
}

export function mismatches(pair, page) {
	if (!page.bundles.length && !pair.some((r) => Array.isArray(r.blocks))) return missing("There are no mismatches of hardware blocks in these results. A bundle that locus cosim wrote:", "locus report RUN.json --bundle mismatch-BLOCK-CYCLE");
	return [differing(pair), page.bundles.map(bundle)];
}
