// Results as the page sees them: what a run says, and what follows from it and the machine's peaks. Nothing here touches
// the document. A value that a result does not have is null.

export function load() {
	const page = JSON.parse(document.getElementById("data").textContent);
	page.runs.forEach((run, i) => { run.number = i; run.color = colorOf(i); });
	return page;
}

// The first two are those of the pictures that locus draws; then hues that are far from their neighbours'.
function colorOf(i) {
	if (i < 2) return `var(--${"ab"[i]})`;
	return `hsl(${Math.round(26 + 137.508 * i) % 360} ${i % 2 ? 75 : 55}% var(--ink))`;
}

export const isNumber = (v) => typeof v === "number" && Number.isFinite(v);

export function stat(run, name) {
	const v = run && run.stats ? run.stats[name] : undefined;
	return isNumber(v) ? v : null;
}

export function key(run, name) {
	const v = run.machine ? run.machine[name] : undefined;
	return v === undefined ? null : v;
}

export const unit = (run, name) => (run.units && typeof run.units[name] === "string" ? run.units[name] : null);

export const ratio = (a, b) => (isNumber(a) && isNumber(b) && b !== 0 ? a / b : null);

// How many of "PREFIX.0.SUFFIX", "PREFIX.1.SUFFIX", ... there are.
function count(run, prefix, suffix) {
	let n = 0;
	while (stat(run, `${prefix}.${n}.${suffix}`) !== null) n++;
	return n;
}

export const sms = (run) => count(run, "sm", "warp_insts") || key(run, "sm.count") || 0;
export const channels = (run) => count(run, "dram", "bytes");
export const slices = (run) => channels(run) * (key(run, "l2.slices") || 1);

export const causes = [
	["issued", "an instruction issues"],
	["mem_line", "line allocation: all ways of an L1 set wait for their lines"],
	["mem_entry", "no MSHR entry is free"],
	["mem_merge", "no room in the line's MSHR entry"],
	["mem_queue", "the L1's miss queue is full"],
	["mem_network", "the network takes no packet"],
	["mem_tlb", "translations"],
	["mem_busy", "the load/store unit is busy"],
	["memory", "all warps wait, the nearest for data from memory"],
	["pipeline", "the arithmetic pipeline is held"],
	["arithmetic", "all warps wait, the nearest for an arithmetic result"],
	["operands", "operand collectors"],
	["fetch", "instruction fetch"],
	["throttled", "the throttle holds the warps back"],
	["wait", "repeated waits: a warp polls memory for a value"],
	["barrier", "all warps wait at a barrier"],
	["idle", "no warp to run"],
];
export const meaning = new Map(causes);

// Cycles of all schedulers, by cause; those that a run has none of are left out.
export function stalls(run) {
	const all = causes.map(([name]) => ({ name, cycles: stat(run, `sched.${name}.cycles`) || 0, share: stat(run, `sched.${name}`) || 0 }));
	return all.filter((c) => c.cycles > 0);
}

const mhz = (run, name) => key(run, `clock.${name}`) || 0;
export const seconds = (run) => { const us = stat(run, "time"); return us === null ? null : us * 1e-6; };
export const rate = (run, amount) => ratio(amount, seconds(run)); // a second
export const l1Hit = (run) => {
	const hits = (stat(run, "l1.hits") || 0) + (stat(run, "l1.hits_reserved") || 0);
	return ratio(hits, hits + (stat(run, "l1.misses") || 0));
};
export const l2Hit = (run) => { const m = stat(run, "l2.miss_rate"); return m === null || !stat(run, "l2.accesses") ? null : 1 - m; };

// Peaks of the machine: lines, flits and bytes a second.
export function peaks(run) {
	const n = sms(run), s = slices(run), core = mhz(run, "core") * 1e6, line = key(run, "l1.line") || 0;
	const burst = ratio(key(run, "dram.burst_bytes"), key(run, "dram.burst"));
	return {
		issue: n * (key(run, "sm.schedulers") || 0) * core,
		l1: n * core, l1Bytes: n * core * line,
		l2: s * mhz(run, "l2") * 1e6, l2Bytes: s * mhz(run, "l2") * 1e6 * (key(run, "l2.line") || 0),
		net: Math.min(n, s) * mhz(run, "net") * 1e6, flit: key(run, "net.flit_bytes") || 0,
		dram: burst === null ? null : channels(run) * burst * mhz(run, "dram") * 1e6,
	};
}

// What each part did, of what it can do at most: {name, what, used, peak, unit, share}.
export function limits(run) {
	const p = peaks(run), rows = [];
	const add = (name, what, amount, peak, each) => {
		const used = rate(run, amount), share = ratio(used, peak);
		if (share !== null) rows.push({ name, what, used, peak, unit: each, share });
	};
	add("issue", "warp instructions of all schedulers", stat(run, "warp_insts"), p.issue, "instructions/s");
	add("L1", "one access a cycle and SM", stat(run, "l1.accesses"), p.l1, "accesses/s");
	add("network, requests", "a flit a cycle into each L2 slice, or out of each SM if these are fewer", stat(run, "net.request.flits"), p.net, "flits/s");
	add("network, replies", "a flit a cycle into each SM, or out of each slice if these are fewer", stat(run, "net.reply.flits"), p.net, "flits/s");
	add("L2", "one access a cycle and slice", stat(run, "l2.accesses"), p.l2, "accesses/s");
	if (stat(run, "link.busiest") !== null)
		rows.push({ name: "busiest link", what: "of its bandwidth", used: null, peak: null, unit: "", share: stat(run, "link.busiest") });
	add("DRAM", "bytes on the data buses", stat(run, "dram.bytes"), p.dram, "bytes/s");
	return rows;
}

