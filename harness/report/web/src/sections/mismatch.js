// Mismatch bundles: the report as it was printed, and its steps as waves: the field that differs, golden above RTL.
import { el, figure, later, missing, svg, table } from "../dom.js";
import { clip } from "../format.js";

// The lines of the table: "STEP CYCLE | inputs | golden: names | rtl: names", then a line a step.
function parse(lines) {
	const at = lines.findIndex((l) => /^\s*step\s+cycle\s*\|/.test(l));
	if (at < 0) return null;
	const cells = (l) => l.split("|").map((part) => part.trim());
	const names = cells(lines[at]).map((part) => part.replace(/^(golden|rtl):\s*/, "").split(/\s+/)), kinds = cells(lines[at]).map((part) => (/^golden:/.test(part) ? "golden" : /^rtl:/.test(part) ? "rtl" : "in"));
	const steps = [];
	for (const line of lines.slice(at + 1)) {
		const parts = cells(line);
		if (parts.length !== names.length || !/^\d+\s+\d+/.test(parts[0])) break;
		const [step, cycle] = parts[0].split(/\s+/), last = parts.length - 1, end = parts[last].split(/\s+/);
		parts[last] = end.slice(0, names[last].length).join(" ");
		steps.push({ step, cycle, note: end.slice(names[last].length).join(" "), values: parts.map((p) => p.split(/\s+/)) });
	}
	const signals = [];
	names.forEach((of, part) => { if (part) of.forEach((name, i) => { if (name !== "...") signals.push({ name, kind: kinds[part], values: steps.map((s) => s.values[part][i] ?? "-") }); }); });
	return steps.length ? { steps, signals } : null;
}

// Pairs whose values differ first; inputs below.
function rows(t) {
	const golden = t.signals.filter((s) => s.kind === "golden").map((g) => ({ name: g.name, golden: g, rtl: t.signals.find((s) => s.kind === "rtl" && s.name === g.name) })).filter((p) => p.rtl);
	const differs = (p) => p.golden.values.some((v, i) => v !== p.rtl.values[i]);
	const pairs = [...golden.filter(differs), ...golden.filter((p) => !differs(p))].slice(0, 8);
	return [...pairs.flatMap((p) => [{ ...p.golden, other: p.rtl, title: `golden ${p.name}` }, { ...p.rtl, other: p.golden, title: `rtl ${p.name}` }]),
		...t.signals.filter((s) => s.kind === "in").slice(0, 8).map((s) => ({ ...s, title: s.name }))];
}

function waves(t) {
	const list = rows(t), left = 190, wide = 68, high = 30, node = svg("svg", { viewBox: `0 0 ${left + wide * t.steps.length + 10} ${high * (list.length + 1) + 8}`, width: left + wide * t.steps.length + 10, "font-size": 12, fill: "currentColor" });
	t.steps.forEach((s, i) => node.append(svg("text", { x: left + wide * (i + 0.5), y: 16, "text-anchor": "middle", fill: "var(--dim)" }, clip(s.cycle, 9))));
	list.forEach((s, r) => {
		const y = high * (r + 1), color = s.kind === "rtl" ? "var(--b)" : s.kind === "golden" ? "var(--a)" : "var(--dim)";
		node.append(svg("text", { x: left - 8, y: y + 19, "text-anchor": "end" }, clip(s.title, 26)));
		const differs = (i) => Boolean(s.other) && s.values[i] !== s.other.values[i];
		for (let i = 0, end; i < s.values.length; i = end) {
			for (end = i + 1; end < s.values.length && s.values[end] === s.values[i] && differs(end) === differs(i); end++);
			const x1 = left + wide * i, x2 = left + wide * end, bad = differs(i);
			node.append(svg("path", { d: `M${x1},${y + 15}l4,-11H${x2 - 4}l4,11l-4,11H${x1 + 4}z`, fill: bad ? "var(--heat)" : "none", "fill-opacity": 0.25, stroke: color, "stroke-width": bad ? 2 : 1 }),
				svg("text", { x: (x1 + x2) / 2, y: y + 19, "text-anchor": "middle" }, clip(s.values[i], Math.max(4, Math.floor((x2 - x1) / 8)))));
		}
	});
	return node;
}

function bundle(b) {
	const t = parse(b.lines), title = b.lines[0];
	return [el("h3", null, b.name), el("p", { class: "failed" }, title),
		t ? el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Signals of ${b.name}` }, figure(`The last ${t.steps.length} steps, by cycle; where the sides differ a value is filled`, waves(t), b.lines.slice(0, 3).join(" "),
			() => table(`Signals of ${b.name}`, [{ title: "cycle", cell: (s) => s.cycle }, ...t.signals.map((s) => ({ title: `${s.kind} ${s.name}`, text: true, cell: (_, i) => s.values[i] })), { title: "", cell: (s) => s.note }], t.steps))) : "",
		later("The report as it was printed", () => el("pre", { tabindex: 0 }, b.lines.join("\n")))];
}

function differing(pair) {
	const rows_ = pair.flatMap((run) => (Array.isArray(run.blocks) ? run.blocks : []).map((b) => ({ run, ...b })));
	return rows_.length ? table("Blocks of a co-simulation that differ, or are not compared whole", [{ title: "run", cell: (b) => b.run.label }, { title: "block", cell: (b) => b.block }, { title: "mode", cell: (b) => b.mode },
		{ title: "RTL", cell: (b) => b.rtl || "" }, { title: "steps", n: true, cell: (b) => String(b.steps) }, { title: "mismatches", n: true, cell: (b) => String(b.mismatches) }, { title: "assertions", n: true, cell: (b) => String(b.assertions) }], rows_) : "";
}

export function mismatches(pair, page) {
	if (!page.bundles.length && !pair.some((r) => Array.isArray(r.blocks))) return missing("There are no mismatches of hardware blocks in these results. A bundle that locus cosim wrote:", "locus report RUN.json --bundle mismatch-BLOCK-CYCLE");
	return [differing(pair), page.bundles.map(bundle)];
}
