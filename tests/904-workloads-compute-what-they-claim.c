/* 904: every workload runs from its kept PTX at test size and agrees with its own reference; and a kernel that computes
 * something else is found out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/program.h"
#include "support/program.h"

/* Runs a workload with the given PTX (NULL: its own); "" or the error. */
static uint64_t run_with(const struct workload *w, const char *ptx, const char *const *args, struct err *e, bool *differs)
{
	struct host_options o = {.size = "test", .args = args};
	uint64_t insts = 0;
	char path[256];
	struct host *h;

	while (args && args[o.n_args])
		o.n_args++;
	snprintf(path, sizeof path, "traces/%s/kernel.ptx", w->name);
	o.ptx_path = ptx ? ptx : path;
	h = host_new(&o, e);
	if (h && !w->run(h, e))
		insts = host_warp_insts(h);
	if (h && differs)
		*differs = host_differs(h);
	host_free(h);
	return insts;
}

static void expect_right(const char *name, const char *const *args)
{
	const struct workload *w = workload_find(name);
	struct err e = {""};

	cr_assert_not_null(w, "%s", name);
	run_with(w, NULL, args, &e, NULL);
	cr_expect_str_eq(e.text, "", "%s: %s", name, e.text);
}

Test(workloads, agree_with_their_references_at_test_size)
{
	for (unsigned i = 0; workloads[i]; i++) {
		struct err e = {""};
		uint64_t n = run_with(workloads[i], NULL, NULL, &e, NULL);

		cr_expect_str_eq(e.text, "", "%s: %s", workloads[i]->name, e.text);
		/* "test" means under a second of simulation. */
		cr_expect(n >= 1000 && n <= 500000, "%s executes %llu warp instructions", workloads[i]->name,
			  (unsigned long long)n);
	}
}

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* On a mesh whose faces do not fit each other, a gas is at infinity after some thousand steps. */
Test(workloads, a_gas_flows_for_thousands_of_steps)
{
	expect_right("cfd", ARGS("n=60", "steps=3000"));
}

Test(workloads, agree_in_each_operation_of_rates)
{
	static const char *const op[] = {"op=add_u32", "op=mad_u32",   "op=fma_f32",   "op=rsqrt_f32",
					 "op=fma_f64", "op=fma_f64_2", "op=fma_f64_4", "op=fma_f64_8",
					 "op=div_f64", "op=sqrt_f64",  "op=ld_shared", "op=atom_max"};

	for (unsigned i = 0; i < sizeof op / sizeof op[0]; i++)
		expect_right("rates", ARGS(op[i], "links=128", "warps=3", "ctas=2", i % 2 ? "stride=0" : "stride=3"));
}

