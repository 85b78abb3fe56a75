// All metrics, one beside the other; the machine; the version.
import { key, stat, unit } from "../data.js";
import { el, later, missing, named, table } from "../dom.js";
import { change, metric } from "../format.js";

// Details (single SMs, channels, arrays) have no unit, not even an empty one.
function names(pair) {
	const all = new Set();
	for (const run of pair) for (const n of Object.keys(run.stats || {})) if (unit(run, n) !== null || !run.units) all.add(n);
	return [...all];
}

function changeOf(a, b, name) {
	const x = stat(a, name), y = stat(b, name);
	return x === null || y === null || x === 0 ? (x === y ? 0 : Infinity) : Math.abs((y - x) / x);
}

function metricsTable(pair, list) {
	const [a, b] = pair, unitOf = (n) => unit(a, n) ?? (b ? unit(b, n) : null) ?? "";
	return table("Metrics", [
		{ title: "metric", cell: (n) => n }, { title: "unit", cell: unitOf },
		...pair.map((run) => ({ title: run.label, n: true, value: (n) => stat(run, n), cell: (n) => metric(stat(run, n), unitOf(n)) })),
		...(b ? [{ title: "change", n: true, cell: (n) => change(stat(a, n), stat(b, n)) }] : []),
	], list, { tall: true, row: (n) => ({ "data-metric": n }) });
}

export function metrics(pair) {
	const [a, b] = pair, all = names(pair);
	if (!all.length) return missing("These results have no metrics:", "locus run W --json FILE");
	const order = el("select", { id: "metric-order" }, el("option", { value: "run" }, "as a run prints them"), b ? el("option", { value: "change" }, "largest change first") : null);
	const find = el("input", { id: "metric-find", type: "search", autocomplete: "off" }), place = el("div");
	const show = () => {
		let list = all.filter((n) => n.includes(find.value.trim()));
		if (order.value === "change") list = list.filter((n) => changeOf(a, b, n) > 0).sort((x, y) => changeOf(a, b, y) - changeOf(a, b, x));
		place.replaceChildren(metricsTable(pair, list));
	};
	order.addEventListener("change", show);
	find.addEventListener("input", show);
	show();
	return [el("div", { class: "pick" }, el("label", { for: "metric-find" }, "Names with "), find, el("label", { for: "metric-order" }, "Order "), order), place];
}

const origin = (run) => { const o = run.locus || {}; return `${o.version ?? "?"} (${o.git ?? "?"})`; };

export function machine(pair, runs, page) {
	const [a, b] = pair, keys = [...new Set(pair.flatMap((r) => Object.keys(r.machine || {})))], text = (run, k) => { const v = key(run, k); return v === null ? "-" : String(v); };
	const differ = b ? keys.filter((k) => text(a, k) !== text(b, k)) : [];
	const list = (which) => table("Keys of the machine", [{ title: "key", cell: (k) => k }, ...pair.map((run) => ({ title: run.label, cell: (k) => text(run, k) }))], which, { tall: which.length > 20 });
	const bad = pair.flatMap((run) => (Array.isArray(run.audit) ? run.audit : []).filter((i) => !i.holds).map((i) => ({ run, ...i })));
	return [
		b ? [el("p", null, differ.length ? `${differ.length} of ${keys.length} keys differ:` : "The machines do not differ."), differ.length ? list(differ) : ""] : "",
		later(`All ${keys.length} keys`, () => list(keys)),
		el("p", null, pair.map((run) => [el("span", named(run), run.label), `: Locus ${origin(run)}, trace ${run.trace_hash ?? "?"}. `]), `This page: Locus ${page.locus.version} (${page.locus.git}).`),
		bad.length ? table("Broken invariants", [{ title: "run", cell: (i) => i.run.label }, { title: "invariant", cell: (i) => i.invariant },
			{ title: "left", n: true, cell: (i) => String(i.left) }, { title: "", cell: (i) => i.is || "" }, { title: "right", n: true, cell: (i) => String(i.right) }], bad) : "",
	];
}
