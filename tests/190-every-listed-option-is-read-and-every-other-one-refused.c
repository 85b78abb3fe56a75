/* 190: over all commands: an option that `locus COMMAND --help` lists changes what the command does, one that it does
 * not list is refused. The lists come from --help; each (command, option) pair of them needs a row of the table below,
 * so that a new option cannot be listed without evidence that it is read. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/panic.h"
#include "support/program.h"

/* How it shows that an option is read. */
enum evidence {
	CHANGES, /* output, messages or status differ from those of the same words without the option */
	WRITES,	 /* its value names a file or folder that is written */
	REFUSES, /* a wrong value ends the command with status 2 and one line that names the option or the value */
	SAME	 /* results do not depend on it, which the option promises: the command accepts it */
};

#define MODEL	" run cosim cuda profile why "
#define RUNS	" run cosim cuda "
#define VIEWERS " run cosim cuda why "

/* The first row that fits a command and an option counts. commands: NULL: all. words: all that comes after the option;
 * NULL: the command's own. */
static const struct probe {
	const char *option, *value, *commands, *words;
	enum evidence how;
} probes[] = {
	/* programs */
	{"arg", "n=32", NULL, NULL, CHANGES},
	{"size", "test", " study ", "cache --runs", CHANGES},
	{"size", "32K", " cache ", NULL, CHANGES},
	{"size", "test", " mix ", "syrk vectoradd --machine ndp4 --max-cycles 2000", CHANGES},
	{"size", "test", " record ", "vectoradd -o sized.ltrace", CHANGES},
	{"size", "test", " plan ", "vectoradd --grids", CHANGES},
	{"size", "test", " footprint graph ", "matmul", CHANGES},
	{"size", "test", NULL, "vectoradd", CHANGES},
	{"printf", NULL, " footprint ", "say.yaml", CHANGES},
	{"printf", NULL, " record ", "say.yaml -o say.ltrace", CHANGES},
	{"printf", NULL, " plan ", "say.yaml --grids", CHANGES},
	{"printf", NULL, NULL, "say.yaml", CHANGES},
	{"oob", "warn", " record ", "outside.yaml -o outside.ltrace", CHANGES},
	{"oob", "warn", " plan ", "outside.yaml --grids", CHANGES},
	{"oob", "warn", " cuda ", "./app outside", CHANGES},
	{"oob", "warn", NULL, "outside.yaml", CHANGES},
	{"memcpy", NULL, " record ", "accel/kernelslist.g -o accel.ltrace", CHANGES},
	{"memcpy", NULL, " plan ", "accel/kernelslist.g --machine ndp4 --plan coda", CHANGES},
	{"memcpy", NULL, NULL, "accel/kernelslist.g --json -", CHANGES},
	{"opcode-map", "nowhere", " record ", "accel/kernelslist.g -o accel.ltrace", REFUSES},
	{"opcode-map", "nowhere", " plan ", "accel/kernelslist.g --grids", REFUSES},
	{"opcode-map", "nowhere", NULL, "accel/kernelslist.g", REFUSES},
	{"unknown-opcode", "alu", " record ", "frob/kernelslist.g -o frob.ltrace", CHANGES},
	{"unknown-opcode", "alu", " plan ", "frob/kernelslist.g --grids", CHANGES},
	{"unknown-opcode", "alu", NULL, "frob/kernelslist.g", CHANGES},

	{"max-unpacked", "0", NULL, NULL, REFUSES},
	{"max-cta-log", "0", NULL, NULL, REFUSES},
	{"brief", NULL, NULL, NULL, CHANGES},

	/* machines and their policies */
	{"machine", "mcm4", " mix ", NULL, CHANGES},
	{"machine", "gtx480", " decode ", NULL, CHANGES},
	{"machine", "ndp4", " list ", "keys", CHANGES},
	{"machine", "nothing", " record ", NULL, REFUSES}, /* traces that do not ask for SMs are the same */
	{"machine", "mcm4", " footprint ", NULL, CHANGES},
	{"machine", "ndp4", NULL, NULL, CHANGES},
	{"set", "sm.mshrs=1", " footprint ", NULL, REFUSES}, /* no such key */
	{"set", "dram.cl=40", " dram ", NULL, CHANGES},
	{"set", "map.fgp_lsb=8", " decode ", NULL, CHANGES},
	{"set", "vm.page=64K", " plan ", "vectoradd --size test --pages", CHANGES},
	{"set", "clock.core=500", " mix ", NULL, CHANGES},
	{"set", "sm.count=2", NULL, NULL, CHANGES},
	{"l1-index", "linear", " cosim ", NULL, CHANGES},
	{"l1-index", "pric", MODEL, NULL, CHANGES},
	{"l2-index", "pric", MODEL, NULL, CHANGES},
	{"scheduler", "lrr", MODEL, NULL, CHANGES},
	{"throttle", "swt:1", MODEL, NULL, CHANGES},
	{"l1-bypass", "streaming", MODEL, NULL, CHANGES},
	{"l2-bypass", "nothing", " profile why ", NULL, REFUSES}, /* whose text has no L2 */
	{"l2-bypass", "streaming", MODEL, NULL, CHANGES},
	{"l1-front", "mrpb", MODEL, NULL, CHANGES},

	{"l1-pin", "buffers:hard=A", MODEL, NULL, CHANGES},
	{"l1-prefetch", "next-line", MODEL, NULL, CHANGES},
	{"plan", "nothing", " footprint ", NULL, REFUSES},
	{"plan", "coda", " plan ", "kmeans --size test --machine ndp4 --pages", CHANGES},
	{"plan", "own-stacks", " mix ", NULL, CHANGES},
	{"plan", "nothing", NULL, NULL, REFUSES},
	{"tracker", "sw-cpu", RUNS, NULL, REFUSES}, /* no TAFE calls */

	/* the run */
	{"max-cycles", "100", NULL, NULL, CHANGES},
	{"max-insts", "10", MODEL, NULL, CHANGES},
	{"max-thread-insts", "64", MODEL, NULL, CHANGES},
	{"no-skip", NULL, MODEL, NULL, SAME},
	{"threads", "0", MODEL, NULL, REFUSES},
	{"init-traffic", NULL, RUNS, NULL, CHANGES},
	{"launches", NULL, NULL, NULL, CHANGES},
	{"locality-classes", NULL, " run ", NULL, CHANGES},
	{"working-set", NULL, " run ", NULL, CHANGES},
	{"report-data", NULL, " cuda ", "--json c.json ./app", CHANGES},
	{"report-data", NULL, RUNS, "syrk --size test --json -", CHANGES},
	{"sample", "error=3%", " run ", "gaussian --size test", CHANGES},
	{"on", "cpu", " run ", "vectoradd --size test --machine ndp4", CHANGES},
	{"at", "0", " run ", "syrk --size test --try l1.latency=200", CHANGES},
	{"try", "l1.latency=200", " run ", "syrk --size test --at 0 --try l1.latency=100", CHANGES},
	{"checkpoint", "at.checkpoint", " run ", "syrk --size test --checkpoint-every 500", WRITES},
	{"checkpoint-every", "500", " run ", "syrk --size test --checkpoint every.checkpoint", CHANGES},
	{"resume", "nowhere", " run ", NULL, REFUSES},
	{"interval", "100", " cuda ", "--json c.json ./app", CHANGES},
	{"interval", "100", RUNS, "syrk --size test --json -", CHANGES},
	{"interval-metrics", "nothing", " cuda ", "--interval 100 --json c.json ./app", REFUSES},
	{"interval-metrics", "nothing", RUNS, "syrk --size test --interval 100 --json -", REFUSES},
	{"interval-csv", "made.csv", " cuda ", "--interval 100 ./app", WRITES},
	{"interval-csv", "made.csv", RUNS, "syrk --size test --interval 100", WRITES},
	{"timeline", "made.timeline", RUNS, NULL, WRITES},
	{"trace-requests", "nothing=1", " cuda ", "--json c.json ./app", REFUSES},
	{"trace-requests", "nothing=1", RUNS, "syrk --size test --json -", REFUSES},
	{"perfetto", "made.perfetto", VIEWERS, NULL, WRITES},
	{"konata", "made.konata", VIEWERS, NULL, WRITES},
	{"konata-filter", "nothing=1", " cuda ", "--konata made.konata ./app", REFUSES},
	{"konata-filter", "nothing=1", VIEWERS, "syrk --size test --konata made.konata", REFUSES},
	{"json", "made.json", NULL, NULL, WRITES},

	/* hardware blocks */
	{"hw", "rtl", " index ", NULL, SAME}, /* the twins agree */
	{"hw", "lockstep", " decode ", NULL, SAME},
	{"hw", "all=golden", " cosim ", NULL, CHANGES},
	{"hw", "nothing=rtl", " cuda ", "--cosim ./app", REFUSES},
	{"rtl", "pric=wrong.v", " cosim ", "syrk --size test --l1-index pric --bundle found", CHANGES},
	{"rtl", "nothing=wrong.v", " cuda ", "--cosim ./app", REFUSES},
	{"rtl", "wrong.v", " blocks ", "pric", CHANGES},
	{"rtl", "pric.v", " replay ", "bundle-pric", CHANGES},
	{"golden", "wrong.v", " cosim ", "syrk --size test --l1-index pric --rtl pric=wrong.v --bundle found", CHANGES},
	{"golden", "wrong.v", " cuda ", "--cosim ./app", REFUSES}, /* needs --rtl */
	{"x-init", "2147483647", " cosim ", "syrk --size test --l1-index pric --rtl pric=wrong.v", REFUSES},
	{"x-init", "7", " cuda ", "--cosim ./app", REFUSES}, /* needs --rtl */
	{"x-init", "7", " replay ", NULL, CHANGES},
	{"port", "addr_i=nothing", " cosim ", "syrk --size test --l1-index pric --rtl pric=wrong.v", REFUSES},
	{"port", "addr_i", " cuda ", "--cosim ./app", REFUSES},
	{"port", "addr_i=nothing", " blocks ", "pric --rtl wrong.v", REFUSES},
	{"port", "addr_i=nothing", " replay ", "bundle-pric --rtl wrong.v", REFUSES},
	{"tie", "addr_i=4294967296", " blocks ", "pric --rtl wrong.v", REFUSES},
	{"tie", "addr_i=4294967296", " replay ", "bundle-pric --rtl wrong.v", REFUSES},
	{"tie", "addr_i=4294967296", " cosim ", "syrk --size test --l1-index pric --rtl pric=wrong.v", REFUSES},
	{"tie", "addr_i", " cuda ", "--cosim ./app", REFUSES},
	{"leave", "set_o", " blocks ", "pric --rtl wrong.v", REFUSES},
	{"leave", "set_o", " replay ", "bundle-pric --rtl wrong.v", REFUSES},
	{"leave", "set_o", " cosim ", "syrk --size test --l1-index pric --rtl pric=wrong.v", REFUSES},
	{"leave", "set_o;", " cuda ", "--cosim ./app", REFUSES},
	{"incdir", "nowhere", " blocks ", "pric --rtl wrong.v", REFUSES},
	{"incdir", "nowhere", " replay ", "bundle-pric --rtl wrong.v", REFUSES},
	{"incdir", "nowhere", " cosim ", "syrk --size test --l1-index pric --rtl pric=wrong.v", REFUSES},
	{"incdir", "nowhere", " cuda ", "--cosim ./app", REFUSES},
	{"port", "addr_i=nothing", " signoff ", NULL, REFUSES},
	{"tie", "addr_i=4294967296", " signoff ", NULL, REFUSES},
	{"leave", "set_o", " signoff ", NULL, REFUSES},
	{"incdir", "nowhere", " signoff ", NULL, REFUSES},
	{"block", "nothing", " signoff ", "wrong.v", REFUSES},
	{"params", "sets=64 poly=67", " signoff ", NULL, CHANGES},
	{"steps", "100", " signoff ", NULL, CHANGES},
	{"x-init", "7", " signoff ", NULL, CHANGES},
	{"compare", "sometimes", " cosim ", NULL, REFUSES},
	{"compare", "sometimes", " cuda ", "--cosim ./app", REFUSES},
	{"wave", "made.fst", " cosim ", "syrk --size test --l1-index pric", WRITES},
	{"wave", "-", " cuda ", "--cosim ./app", REFUSES},
	{"wave-owner", "sm9999.l1", " cosim ", "syrk --size test --l1-index pric --wave made.fst", CHANGES},
	{"wave-owner", "sm0.l1", " cuda ", "--cosim ./app", REFUSES}, /* needs --wave */
	{"wave-window", "backwards", " cosim ", "syrk --size test --l1-index pric --wave made.fst", REFUSES},
	{"wave-window", "backwards", " cuda ", "--cosim ./app", REFUSES},
	{"check-threads", "7", " cosim ", NULL, REFUSES},
	{"check-threads", "7", " cuda ", "--cosim ./app", REFUSES},
	{"from-reset", NULL, " cosim ", NULL, SAME}, /* bundles differ where the window does not hold all steps */

	{"from-reset", NULL, " cuda ", NULL, REFUSES}, /* needs --cosim */
	{"bundle", "other", " cosim ", "syrk --size test --l1-index pric --rtl pric=wrong.v", CHANGES},
	{"bundle", "nowhere", " report ", "a.json -o made.html", REFUSES},
	{"bundle", "other", " cuda ", NULL, REFUSES}, /* needs --cosim */
	{"params", "sets=64 poly=67", " blocks ", "pric", CHANGES},
	{"quiet", NULL, " blocks ", "pric", CHANGES},
	{"minimize", NULL, " replay ", "bundle-pric", CHANGES},
	{"output", "smaller", " replay ", "bundle-pric --minimize", WRITES},
	{"trust", NULL, " replay ", "untrusted", CHANGES},
	{"limit", "x", " replay ", NULL, REFUSES},

	/* the other commands' own */
	{"kernels", "nothing*", " cuda ", NULL, CHANGES},
	{"record", "made.ltrace", " cuda ", NULL, WRITES},
	{"cosim", NULL, " cuda ", "--l1-index pric ./app", CHANGES},
	{"time", "never", " cuda ", NULL, REFUSES},
	{"check", NULL, " cuda ", NULL, CHANGES},
	{"only-execute", NULL, " cuda ", NULL, CHANGES},
	{"profile", NULL, " cuda ", NULL, CHANGES},
	{"source-dir", "sources", " cuda ", NULL, REFUSES}, /* needs --profile */
	{"annotate", NULL, " profile ", NULL, CHANGES},
	{"lines", "1", " profile ", NULL, CHANGES},
	{"source-dir", "sources", " profile ", "far.yaml", CHANGES},
	{"source-dir", "sources", " why ", "far.yaml", CHANGES},
	{"load", "syrk:18", " why ", NULL, CHANGES},
	{"requests", "sm=0", " why ", NULL, CHANGES},
	{"loads", "1", " why ", NULL, CHANGES},
	{"slowest", "1", " why ", NULL, CHANGES},
	{"pages", NULL, " plan ", "kmeans --size test --machine ndp4 --plan coda", CHANGES},
	{"grids", NULL, " plan ", "kmeans --size test --machine ndp4 --plan coda", CHANGES},
	{"accesses", NULL, " plan ", "kmeans --size test --machine ndp4 --plan coda", CHANGES},
	{"ctas", "0-1", " footprint ", NULL, CHANGES},
	{"who", "A[1]", " footprint ", NULL, CHANGES},
	{"svg", "made.svg", " footprint ", NULL, WRITES},
	{"races", NULL, " check ", "base.yaml", CHANGES},
	{"unwritten", NULL, " check ", "base.yaml", CHANGES},
	{"most", "0", " check ", "base.yaml", CHANGES},
	{"launch", "99", " graph ", NULL, REFUSES},
	{"launch", "99", " trace ", "dump s.ltrace", REFUSES},
	{"cta", "9999", " trace ", "dump s.ltrace", REFUSES},
	{"warp", "0", " trace ", "dump s.ltrace", CHANGES},
	{"source", "trace", " graph ", NULL, CHANGES},
	{"unit", "line", " graph ", NULL, CHANGES},
	{"cap", "1", " graph ", NULL, CHANGES},
	{"picture", "made.graph.svg", " graph ", NULL, WRITES},
	{"metis", "made.metis", " graph ", NULL, WRITES},
	{"align", "3", " record ", NULL, REFUSES},
	{"output", "made.ltrace", " record ", "vectoradd --size test", WRITES},
	{"line", "64", " cache index ", NULL, CHANGES},
	{"assoc", "1", " cache ", NULL, CHANGES},
	{"index", "pric", " cache ", NULL, CHANGES},
	{"addr-bits", "8", " cache ", "x.din --index pric", CHANGES},
	{"addr-bits", "8", " index ", "0x1000", CHANGES},
	{"replacement", "fifo", " cache ", NULL, CHANGES},
	{"seed", "3", " cache ", "x.din --replacement random --size 32 --line 16 --assoc 2", CHANGES},
	{"write-through", NULL, " cache ", NULL, CHANGES},
	{"no-write-allocate", NULL, " cache ", NULL, CHANGES},
	{"classes", NULL, " cache ", NULL, CHANGES},
	{"poly", "61", " index ", NULL, CHANGES},
	{"sets", "64", " index ", NULL, CHANGES},
	{"polys", NULL, " index ", NULL, CHANGES},
	{"mode", "cgp", " decode ", NULL, CHANGES},
	{"each", NULL, " dram ", NULL, CHANGES},
	{"each", NULL, " sweep ", "--dir other plan.yaml", CHANGES},
	{"no-refresh", NULL, " dram ", NULL, CHANGES},
	{"window", "1", " dram ", NULL, CHANGES},
	{"bytes", "128", " dram ", NULL, CHANGES},
	{"repeat", "0", " bench ", NULL, REFUSES},
	{"all", NULL, " diff ", NULL, CHANGES},
	{"exit-code", NULL, " diff ", NULL, CHANGES},
	{"base", "nothing", " machine ", NULL, REFUSES},
	{"name", "other", " machine ", NULL, CHANGES},
	{"counts", NULL, " ptx ", NULL, CHANGES},
	{"output", "made.html", " report ", "a.json", WRITES},
	{"dir", "/dev/null/x", " study ", NULL, REFUSES},
	{"figure", "nothing", " study ", NULL, REFUSES},
	{"runs", NULL, " study ", "cache", SAME}, /* without it: the study; see `size` */
	{"dir", "swept", " sweep ", NULL, WRITES},
	{"jobs", "0", NULL, NULL, REFUSES},
	{"memory", "1", " sweep ", NULL, REFUSES},
	{"retry", NULL, " sweep ", NULL, SAME}, /* no run of the plan failed */
	{"runs", NULL, " sweep ", NULL, CHANGES},
	{"slurm", NULL, " sweep ", "--dir elsewhere plan.yaml", CHANGES}, /* no sbatch here, or none that takes it */
	{"partition", "x", " sweep ", NULL, REFUSES},			  /* needs --slurm, as the next */
	{"time", "1", " sweep ", NULL, REFUSES},
	{"shards", "1", " sweep ", NULL, REFUSES},
	{"sbatch", "--x=1", " sweep ", NULL, REFUSES},
	{"rows", "scheduler", " sweep ", "table plan.yaml", CHANGES},
	{"columns", "nothing", " sweep ", "table plan.yaml", REFUSES},
	{"metric", "warp_insts", " sweep ", "table plan.yaml", CHANGES},
	{"over", "scheduler=gto", " sweep ", "table plan.yaml", CHANGES},
	{"mean", "none", " sweep ", "table plan.yaml", CHANGES},
	{"output", "made.sweep.csv", " sweep ", "csv plan.yaml", WRITES},
};

