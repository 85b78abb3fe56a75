// The lines of the source that take the schedulers' cycles, and their instructions.
import { hotLines, meaning } from "../data.js";
import { bar, el, later, missing, named, table } from "../dom.js";
import { number, percent, whole } from "../format.js";

const LINES = 12;

const columns = (color) => [
	{ title: "took", n: true, value: (r) => r.taken, cell: (r) => [bar(r.share, color, 70), percent(r.share)] },
	{ title: "most for", cell: (r) => (r.cause ? el("span", { class: "together", title: meaning.get(r.cause) || null }, `${r.cause} ${percent(r.causeShare)}`) : "") },
	{ title: "lines an access", n: true, value: (r) => r.width, cell: (r) => (r.width === null ? "" : number(Number(r.width.toFixed(2)))) },
	{ title: "L1 hit", n: true, value: (r) => r.hit, cell: (r) => (r.hit === null ? "" : percent(r.hit)) },
	{ title: "latency", n: true, value: (r) => r.latency, cell: (r) => (r.latency === null ? "" : number(Number(r.latency.toFixed(1)))) },
];

function linesOf(run, hot) {
	const color = run.color, shown = hot.filter((r, i) => i < LINES && (i < 3 || r.share >= 0.0005));
	return [
		table(`Hot lines of ${run.label}`, [
			{ title: "line", cell: (r) => el("span", { class: "together" }, r.name) }, ...columns(color), { title: "source", text: true, cell: (r) => r.text },
		], shown),
		el("p", { class: "note" }, hot.length > shown.length ? `${shown.length} of ${hot.length} lines that took cycles. ` : "",
			"Took: cycles in which the line issued, or others waited for it; most for: of these, the largest cause."),
		later(`Instructions of these lines in ${run.label}`, () => table(`Instructions of ${run.label}`, [
			{ title: "instruction", cell: (i) => `${i.name}, ${i.pc !== undefined ? `pc 0x${i.pc.toString(16)}` : i.ptx !== undefined ? `PTX ${i.ptx}` : `number ${i.index}`}` },
			{ title: "opcode", text: true, cell: (i) => i.opcode },
			{ title: "issued", n: true, value: (i) => i.issued, cell: (i) => whole(i.issued) }, ...columns(color),
		], shown.flatMap((r) => r.instructions).filter((i) => i.taken > 0).sort((x, y) => y.taken - x.taken).slice(0, 40))),
	];
}

export function hotSpots(pair) {
	return pair.map((run) => {
		const hot = hotLines(run);
		return [el("h3", named(run), run.label),
			hot ? linesOf(run, hot) : missing("This result has no profile:", "locus run W --report-data --json FILE, or locus profile W --json FILE")];
	});
}