Test(workloads, agree_at_sizes_that_fill_no_block)
{
	expect_right("vectoradd", ARGS("n=1"));
	expect_right("vectoradd", ARGS("n=1000"));
	expect_right("syrk", ARGS("n=33", "m=7", "pitch=50"));
	expect_right("gesummv", ARGS("rows=257", "cols=31", "pitch=33"));
	expect_right("gesummv", ARGS("rows=257", "cols=31", "pitch=33", "sum=memory"));
	expect_right("atax", ARGS("rows=33", "cols=77", "pitch=100"));
	expect_right("conv2d", ARGS("rows=3", "cols=3", "pitch=3"));
	expect_right("conv2d", ARGS("rows=17", "cols=65", "pitch=70"));
	expect_right("matmul", ARGS("n=16"));
	expect_right("reduction", ARGS("n=1"));
	expect_right("reduction", ARGS("n=257"));
	expect_right("chase", ARGS("footprint=8", "stride=8", "steps=16"));
	expect_right("stream", ARGS("n=1"));
	expect_right("stream", ARGS("n=100", "kernel=scale", "block=64", "shared=4K"));
	expect_right("bandwidth", ARGS("footprint=64K", "rounds=1", "ctas=3"));
	expect_right("mvt", ARGS("n=77", "pitch=80"));
	expect_right("2mm", ARGS("n=33"));
	expect_right("syr2k", ARGS("n=33", "m=7", "pitch=50"));
	expect_right("scalarprod", ARGS("pairs=131", "n=1"));
	expect_right("scalarprod", ARGS("pairs=1", "n=1500"));
	expect_right("kmeans", ARGS("n=300", "features=3"));
	expect_right("kmeans", ARGS("n=300", "features=3", "layout=points"));
	expect_right("hotspot", ARGS("rows=1", "cols=1"));
	expect_right("hotspot", ARGS("rows=25", "cols=13", "launches=3"));
	expect_right("pathfinder", ARGS("rows=1", "cols=7"));
	expect_right("pathfinder", ARGS("rows=30", "cols=500", "height=127"));
	expect_right("histogram", ARGS("n=1"));
	expect_right("fwt", ARGS("log2n=2"));
	expect_right("fwt", ARGS("log2n=11"));
	expect_right("nw", ARGS("n=48"));
	expect_right("montecarlo", ARGS("ctas=1", "points=3"));
	expect_right("blackscholes", ARGS("n=1"));
	expect_right("stencil3d", ARGS("nx=3", "ny=3", "nz=3"));
	expect_right("stencil3d", ARGS("nx=70", "ny=9", "nz=4"));
	expect_right("nn", ARGS("n=1"));
	expect_right("lud", ARGS("n=48"));
	expect_right("gaussian", ARGS("n=30"));
	expect_right("backprop", ARGS("n=16"));
	expect_right("lps", ARGS("nx=1", "ny=1", "nz=1"));
	expect_right("lps", ARGS("nx=33", "ny=5", "nz=3", "steps=3"));
	expect_right("sad", ARGS("rows=4", "cols=4"));
	expect_right("storegpu", ARGS("ctas=1", "bytes=0"));
	expect_right("nnet", ARGS("images=2", "maps=1"));
	expect_right("btree", ARGS("n=1", "queries=9"));
	expect_right("btree", ARGS("n=256", "queries=9"));
	expect_right("btree", ARGS("n=257", "queries=50"));
	expect_right("invindex", ARGS("n=1"));
	expect_right("invindex", ARGS("n=70001", "chunk=17"));
	expect_right("invindex", ARGS("n=70001", "words=1"));
	expect_right("mergesort", ARGS("log2n=10"));
	expect_right("srad", ARGS("rows=16", "cols=32", "steps=3"));
	expect_right("streamcluster", ARGS("n=515", "dimensions=3", "candidates=2"));
	expect_right("hotspot3d", ARGS("nx=1", "ny=1", "nz=1", "steps=1"));
	expect_right("hotspot3d", ARGS("nx=65", "ny=5", "nz=3", "steps=4"));
	expect_right("cfd", ARGS("n=1"));
	expect_right("cfd", ARGS("n=1000", "steps=3"));
	expect_right("cfd", ARGS("graph=4elt"));
	expect_right("dwt2d", ARGS("cols=8", "rows=8"));
	expect_right("dwt2d", ARGS("cols=200", "rows=72", "levels=2"));
	expect_right("hybridsort", ARGS("n=1"));
	expect_right("hybridsort", ARGS("n=5000", "skew=8"));
	expect_right("mummer", ARGS("n=64", "queries=300", "length=64", "least=1"));
	expect_right("mummer", ARGS("n=1000", "queries=700", "length=1", "least=1"));
	expect_right("radixsort", ARGS("n=1024", "bits=32"));
	expect_right("tpacf", ARGS("n=2", "sets=1"));
	expect_right("tpacf", ARGS("n=300", "sets=2"));
	expect_right("doitgen", ARGS("nr=1", "nq=1", "np=1"));
	expect_right("doitgen", ARGS("nr=3", "nq=9", "np=33"));
	expect_right("histo", ARGS("n=1"));
	expect_right("histo", ARGS("n=70001", "bins=4"));
	expect_right("lavamd", ARGS("side=1", "particles=1"));
	expect_right("lavamd", ARGS("side=3", "particles=7"));
	expect_right("libor", ARGS("paths=1"));
	expect_right("particlefilter", ARGS("particles=1", "side=16", "frames=9"));
	expect_right("particlefilter", ARGS("particles=1025"));
	expect_right("heartwall", ARGS("points=1", "radius=0", "reach=0", "search=1"));
	expect_right("heartwall", ARGS("points=3", "radius=3", "reach=9", "search=20", "frames=3"));
}