// ---- the profile, by instruction and by line of the source ----

const sum = (o) => Object.values(o || {}).reduce((a, b) => a + (isNumber(b) ? b : 0), 0);
const counters = ["issued", "accesses", "transactions", "l1_hits", "l1_hits_reserved", "l1_misses", "loads", "load_cycles", "dram_reads", "l2_accesses", "l2_hits"];

function blank(of) {
	const row = { ...of, holds: {}, instructions: [] };
	counters.forEach((c) => { row[c] = 0; });
	return row;
}

function addTo(row, inst) {
	counters.forEach((c) => { row[c] += inst[c] || 0; });
	for (const [why, n] of Object.entries(inst.holds || {})) row.holds[why] = (row.holds[why] || 0) + n;
}

function finish(row, slots) {
	row.held = sum(row.holds);
	row.taken = row.issued + row.held;
	row.share = ratio(row.taken, slots) || 0;
	row.cause = Object.keys(row.holds).sort((a, b) => row.holds[b] - row.holds[a])[0] || null;
	row.causeShare = row.cause ? ratio(row.holds[row.cause], slots) : null;
	row.width = ratio(row.transactions, row.accesses);
	const found = row.l1_hits + row.l1_hits_reserved + row.l1_misses;
	row.hit = ratio(row.l1_hits + row.l1_hits_reserved, found);
	row.latency = ratio(row.load_cycles, row.loads);
	return row;
}

const base = (path) => String(path).split("/").pop() || String(path);

function place(kernel, inst) {
	if (isNumber(inst.line)) return `${inst.file ? base(inst.file) : "source"}:${inst.line}`;
	if (isNumber(inst.pc)) return `${kernel} pc 0x${inst.pc.toString(16)}`;
	return isNumber(inst.ptx_line) ? `${kernel} PTX line ${inst.ptx_line}` : `${kernel} instruction ${inst.index}`;
}

function textsOf(run) {
	const texts = new Map();
	for (const s of Array.isArray(run.source) ? run.source : []) texts.set(`${s.file}\n${s.line}`, String(s.text).trim());
	return texts;
}

// Lines, most cycles first; each has its instructions, likewise. null: no profile.
export function hotLines(run) {
	const p = run.profile;
	if (!p || !Array.isArray(p.kernels)) return null;
	if (run.hot) return run.hot;
	const lines = new Map(), texts = textsOf(run), slots = p.scheduler_cycles;
	for (const kernel of p.kernels)
		for (const inst of kernel.instructions || []) {
			const name = place(kernel.name, inst), id = `${kernel.name}\n${name}`;
			if (!lines.has(id)) lines.set(id, blank({ id, name, kernel: kernel.name, text: texts.get(`${inst.file}\n${inst.line}`) || "" }));
			const row = lines.get(id), one = blank({ opcode: inst.opcode || "", ptx: inst.ptx_line, pc: inst.pc, name, index: inst.index });
			addTo(row, inst);
			addTo(one, inst);
			row.instructions.push(finish(one, slots));
		}
	run.hot = [...lines.values()].map((r) => finish(r, slots)).filter((r) => r.taken > 0).sort((a, b) => b.taken - a.taken);
	for (const r of run.hot) r.instructions.sort((a, b) => b.taken - a.taken);
	return run.hot;
}

// The instructions that are waited for most under a cause, those of one line, opcode and number of lines an access taken
// together (a compiler unrolls loops): {line, opcode, width, n, cycles, share of the cause}.
export function culprit(run, cause) {
	const groups = new Map();
	let all = 0;
	for (const line of hotLines(run) || [])
		for (const i of line.instructions) {
			const cycles = i.holds[cause] || 0, width = i.width === null ? 0 : Math.round(i.width), id = `${line.id}\n${i.opcode}\n${width}`;
			if (!cycles) continue;
			all += cycles;
			if (!groups.has(id)) groups.set(id, { line, opcode: i.opcode, width, n: 0, cycles: 0 });
			groups.get(id).n++;
			groups.get(id).cycles += cycles;
		}
	const best = [...groups.values()].sort((a, b) => b.cycles - a.cycles)[0];
	return best ? { ...best, share: best.cycles / all } : null;
}

// ---- two runs ----

export const mainStall = (run) => stalls(run).filter((c) => c.name !== "issued").sort((a, b) => b.cycles - a.cycles)[0] || null;

export function speedUp(a, b) {
	return ratio(stat(a, "time"), stat(b, "time")) ?? ratio(stat(a, "cycles"), stat(b, "cycles"));
}

// The cause whose cycles differ most.
export function biggestChange(a, b) {
	const of = (run) => new Map(stalls(run).map((c) => [c.name, c.cycles]));
	const x = of(a), y = of(b);
	return causes.map(([name]) => ({ name, from: x.get(name) || 0, to: y.get(name) || 0 }))
		.filter((c) => c.name !== "issued" && c.name !== "idle")
		.sort((p, q) => Math.abs(q.to - q.from) - Math.abs(p.to - p.from))[0];
}
