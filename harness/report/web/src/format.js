// Numbers as text. The same number gives the same text on every machine: no locale is asked.

const grouped = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export const whole = (v) => (v === null || v === undefined ? "-" : grouped.format(v));

export function short(v) {
	if (v === null || v === undefined) return "-";
	const a = Math.abs(v);
	for (const [limit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]])
		if (a >= limit) return `${(v / limit).toPrecision(3)} ${letter}`;
	return a === 0 ? "0" : a >= 100 ? v.toFixed(0) : String(Number(v.toPrecision(3)));
}

export function number(v) {
	if (v === null || v === undefined) return "-";
	if (Number.isInteger(v)) return whole(v);
	return Math.abs(v) >= 1000 ? grouped.format(v) : String(Number(v.toPrecision(4)));
}

export const percent = (v) => (v === null || v === undefined ? "-" : `${(100 * v).toFixed(Math.abs(v) < 0.0995 ? 2 : 1)} %`);

export const bytesRate = (v) => (v === null || v === undefined ? "-" : `${(v / 1e9).toFixed(v >= 1e11 ? 0 : v >= 1e10 ? 1 : 2)} GB/s`);

export const metric = (v, unit) => (v === null || v === undefined ? "-" : unit === "%" ? percent(v) : number(v));

export function change(from, to) {
	if (from === null || from === undefined) return to === null || to === undefined ? "" : "new";
	if (to === null || to === undefined) return "gone";
	if (from === to) return "=";
	if (from === 0) return "from 0";
	const r = (to - from) / Math.abs(from);
	return `${r > 0 ? "+" : "\u2212"}${Math.abs(100 * r).toFixed(1)} %`;
}

export const clip = (text, n) => { const s = [...String(text)]; return s.length <= n ? s.join("") : `${s.slice(0, n - 1).join("")}\u2026`; };