Test(workloads, agree_in_all_their_variants)
{
	expect_right("syrk", ARGS("sum=memory"));
	expect_right("transpose", ARGS("kind=tiled"));
	expect_right("chase", ARGS("order=random", "lanes=32"));
	expect_right("chase", ARGS("footprint=4M", "stride=4K", "steps=1K"));
	expect_right("matmul", ARGS("seed=7"));
	expect_right("spmv", ARGS("kind=vector"));
	expect_right("spmv", ARGS("kind=jds"));
	expect_right("spmv", ARGS("kind=jds", "graph=uniform", "scale=1", "degree=2"));
	expect_right("histogram", ARGS("skew=100"));
	expect_right("mergesort", ARGS("log2n=12", "keys=1")); /* stable: nothing moves */
	expect_right("mergesort", ARGS("log2n=12", "keys=2"));
	expect_right("invindex", ARGS("n=6M", "chunk=16", "words=1M")); /* over 256 CTAs: the bases take two steps */
	expect_right("kmeans", ARGS("layout=points"));
	expect_right("kmeans", ARGS("n=1000", "features=64", "layout=points"));
}

Test(workloads, graph_workloads_agree_on_a_mesh_a_power_law_and_a_uniform_graph)
{
	expect_right("bfs", ARGS("graph=rmat", "scale=10", "seed=3", "source=5"));
	expect_right("bfs", ARGS("graph=uniform", "scale=10", "degree=4", "block=64"));
	expect_right("bfs", ARGS("graph=uniform", "scale=1"));
	expect_right("bfs", ARGS("graph=uniform", "scale=10", "degree=4", "row=memory"));
	expect_right("bfs", ARGS("graph=4elt", "source=7433", "row=memory"));
	expect_right("bfs", ARGS("graph=4elt", "source=7433"));
	expect_right("spmv", ARGS("graph=4elt"));
	expect_right("spmv", ARGS("graph=4elt", "kind=jds"));
	expect_right("pagerank", ARGS("graph=4elt"));
	expect_right("degree", ARGS("graph=4elt", "block=96"));
	expect_right("sssp", ARGS("graph=4elt", "source=7433", "weights=1"));
	expect_right("sssp", ARGS("graph=uniform", "scale=10", "degree=4", "block=64", "weights=1000"));
	expect_right("betweenness", ARGS("graph=4elt", "sources=3"));
	expect_right("betweenness", ARGS("graph=uniform", "scale=3", "degree=2", "sources=100", "block=32"));
	expect_right("colouring", ARGS("graph=4elt", "seed=4"));
	expect_right("colouring", ARGS("graph=uniform", "scale=1", "degree=2"));
	expect_right("components", ARGS("graph=4elt"));
	expect_right("components", ARGS("graph=uniform", "scale=12", "degree=2", "block=32"));
	expect_right("triangles", ARGS("graph=4elt"));
	expect_right("triangles", ARGS("graph=uniform", "scale=6", "degree=32", "block=64"));
}

Test(workloads, storegpu_hashes_any_length_up_to_a_whole_chunk)
{
	/* Around the ends of the blocks: 56 bytes no longer leave room for the length. */
	static const unsigned lengths[] = {1, 3, 4, 55, 56, 59, 60, 63, 64, 65, 119, 120, 123, 124};

	for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		char bytes[32];

		snprintf(bytes, sizeof bytes, "bytes=%u", lengths[i]);
		expect_right("storegpu", ARGS("ctas=1", bytes));
	}
}

/* Writes the kept PTX of `name` with the first `from` replaced by `to`. */
static const char *change_ptx(const char *name, const char *from, const char *to, char out[128])
{
	char path[256], *text = calloc(1, 1 << 20), *at;
	FILE *f;

	snprintf(path, sizeof path, "traces/%s/kernel.ptx", name);
	f = fopen(path, "r");
	cr_assert(f && text, "%s", path);
	cr_assert_gt(fread(text, 1, (1 << 20) - 1, f), 0);
	fclose(f);
	at = strstr(text, from);
	cr_assert_not_null(at, "no %s in %s", from, path);
	snprintf(out, 128, "%s/%s.ptx", program_tmp(), name);
	f = fopen(out, "w");
	cr_assert_not_null(f);
	fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	fclose(f);
	free(text);
	return out;
}

