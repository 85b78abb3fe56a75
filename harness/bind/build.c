/* Builds the library of a block in a folder of its own and moves the folder into the cache when it is whole. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/root.h"
#include "base/files/scratch.h"
#include "bind/bind.h"
#include "bind/cache.h"
#include "bind/connect.h"
#include "bind/states.h"
#include "bind/sum.h"
#include "bind/tool.h"
#include "bind/vet.h"
#include "bind/wrap.h"
#include "bind/xml.h"
#include "process/output.h"

enum { MAX_ARGS = 1024 };

struct build {
	const struct bind_request *q;
	struct arena a;
	struct bind_sources src;
	struct bind_layout layout;
	struct bind_module module;
	const char *dir; /* where it is built */
};

struct args {
	const char *arg[MAX_ARGS];
	unsigned n;
};

static void arg(struct args *v, const char *s)
{
	if (v->n < MAX_ARGS - 1)
		v->arg[v->n++] = s;
}

/* The block's files, and where modules and headers that they name are looked up. */
static void arg_sources(struct args *v, struct build *b)
{
	for (unsigned i = 0; i < b->src.n_named; i++)
		arg(v, b->src.file[i]);
	for (unsigned i = 0; i < b->src.n_dirs; i++) {
		arg(v, "-y");
		arg(v, b->src.dir[i]);
		arg(v, arena_printf(&b->a, "-I%s", b->src.dir[i]));
	}
}

static int verilator(struct build *b, struct args *v, const char *name, struct err *e)
{
	v->arg[v->n] = NULL;
	return bind_tool_run(v->arg, arena_printf(&b->a, "%s/%s.log", b->dir, name), e);
}

static int read_ports(struct build *b, const char *top, bool params, struct err *e)
{
	const char *xml = arena_printf(&b->a, "%s/ports.xml", b->dir);
	struct args v = {{0}, 0};

	arg(&v, "verilator");
	arg(&v, "--xml-only");
	arg(&v, "--xml-output");
	arg(&v, xml);
	arg(&v, "--Mdir");
	arg(&v, b->dir);
	arg(&v, "-Wno-fatal");
	arg(&v, "--no-timing"); /* delays are left out */
	if (top) {
		arg(&v, "--top-module");
		arg(&v, top);
	}
	for (unsigned i = 0; i < b->q->block->n_params && params; i++) {
		const struct hw_param *p = &b->q->block->params[i];
		uint64_t value = hw_get(b->q->params, p->offset, p->size);

		if (bind_module_find(&b->module, BIND_VAR_PARAM, p->verilog))
			arg(&v, arena_printf(&b->a, value < 0x80000000 ? "-G%s=%llu" : "-G%s=64'd%llu", p->verilog,
					     (unsigned long long)value));
	}
	arg_sources(&v, b);
	return verilator(b, &v, "ports", e) ? -1 : bind_xml_read(&b->module, xml, &b->a, e);
}

/* The module of the block's name, or else the one that nothing instantiates. First with its own parameter values, to
 * learn which parameters it has, then with those of the request. */
static int find_ports(struct build *b, struct err *e)
{
	struct err named = {""};

	if (read_ports(b, b->q->block->module, false, &named)) {
		if (!b->q->rtl || !strstr(named.text, "--top-module"))
			return err_set(e, "%s", named.text);
		if (read_ports(b, NULL, false, e))
			return -1;
	}
	return read_ports(b, b->module.name, true, e);
}

static int verilate(struct build *b, struct err *e)
{
	struct args v = {{0}, 0};

	arg(&v, "verilator");
	arg(&v, "--cc");
	arg(&v, "-O3");
	arg(&v, "--x-assign");
	arg(&v, b->q->unique_x ? "unique" : "fast");
	arg(&v, "--x-initial");
	arg(&v, b->q->unique_x ? "unique" : "fast");
	arg(&v, "--threads");
	arg(&v, "1");
	arg(&v, "--assert");
	arg(&v, "-DASSERTIONS"); /* of our blocks, and of the user's that keep them so */
	if (b->q->lanes == 1)
		arg(&v, "--trace-fst");
	arg(&v, "-Wno-fatal");
	arg(&v, "--no-timing");
	arg(&v, "--Mdir");
	arg(&v, b->dir);
	arg(&v, "--prefix");
	arg(&v, "Vcosim");
	arg(&v, "--top-module");
	arg(&v, "cosim");
	arg(&v, arena_printf(&b->a, "%s/cosim.vlt", b->dir));
	arg(&v, arena_printf(&b->a, "%s/cosim.sv", b->dir));
	arg_sources(&v, b);
	return verilator(b, &v, "verilate", e);
}