/* A command's own words. */
static const char *words_of(const char *command)
{
	static const char *const words[][2] = {
		{"bench", "nothing"},
		{"blocks", "pric"},
		{"cache", "x.din"},
		{"check", "vectoradd"},
		{"cosim", "syrk --size test --l1-index pric"},
		{"cuda", "./app"},
		{"decode", "0x12345 0x100000 --machine ndp4"},
		{"diff", "a.json b.json"},
		{"dram", "x.txt"},
		{"footprint", "matmul"},
		{"graph", "matmul"},
		{"index", "0x1000 0x2080"},
		{"list", "keys"},
		{"machine", "import traces/examples/gpgpusim.config"},
		{"mix", "bfs vectoradd --machine ndp4 --size test"},
		{"plan", "vectoradd --size test --grids"},
		{"profile", "syrk --size test"},
		{"ptx", "traces/syrk/kernel.ptx"},
		{"record", "vectoradd -o s.ltrace"},
		{"replay", "bundle-pric"},
		{"signoff", "wrong.v --block pric"},
		{"report", "a.json"},
		{"run", "syrk --size test"},
		{"study", "cache"},
		{"sweep", "plan.yaml"},
		{"trace", "info s.ltrace"},
		{"why", "syrk --size test"},
		{"nvcc", "x.cu"},
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (!strcmp(words[i][0], command))
			return words[i][1];
	cr_assert_fail("%s: add the words that the command is called with", command);
	return "";
}

/* ---- the inputs that the rows name ---- */

static const char app[] =
	"#include <cstdio>\n"
	"#include <cstring>\n"
	"/* Two warps exchange values with no barrier between, and add one that nothing has written. */\n"
	"extern \"C\" __global__ void touch(float *x, int say)\n"
	"{\n"
	"	__shared__ volatile float passed[64], unwritten[64];\n"
	"	passed[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];\n"
	"	if (say && threadIdx.x == 0)\n"
	"		printf(\"block %d\\n\", blockIdx.x);\n"
	"	x[blockIdx.x * 64 + threadIdx.x] = passed[63 - threadIdx.x] + unwritten[threadIdx.x];\n"
	"}\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	float *x;\n"
	"	if (cudaMalloc(&x, 64 * 256) != cudaSuccess)\n"
	"		return 1;\n"
	"	touch<<<argc > 1 && !strcmp(argv[1], \"outside\") ? 4096 : 64, 64>>>(x, argc > 1 && !strcmp(argv[1], \"say\"));\n"
	"	return cudaDeviceSynchronize() != cudaSuccess;\n"
	"}\n";

static void launch_file(const char *name, unsigned grid, unsigned say)
{
	char text[512];

	snprintf(text, sizeof text,
		 "ptx: app.ptx\nbuffers:\n  x: {count: 64, type: f32, value: 3}\n"
		 "launches:\n  - {kernel: touch, grid: %u, block: 64, args: [x, %u]}\n",
		 grid, say);
	program_file(name, text);
}

static void make_inputs(void)
{
	struct program p;

	program_file("app.cu", app);
	launch_file("base.yaml", 1, 0);
	launch_file("say.yaml", 1, 1);
	launch_file("outside.yaml", 2, 0);
	program_file("plan.yaml", "name: small\ncommon: {size: test, max-insts: 20K}\naxes:\n  workload: [syrk, vectoradd]\n"
				  "  scheduler: [gto, lrr]\n");
	program_file("x.din", "0 1000\n1 1004\n0 41000\n2 1000\n1 81000\n");
	program_file("x.txt", "0x0 R 0\n0x40 R\n0x10000 W 90\n0x200000 R 9000\n0x40 R 9000\n");
	p = program_run(
		"root=$PWD && cd %s && ln -s $root/traces && ln -s $root/rtl && "
		"locus nvcc -o app app.cu && locus nvcc -lineinfo -ptx -o app.ptx app.cu && "
		"mkdir far sources && sed 's#\"[^\"]*app.cu\"#\"gone.cu\"#' app.ptx >far/app.ptx && cp app.cu sources/gone.cu && "
		"sed 's#app.ptx#far/app.ptx#' base.yaml >far.yaml && "
		"cp -r traces/accelsim-sample accel && cp -r traces/accelsim-sample frob && "
		"sed -i 's/IMAD.MOV.U32/FROB/' frob/kernel-1.traceg && "
		"cp rtl/pric/pric_index.v pric.v && sed 's/= ^/= ~^/' pric.v >wrong.v && "
		"locus run syrk --size test --json a.json >log && locus run syrk --size test --scheduler lrr --json b.json >log && "
		"locus record syrk --size test -o s.ltrace >log && "
		"{ locus cosim syrk --size test --l1-index pric --rtl pric=wrong.v --bundle bundle --max-cycles 2000 >log; "
		"mv bundle-pric-* bundle-pric && cp -r bundle-pric untrusted && "
		"sed -i 's/^endmodule/initial if (0) $system(\"true\");\\nendmodule/' untrusted/rtl/*.v; }",
		program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

/* ---- running ---- */

static bool names(const char *list, const char *word)
{
	char spaced[80];

	snprintf(spaced, sizeof spaced, " %s ", word);
	return strstr(list, spaced);
}

/* " --machine=ndp4", shell-quoted; an option that is not long is named by its letter. */
static void option_text(const char *option, const char *value, char out[200])
{
	snprintf(out, 200, value ? "'--%s=%s'" : "--%s", option, value);
}

/* Output, messages, status, and the files of bundles, without what differs from run to run. The option comes last, so
 * that it counts; with locus cuda the words of the program do. */
static struct program run(const char *command, const char *option, const char *words)
{
	bool first = !strcmp(command, "cuda");

	return program_run(
		"cd %s && rm -rf made* found* other* smaller elsewhere bundle-pric-min && { (locus %s %s %s 2>&1; echo "
		"\"status $?\") | sed -E '/simulator:|host program|seconds/d'; find found* other* smaller -type f 2>/dev/null | "
		"LC_ALL=C sort | xargs -r wc -c; }",
		program_tmp(), command, first ? option : words, first ? words : option);
}

static const struct probe *probe_of(const char *command, const char *option)
{
	for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++)
		if (!strcmp(probes[i].option, option) && (!probes[i].commands || names(probes[i].commands, command)))
			return &probes[i];
	return NULL;
}

/* usual: a run of the command's usual words without an option, made once. */
static void check_read(const char *command, const char *option, struct program *usual)
{
	const struct probe *q = probe_of(command, option);
	const char *words, *newline;
	struct program with, own = {0}, *without = usual;
	char text[200];

	cr_expect(q, "%s --%s is listed: add a row that shows that it is read", command, option);
	if (!q)
		return;
	words = q->words ? q->words : words_of(command);
	option_text(option, q->value, text);
	with = run(command, text, words);
	switch (q->how) {
	case CHANGES:
		if (q->words)
			without = &own;
		if (!without->out)
			*without = run(command, "", words);
		cr_expect_str_neq(with.out, without->out, "locus %s %s %s: as without it", command, text, words);
		break;
	case SAME:
		cr_expect(!strstr(with.out, "status 2"), "locus %s %s %s: %s", command, text, words, with.out);
		break;
	case REFUSES:
		newline = strchr(with.out, '\n');
		cr_expect(strstr(with.out, "status 2") && newline && (strstr(with.out, option) || strstr(with.out, q->value)),
			  "locus %s %s %s: %s", command, text, words, with.out);
		break;
	case WRITES:
		with = (program_free(&with), program_run("cd %s && test -s %s", program_tmp(), q->value));
		cr_expect_eq(with.status, 0, "locus %s %s %s: no %s", command, text, words, q->value);
		break;
	}
	program_free(&with);
	if (own.out)
		program_free(&own);
}

/* Words of a command's output, with a space before and behind each. */
static char *list_of(const char *command)
{
	struct program p = program_run("%s | LC_ALL=C sort -u | tr '\\n' ' '", command);
	char *list = NULL;

	cr_assert(asprintf(&list, " %s", p.out) > 0);
	program_free(&p);
	return list;
}

static char *options_of(const char *command)
{
	char ask[200];

	snprintf(ask, sizeof ask, "locus %s --help | sed -nE 's/^ {2,6}(-., )?--([a-z0-9-]+).*/\\2/p' | grep -vx 'help\\|usage'",
		 command);
	return list_of(ask);
}

#define COMMANDS "locus --help | sed -n 's/^  \\([a-z][a-z]*\\)  .*/\\1/p'"

/* Two minutes of processor time for thousands of short processes: not with sanitizers. */
Test(options, that_are_listed_are_read, .timeout = 1200, .disabled = CHECK_COSTLY)
{
	char *commands = list_of(COMMANDS), *save, *more;
	unsigned n = 0;

	make_inputs();
	for (char *c = strtok_r(commands, " ", &save); c; c = strtok_r(NULL, " ", &save)) {
		/* locus nvcc has the options of nvcc: tests 951 and on */
		char *options = strcmp(c, "nvcc") ? options_of(c) : strdup("");
		struct program usual = {0};

		for (char *o = strtok_r(options, " ", &more); o; o = strtok_r(NULL, " ", &more), n++)
			check_read(c, o, &usual);
		if (usual.out)
			program_free(&usual);
		free(options);
	}
	cr_expect_gt(n, 200, "%u options", n);
	free(commands);
}

/* The options of all commands but one, each of which that command refuses in one line unless it has it, or one that
 * begins so: getopt takes beginnings. */
Test(options, that_are_not_listed_are_refused, .disabled = CHECK_COSTLY)
{
	char *commands = list_of(COMMANDS), *save, *more, *all;
	unsigned n = 0;

	all = list_of("for c in $(" COMMANDS "); do locus $c --help; done | sed -nE 's/^ {2,6}(-., )?--([a-z0-9-]+).*/\\2/p' | "
		      "grep -vx 'help\\|usage'");
	for (char *c = strtok_r(commands, " ", &save); c; c = strtok_r(NULL, " ", &save)) {
		/* locus nvcc takes nvcc's own options, --threads among them. */
		char *own = strcmp(c, "nvcc") ? options_of(c) : strdup(" threads "), *others = strdup(all), loop[6144] = "";
		struct program p;

		for (char *o = strtok_r(others, " ", &more); o; o = strtok_r(NULL, " ", &more)) {
			char begins[80];

			snprintf(begins, sizeof begins, " %s", o);
			if (strstr(own, begins))
				continue;
			snprintf(loop + strlen(loop), sizeof loop - strlen(loop), " %s", o);
			n++;
		}
		p = program_run(
			"for o in%s; do e=$(locus %s --$o=1 2>&1 >/dev/null); s=$?; case \"$s $e\" in *'\n'*) echo \"$e\" ;; "
			"'2 locus'*--$o*) ;; *) echo \"--$o: status $s, $e\" ;; esac; done",
			loop, c);
		cr_expect_str_empty(p.out, "%s: %s", c, p.out);
		program_free(&p);
		free(own);
		free(others);
	}
	cr_expect_gt(n, 1500, "%u", n);
	free(all);
	free(commands);
}
