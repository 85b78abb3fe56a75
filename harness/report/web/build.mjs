// Makes dist/report.html, the whole page without data, and dist/LICENSES.txt. Run by `make report-bundle`.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { buildSync, transformSync } from "esbuild";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const built = buildSync({
	absWorkingDir: new URL(".", import.meta.url).pathname, entryPoints: ["src/main.js"], bundle: true, minify: true, format: "iife",
	target: "es2020", charset: "ascii", legalComments: "none", write: false, metafile: true,
});
const script = built.outputFiles[0].text.trimEnd();
const style = transformSync(read("src/style.css"), { loader: "css", minify: true }).code.trimEnd();
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the script would end its own block");

// What the policy lets run is this text and no other.
const hash = createHash("sha256").update(script).digest("base64");
const page = read("src/page.html").replace("@HASH@", () => hash).replace("@STYLE@", () => style).replace("@SCRIPT@", () => script);

const folders = new Set();
for (const input of Object.keys(built.metafile.inputs)) {
	const m = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
	if (m) folders.add(m[1]);
}
// Packages come built, with parts of those that they depend on.
for (const name of folders)
	for (const other of Object.keys(JSON.parse(read(`node_modules/${name}/package.json`)).dependencies || {})) folders.add(other);
let licences = "The page of locus report (report.html in this folder) is made of parts of these packages, and of those that they depend on.\n";
for (const name of [...folders].sort()) {
	const folder = `node_modules/${name}`;
	const about = JSON.parse(read(`${folder}/package.json`));
	const file = readdirSync(new URL(folder, import.meta.url)).find((f) => /^licen[cs]e/i.test(f));
	licences += `\n${"-".repeat(78)}\n${name} ${about.version}, ${about.license}\n\n`;
	if (!file) throw new Error(`${name} has no licence file`);
	licences += read(`${folder}/${file}`).trim().replace(/[ \t\r]+$/gm, "") + "\n";
}

if (!existsSync(new URL("dist", import.meta.url))) mkdirSync(new URL("dist", import.meta.url));
writeFileSync(new URL("dist/report.html", import.meta.url), page);
writeFileSync(new URL("dist/LICENSES.txt", import.meta.url), licences);
console.log(`dist/report.html: ${page.length} bytes`);