static bool is_model_source(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && !strncmp(name, "Vcosim", 6) && !strcmp(name + n - 4, ".cpp");
}

/* A string of C++: names of files are of any bytes. */
static void write_string(const char *s, FILE *f)
{
	fputc('"', f);
	for (; *s; s++)
		fprintf(f, "\\%03o", (unsigned char)*s);
	fputc('"', f);
}

/* The files that the Verilog reads are those in the library's folder. */
static void write_data(const struct build *b, FILE *f)
{
	fputs("#define SHIM_DATA(F)", f);
	for (unsigned i = 0; i < b->src.n_data; i++) {
		fputs(" \\\n\tF(", f);
		write_string(b->src.data[i].name, f);
		fprintf(f, ", \"data.%u\")", i);
	}
	fputs("\n#include \"bind/data.hpp\"\n", f);
}

static int copy_data(struct build *b, struct err *e)
{
	int rc = 0;

	for (unsigned i = 0; i < b->src.n_data && !rc; i++)
		rc = output_copy(b->src.data[i].path, arena_printf(&b->a, "%s/data.%u", b->dir, i), BIND_MAX_FILE, e);
	return rc;
}

/* One translation unit of all that Verilator wrote: the compiler reads its headers once. */
static int join_sources(struct build *b, const char *path, struct err *e)
{
	DIR *d = opendir(b->dir);
	struct dirent *entry;
	struct output o;
	int rc = output_open(&o, path, e);

	if (!rc)
		write_data(b, o.f);
	while (!rc && d && (entry = readdir(d)))
		if (is_model_source(entry->d_name))
			fprintf(o.f, "#include \"%s\"\n", entry->d_name);
	if (d)
		closedir(d);
	if (rc)
		return rc;
	fputs("#include \"shim.cpp\"\n", o.f);
	return output_keep(&o, e);
}

static int compile(struct build *b, struct err *e)
{
	char runtime[4096], harness[4096], verilated[4096];
	const char *all = arena_printf(&b->a, "%s/all.cpp", b->dir);
	const char *cxx = getenv("CXX");
	const char *const argv[] = {cxx ? cxx : "g++",
				    "-std=gnu++17",
				    "-O3",
				    "-w",
				    "-fPIC",
				    "-shared",
				    "-fvisibility=hidden",
				    "-fvisibility-inlines-hidden",
				    "-DVM_TRACE=1",
				    "-DVM_TRACE_FST=1",
				    "-DVM_COVERAGE=0",
				    "-I/usr/share/verilator/include",
				    "-I/usr/share/verilator/include/vltstd",
				    arena_printf(&b->a, "-I%s", root_path("build/verilated", verilated)),
				    "-include",
				    "runtime.hpp",
				    arena_printf(&b->a, "-I%s", b->dir),
				    arena_printf(&b->a, "-I%s", root_path("harness", harness)),
				    all,
				    root_path("build/verilated/libverilated.a", runtime),
				    "-Wl,--exclude-libs,ALL",
				    "-lz",
				    "-lpthread",
				    "-o",
				    arena_printf(&b->a, "%s/block.so", b->dir),
				    NULL};

	if (access(runtime, R_OK))
		return err_set(e, "%s: is missing (make builds it)", runtime);
	return join_sources(b, all, e) ? -1 : bind_tool_run(argv, arena_printf(&b->a, "%s/compile.log", b->dir), e);
}

static int refuse_outside(const char *path, struct err *e)
{
	return err_set(
		e,
		"%s: the bundle's Verilog reads this file, which is outside of the bundle: look at it, then allow it with --trust",
		path);
}