Test(workloads, a_kernel_that_computes_something_else_is_found_out)
{
	static const struct {
		const char *name, *from, *to, *says;
	} vector[] = {
		{"vectoradd", "add.f32", "sub.f32", "vectoradd 16384: c[0] is "},
		{"reduction", "add.f32", "sub.f32", "reduction 65536: sum[0] is "},
		{"matmul", "+64]", "+68]", "matmul 64x64: C["},
		{"syrk", "mul.f32", "add.f32", "syrk 64x64: C[0] is "},
		{"conv2d", "0f3E000000", "0f3E100000", "conv2d 128x256: out[1025] is "}, /* 0.125 made 0.140625 */
		{"chase", "], %rd25;\n", "], %rd7;\n", "last cell's address"},
		{"bfs", "add.s32", "sub.s32", "level["},
		{"lps", "0f3E2AAAAB", "0f3E2AAA9B", "potential["}, /* 1/6, and 16 units in the last place less */
		{"sad", "max.s32 \t%r61", "min.s32 \t%r61", "sums["},
		{"storegpu", "-680876936", "-680876935", "digest[0] is "}, /* the first sine */
		{"nnet", "0f3FDBA29C", "0f3FDBA79C", "maps of 13x13["},
		{"btree", "setp.eq.s32 \t%p6", "setp.ne.s32 \t%p6", "record["},
		{"mergesort", "ld.global.u32 \t%r28, [%rd26]", "mov.u32 \t%r28, %r1", "value["},
		{"srad", "0fBD800000", "0f3D800000", "image["}, /* -1/16 */
		{"streamcluster", "sub.f32", "add.f32", "moves["},
		{"degree", "[%rd21], 1;", "[%rd21], 2;", "in["},
		{"sssp", "add.s32 \t%r18, %r17, %r3", "max.u32 \t%r18, %r17, %r3", "distance["},
		{"betweenness", "div.rn.f32", "mul.rn.f32", "centrality["},
		{"colouring", "max.u32", "min.u32", "colour["},
		{"components", "setp.ge.u32 \t%p1, %r1, %r7", "setp.ge.u32 \t%p1, %r1, 100", "parent["},
		{"triangles", "setp.eq.s32 \t%p7", "setp.ne.s32 \t%p7", "count["},
		{"hotspot3d", "setp.lt.u32 \t%p5", "setp.gt.u32 \t%p5", "temperature["}, /* nothing from the right */
		{"cfd", "0f3FB33333", "0f3FF33333", "value["},				 /* 1.4 made 1.9 */
		{"dwt2d", "shr.s32 \t%r184, %r183, 2", "shr.s32 \t%r184, %r183, 1", "red["},
		{"hybridsort", "min.f32", "max.f32", "sorted["},
		{"mummer", "setp.ne.s16 \t%p10", "setp.eq.s16 \t%p10", "match["},
		{"radixsort", "and.b32  \t%r76, %r75, 1", "and.b32  \t%r76, %r75, 0", "key["},
		{"tpacf", "setp.eq.s32 \t%p7, %r5, %r6", "setp.ne.s32 \t%p7, %r5, %r6", "pairs["},
		{"doitgen", "fma.rn.f32 \t%f20, %f13", "fma.rn.f32 \t%f20, %f10", "A["},
		{"histo", "min.u32 \t%r15, %r14, 255", "min.u32 \t%r15, %r14, 2", "result["},
		{"lavamd", "0dBFE62E42FEFA39EF", "0dBFE62E43FEFA39EF", "force["}, /* ln 2 */
		{"libor", "0f3E800000", "0f3E810000", "price + 10["},		  /* a quarter of a year */
		{"particlefilter", "1664525", "1664527", "running["},
		{"invindex", "setp.eq.s32 \t%p4, %r62, 8", "setp.eq.s32 \t%p4, %r62, 7", "sums["},
		{"heartwall", "mad.lo.s32 \t%r156, %r147, 7", "mad.lo.s32 \t%r156, %r147, 6", "pattern["},
	};

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		const struct workload *w = workload_find(vector[i].name);
		struct err e = {""};
		bool differs = false;
		char path[128];

		run_with(w, change_ptx(vector[i].name, vector[i].from, vector[i].to, path), NULL, &e, &differs);
		cr_expect(differs, "%s: %s", w->name, e.text);
		cr_expect_not_null(strstr(e.text, vector[i].says), "%s: %s", w->name, e.text);
	}
}

