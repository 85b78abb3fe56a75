// What flows between SMs, L1s, network, L2, links and DRAM. Requests go down on the left, data comes up on the right; an
// arrow is the wider the nearer the flow is to what the part below it can take.
import { channels, key, l1Hit, l2Hit, limits, rate, slices, sms, stat } from "../data.js";
import { el, figure, missing, narrow, svg, table, width } from "../dom.js";
import { bytesRate, percent, short } from "../format.js";

function flows(run) {
	const flit = key(run, "net.flit_bytes") || 0, line = key(run, "l1.line") || 0;
	const bytes = (name, each) => { const n = stat(run, name); return n === null ? null : rate(run, n * each); };
	return {
		accesses: rate(run, stat(run, "l1.accesses")), l1: bytes("l1.accesses", line),
		requests: rate(run, stat(run, "net.request.packets")), up: bytes("net.reply.flits", flit), down: bytes("net.request.flits", flit),
		fetches: rate(run, stat(run, "dram.reads")), writes: rate(run, stat(run, "dram.writes")), dram: rate(run, stat(run, "dram.bytes")),
		links: rate(run, stat(run, "link.bytes")), remote: stat(run, "memory.remote_share"),
	};
}

function boxes(run) {
	const f = flows(run), share = Object.fromEntries(limits(run).map((l) => [l.name, l.share]));
	const list = [
		{ name: `SMs (${sms(run)})`, text: `${short(rate(run, stat(run, "warp_insts")))} instr./s, ${short(stat(run, "load.latency.mean"))} cycles a load`, share: share.issue },
		{ name: "L1", text: `${percent(l1Hit(run))} of loads hit`, share: share.L1, down: `${short(f.accesses)} accesses/s`, up: `${bytesRate(f.l1)} of lines` },
		{ name: "network", text: `${short(rate(run, stat(run, "net.reply.flits")))} reply flits/s`, share: share["network, replies"], down: `${short(f.requests)} packets/s`, up: bytesRate(f.up) },
		{ name: `L2 (${slices(run)} slices)`, text: stat(run, "l2.accesses") === null ? "none" : `${percent(l2Hit(run))} hit`, share: share.L2, down: bytesRate(f.down), up: bytesRate(f.up) },
	];
	if (f.links !== null)
		list.push({ name: "links", text: f.remote === null ? "" : `${percent(f.remote)} of requests remote`, share: share["busiest link"], down: "", up: bytesRate(f.links) });
	list.push({ name: `DRAM (${channels(run)} channels)`, text: `${percent(stat(run, "dram.row_hit_rate"))} row hits`, share: share.DRAM,
		down: `${short(f.fetches)} reads/s`, up: `${bytesRate(f.dram)} both ways` });
	return list;
}

function arrow(x, from, to, share, color) {
	const w = 2 + 10 * Math.sqrt(Math.max(0, Math.min(1, share || 0))), dir = Math.sign(to - from);
	return svg("g", { fill: color, stroke: color }, svg("line", { x1: x, y1: from, x2: x, y2: to - 7 * dir, "stroke-width": w }),
		svg("path", { d: `M${x - w / 2 - 4},${to - 8 * dir}h${w + 8}L${x},${to}z`, stroke: "none" }));
}

const says = (b) => `${b.name}: ${[b.text, b.down && `in ${b.down}`, b.up && `out ${b.up}`, b.share === undefined ? "" : `${percent(b.share)} of its peak`].filter(Boolean).join(", ")}`;

function chart(run) {
	const list = boxes(run), step = 102, height = 50, [x, wide] = narrow() ? [115, 330] : [155, 250], color = run.color;
	const node = svg("svg", { viewBox: `0 0 560 ${step * (list.length - 1) + height + 4}`, width: width(2), "font-size": narrow() ? 16 : 13, fill: "currentColor", "font-family": "inherit" });
	list.forEach((b, i) => {
		const y = 2 + step * i;
		if (i) {
			node.append(arrow(x + 60, y - step + height + 2, y - 2, b.share, color), arrow(x + wide - 60, y - 2, y - step + height + 2, b.share, color),
				svg("text", { x: x + 46, y: y - 22, "text-anchor": "end" }, b.down), svg("text", { x: x + wide - 46, y: y - 22 }, b.up));
		}
		node.append(svg("rect", { x, y, width: wide, height, rx: 5, fill: "var(--panel)", stroke: "var(--dim)" }, svg("title", null, says(b))),
			svg("rect", { x, y: y + height - 6, width: wide * Math.min(1, b.share || 0), height: 6, fill: color }),
			svg("text", { x: x + 10, y: y + 19, "font-weight": 600 }, b.name), svg("text", { x: x + 10, y: y + 37 }, b.text));
		if (b.share !== undefined) node.append(svg("text", { x: x + wide - 8, y: y + 19, "text-anchor": "end" }, percent(b.share)));
	});
	return node;
}

export function memoryChart(pair) {
	const drawn = pair.filter((run) => stat(run, "l1.accesses") !== null);
	if (!drawn.length) return missing("There are no metrics of L1s in these results:", "locus run W --json FILE");
	return [el("p", { class: "note" }, "Right in a box, and its bar: of the part's peak. Left arrows: requests; right ones: data. Rates are of the machine's time."),
		el("div", { class: "pair" }, drawn.map((run) => figure(`Memory of ${run.label}`, chart(run),
			boxes(run).map((b) => `${b.name}: ${[b.text, b.down, b.up, b.share === undefined ? "" : `${percent(b.share)} of its peak`].filter(Boolean).join(", ")}`).join(". "),
			() => table(`Memory of ${run.label}`, [
				{ title: "part", cell: (b) => b.name }, { title: "", cell: (b) => b.text }, { title: "requests into it", n: true, cell: (b) => b.down || "" },
				{ title: "data out of it", n: true, cell: (b) => b.up || "" }, { title: "of its peak", n: true, cell: (b) => percent(b.share) }], boxes(run)))))];
}
