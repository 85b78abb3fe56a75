// Pieces of the page. Text goes in as text nodes only: nothing that a result says is ever read as HTML.

export function el(name, attributes, ...children) {
	const node = document.createElement(name);
	for (const [k, v] of Object.entries(attributes || {})) if (v !== null && v !== undefined && v !== false) node.setAttribute(k, v === true ? "" : v);
	add(node, children);
	return node;
}

export function svg(name, attributes, ...children) {
	const node = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [k, v] of Object.entries(attributes || {})) if (v !== null && v !== undefined) node.setAttribute(k, v);
	add(node, children);
	return node;
}

function add(node, children) {
	for (const c of children.flat(Infinity)) if (c !== null && c !== undefined && c !== false) node.append(c);
}

// column: {title, n: it is a number, text: it is code, cell(row) -> node or text, value(row) -> the number behind it}
export function table(caption, columns, rows, { tall = false, row: attributes } = {}) {
	const head = el("tr", null, columns.map((c) => el("th", { scope: "col", class: c.n ? "n" : null }, c.title)));
	const body = rows.map((r, i) => el("tr", attributes ? attributes(r, i) : null, columns.map((c, k) =>
		el(k ? "td" : "th", { scope: k ? null : "row", class: c.n ? "n" : c.text ? "text" : null, "data-value": c.value ? c.value(r) : null }, c.cell(r, i)))));
	return el("div", { class: tall ? "scroll tall" : "scroll", tabindex: 0, role: "region", "aria-label": caption },
		el("table", { "aria-label": caption }, el("thead", null, head), el("tbody", null, body)));
}

// A chart: its caption, what it says in words, and the numbers behind it, made when somebody wants to see them.
export function figure(caption, drawing, alt, numbers) {
	drawing.setAttribute("role", "img");
	drawing.setAttribute("aria-label", `${caption}. ${alt}`);
	const node = el("figure", null, el("figcaption", null, caption), drawing);
	if (numbers) node.append(later("Numbers of this chart", numbers));
	return node;
}

export function later(title, make) {
	const d = el("details", null, el("summary", null, title));
	d.addEventListener("toggle", () => { if (d.open && d.childElementCount === 1) d.append(make()); });
	if (/\ball\b/.test(window.location.hash)) { d.append(make()); d.open = true; }
	return d;
}

// Attributes of a run's name: it is in the colour of the run.
export const named = (run) => ({ class: "run", style: `color: ${run.color}` });

// Pixels for a chart: the page's width, of which two charts side by side have half each.
export function width(side = 1) {
	const room = Math.min(1240, document.documentElement.clientWidth) - 2 * (narrow() ? 10 : 20);
	return Math.max(280, Math.min(side > 1 ? 580 : 1000, side > 1 && room >= 900 ? (room - 28) / 2 : room));
}
export const narrow = () => document.documentElement.clientWidth < 640;

// Labels on the left of a chart: `wide` pixels, less on a telephone.
export const left = (wide) => (narrow() ? Math.min(wide, 110) : wide);
export const fit = (text) => (narrow() && text.length > 14 ? `${text.slice(0, 13)}\u2026` : text);

// Marks of an axis, so many that their labels do not touch.
export const ticks = () => (narrow() ? 3 : 9);

// What a mark shows when it is pointed at or touched.
export const hover = (text) => ({ title: text, tip: { fill: "var(--bg)", stroke: "var(--dim)", lineWidth: 26 } });

export const legend = (items) => el("ul", { class: "legend", "aria-hidden": "true" }, items.map(([color, text]) => {
	const s = el("span", { class: "swatch" });
	s.style.background = color;
	return el("li", null, s, text);
}));

export function bar(share, color, most = 120) {
	const b = el("span", { class: "bar", "aria-hidden": "true" });
	b.style.width = `${Math.max(0, Math.min(1, share || 0)) * most}px`;
	b.style.background = color;
	return b;
}

export const missing = (what, how) => el("p", { class: "missing" }, `${what} `, el("code", null, how));