static int build_in(struct build *b, struct err *e)
{
	struct bind_wrap w = {
		.block = b->q->block, .params = b->q->params, .layout = &b->layout, .module = &b->module, .lanes = b->q->lanes};
	const char **outside;
	int n;

	if (find_ports(b, e))
		return -1;
	if ((b->q->rtl && bind_connect(&b->module, b->q->fit, b->q->block->tick, e)) ||
	    bind_wrap_check(&w, !b->q->rtl, b->q->extra_inputs, &b->a, e))
		return err_prefix(e, "%s", b->src.file[0]);
	w.states = bind_states(&b->module, b->src.file, b->src.n, &b->a);
	if (bind_wrap_write(&w, b->dir, e) || verilate(b, e))
		return -1;
	n = bind_read_outside(b->dir, b->src.file, b->src.n, &b->a, &outside, e);
	if (n > 0 && b->q->foreign)
		return refuse_outside(outside[0], e);
	return n < 0 || copy_data(b, e) || compile(b, e) ? -1 : bind_sum_write(b->dir, b->src.n_data, outside, (unsigned)n, e);
}

/* A folder of that name that is there already is another program's, which was faster, and as good; or it does not hold
 * what it held, and makes room. */
static int move_to(const char *from, const char *folder, struct err *e)
{
	char other[4200];

	if (rename(from, folder) == 0 || ((errno == ENOTEMPTY || errno == EEXIST) && bind_sum_holds(folder, other)))
		return 0;
	scratch_remove(folder);
	return rename(from, folder) && errno != ENOTEMPTY && errno != EEXIST ? err_set(e, "%s: %s", folder, strerror(errno)) : 0;
}

/* Verilator puts the environment into a path with a $, and the linker parts one at a blank. */
static int check_path(const char *path, struct err *e)
{
	size_t odd = strcspn(path, " \t\n\"'$`\\;&|<>()*?[]{}#!");

	return path[odd] ? err_set(e, "%s: the tools that build a block take no '%c' in a path", path, path[odd]) : 0;
}

static int check_paths(const struct build *b, const char *dir, struct err *e)
{
	char root[4096];
	int rc = check_path(dir, e) || check_path(root_path("build", root), e);

	for (unsigned i = 0; i < b->src.n && !rc; i++)
		rc = check_path(b->src.file[i], e);
	for (unsigned i = 0; i < b->src.n_dirs && !rc; i++)
		rc = check_path(b->src.dir[i], e);
	return rc;
}

static int build_to(struct build *b, const char *dir, const char *folder, struct err *e)
{
	struct scratch work;
	int rc;

	if (check_paths(b, dir, e))
		return -1;
	if (scratch_open(&work, dir, e))
		return -1;
	b->dir = work.path;
	rc = build_in(b, e) || move_to(b->dir, folder, e) ? -1 : 0;
	scratch_close(&work);
	return rc;
}

static int load(struct bind_rtl *out, struct err *e)
{
	char path[4200];
	void *symbol;
	const struct bind_abi *(*entry)(void);

	snprintf(path, sizeof path, "%s/block.so", out->folder);
	out->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	symbol = out->handle ? dlsym(out->handle, "locus_block") : NULL;
	if (!symbol)
		return err_set(e, "%s: cannot be loaded: %s", path, dlerror());
	memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from an object to a function pointer */
	out->abi = entry();
	return out->abi->version == BIND_ABI_VERSION ? 0 : err_set(e, "%s: of another version", path);
}

int bind_open(struct bind_rtl *out, const struct bind_request *q, struct err *e)
{
	struct build b = {.q = q};
	char dir[4096], other[4200];
	uint64_t key;
	int rc = -1;

	memset(out, 0, sizeof *out);
	bind_layout_of(&b.layout, q->block, q->params);
	if (bind_sources(q, &b.a, &b.src, e) == 0 && bind_cache_dir(dir, e) && bind_cache_key(q, &b.layout, &b.src, &key, e) == 0) {
		snprintf(out->folder, sizeof out->folder, "%.4000s/%s-%016llx", dir, q->block->name, (unsigned long long)key);
		scratch_collect(dir);
		rc = q->foreign ? bind_vet(&b.src, e) : 0;
		if (!rc && !bind_sum_holds(out->folder, other))
			rc = build_to(&b, dir, out->folder, e);
		else if (!rc && q->foreign && other[0])
			rc = refuse_outside(other, e);
		rc = rc || bind_sum_sources(out->folder, &b.src, &out->sum, e) ? -1 : load(out, e);
		if (!rc && !q->rtl && q->block->tick && !out->abi->same_state)
			rc = err_set(e, "%s: its registers are not those of the golden twin", q->block->source);
	}
	arena_free(&b.a);
	return rc;
}

void bind_close(struct bind_rtl *r)
{
	if (r->handle)
		dlclose(r->handle);
	memset(r, 0, sizeof *r);
}