/* The lines of a PTX text between `{` and `}` that are instructions: they end in `;` and start with no dot. */
static unsigned count_instructions(const char *path, const char *containing)
{
	char line[512];
	unsigned n = 0;
	FILE *f = fopen(path, "r");

	cr_assert_not_null(f);
	while (fgets(line, sizeof line, f)) {
		const char *s = line + strspn(line, " \t");

		n += *s != '.' && *s != '/' && strchr(s, ';') && strstr(s, containing);
	}
	fclose(f);
	return n;
}

Test(workloads, straight_kernels_execute_each_instruction_once_a_warp)
{
	static const char *const args[] = {"n=64K", NULL};
	struct err e = {""};
	uint64_t n = run_with(workload_find("vectoradd"), NULL, args, &e, NULL);

	/* 64 K threads in full warps of 32; no branch is taken. */
	cr_expect_str_eq(e.text, "");
	cr_expect_eq(n, (65536 / 32) * (uint64_t)count_instructions("traces/vectoradd/kernel.ptx", ""));
}

Test(workloads, the_chase_executes_little_but_its_loads)
{
	static const char *const a[] = {"steps=1600", NULL}, *const b[] = {"steps=3200", NULL};
	struct err e = {""};
	uint64_t more = run_with(workload_find("chase"), NULL, b, &e, NULL) - run_with(workload_find("chase"), NULL, a, &e, NULL);

	/* Per 16 loads, three instructions of the loop. */
	cr_expect_str_eq(e.text, "");
	cr_expect_eq(more, 1600 + 3 * 100);
}

/* Instructions of the first loop of a PTX text: from a label to the branch back to it. */
static unsigned loop_instructions(const char *path)
{
	char line[512], label[64] = "";
	bool ends = false;
	unsigned n = 0;
	FILE *f = fopen(path, "r");

	cr_assert_not_null(f);
	while (!ends && fgets(line, sizeof line, f)) {
		const char *s = line + strspn(line, " \t");

		if (strchr(s, ':') && sscanf(s, "%60[$A-Za-z0-9_]", label) == 1) {
			n = 0;
			continue;
		}
		n += *s != '.' && *s != '/' && strchr(s, ';');
		ends = *label && strstr(s, "bra") && strstr(s, label);
	}
	cr_assert(ends, "no loop in %s", path);
	fclose(f);
	return n;
}

Test(workloads, streamcluster_executes_its_loop_once_a_dimension)
{
	static const char *const a[] = {"dimensions=20", NULL}, *const b[] = {"dimensions=120", NULL};
	const struct workload *w = workload_find("streamcluster");
	struct err e = {""};
	uint64_t more = run_with(w, NULL, b, &e, NULL) - run_with(w, NULL, a, &e, NULL);
	uint64_t warps = 3 * 4096 / 32, loops = 100 * warps * loop_instructions("traces/streamcluster/kernel.ptx");

	/* Whether a point moves decides on fewer than twelve instructions a warp, behind the loop. */
	cr_expect_str_eq(e.text, "");
	cr_expect(more + 12 * warps > loops && more < loops + 12 * warps, "%llu, not %llu", (unsigned long long)more,
		  (unsigned long long)loops);
}

Test(workloads, state_what_they_stand_for_and_how_often_they_launch)
{
	for (unsigned i = 0; workloads[i]; i++) {
		const struct workload *w = workloads[i];
		struct host_options o = {.size = "test"};
		struct err e = {""};
		char path[256], *end;
		unsigned long launches = strtoul(w->launches, &end, 10);
		struct host *h;

		cr_expect(w->grid && w->access, "%s: its grid and how it accesses memory", w->name);
		cr_expect((w->original != NULL) == (strcmp(w->suite, "own") != 0), "%s: the program that it stands for", w->name);
		if (end == w->launches || (*end && strncmp(end, " / ", 3)))
			continue; /* in words: it depends on the input */
		snprintf(path, sizeof path, "traces/%s/kernel.ptx", w->name);
		o.ptx_path = path;
		h = host_new(&o, &e);
		cr_assert_not_null(h, "%s", e.text);
		cr_expect_eq(w->run(h, &e), 0, "%s", e.text);
		cr_expect_eq(host_launches(h), launches, "%s launches %u times, the table says %lu", w->name, host_launches(h),
			     launches);
		host_free(h);
	}
}

Test(workloads, sizes_that_cannot_be_are_refused)
{
	static const struct {
		const char *name, *arg, *says;
	} vector[] = {
		{"vectoradd", "n=0", "--arg n=0: must be 1 to 256M"},
		{"vectoradd", "m=3", "--arg m=3: the workload has no such option; its options are n, seed"},
		{"matmul", "n=100", "--arg n=100: must be a multiple of 16"},
		{"syrk", "pitch=63", "--arg pitch=63: rows of n=64 and of m=64 floats do not fit"},
		{"gesummv", "cols=2K", "--arg pitch=1024: rows of cols=2048 floats do not fit"},
		{"conv2d", "rows=2", "--arg rows=2: must be 3 to 16K"},
		{"transpose", "kind=fast", "--arg kind=fast: must be one of naive, tiled"},
		{"chase", "stride=24", "--arg footprint=8192: must be a multiple of stride=24"},
		{"storegpu", "bytes=125", "--arg bytes=125: must be 0 to 124"},
		{"sad", "rows=6", "--arg rows=6: must be a multiple of 4"},
		{"srad", "cols=100", "--arg cols=100: must be a multiple of 16"},
		{"mergesort", "log2n=9", "--arg log2n=9: must be 10 to 24"},
		{"bfs", "source=4096", "--arg source=4096: the graph has the vertices 0 to 4095"},
		{"bfs", "graph=none",
		 "--arg graph=none: must be rmat, uniform, mesh, copter2, 4elt, mdual or a .graph or .mtx file"},
		{"sssp", "source=4096", "--arg source=4096: the graph has the vertices 0 to 4095"},
		{"sssp", "weights=1M", "--arg weights=1048576: a path of 4095 edges may be longer than 32 bits hold"},
		{"mummer", "least=26", "--arg least=26: a query has length=25 letters"},
		{"radixsort", "n=1500", "--arg n=1500: must be a multiple of 1024"},
		{"heartwall", "search=12", "--arg search=12: a template of radius=8 that moves by reach=5 does not fit"},
	};

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		const char *const args[] = {vector[i].arg, NULL};
		struct err e = {""};
		bool differs = true;

		cr_expect_eq(run_with(workload_find(vector[i].name), NULL, args, &e, &differs), 0);
		cr_expect_str_eq(e.text, vector[i].says);
		cr_expect_not(differs);
	}
}

Test(workloads, their_options_table_lists_what_they_read)
{
	for (unsigned i = 0; workloads[i]; i++) {
		static const char *const args[] = {"no-such-key=1", NULL};
		struct err e = {""};
		const char *at;

		run_with(workloads[i], NULL, args, &e, NULL);
		at = strstr(e.text, "its options are ");
		cr_assert_not_null(at, "%s: %s", workloads[i]->name, e.text);
		at += strlen("its options are ");
		for (const struct workload_option *o = workloads[i]->options; o->key; o++) {
			cr_assert_eq(strncmp(at, o->key, strlen(o->key)), 0, "%s: the table has %s where run() reads %s",
				     workloads[i]->name, o->key, at);
			at += strlen(o->key);
			at += strspn(at, ", ");
		}
		cr_expect_str_empty(at, "%s: the table lacks %s", workloads[i]->name, at);
	}
}

Test(workloads, contain_no_instruction_that_the_executor_lacks)
{
	struct program p = program_run("locus ptx traces/*/kernel.ptx");

	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}
