/* nvcc's options: a table of names, each with what it takes and does.
 *
 * A long option takes its value behind = or as the next word; so does a short one; -I, -D, -U, -L, -l, -O and -x have
 * it joined as well.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "nvcc/nvcc.h"

enum takes { NOTHING, VALUE, JOINED };

enum option {
	IGNORED, /* it changes nothing here: what NVIDIA's assembler does, how nvcc itself runs */
	REFUSED, /* its result would be machine code for NVIDIA's GPUs, or is otherwise not here */
	PREPROCESSOR,
	DEPENDENCY,
	PHASE,
	OUTPUT,
	LANGUAGE,
	STANDARD,
	LIBRARY,
	LIBRARY_PATH,
	ARCH,
	GENCODE,
	OPTIMISE,
	FLAG,
	EXACTNESS, /* true or false, of a flag that is set if it is not the word's */
	FAST_MATH,
	SEPARATE,
	CUDART,
	STREAM,
	XCOMPILER,
	XLINKER,
	HOST_PROGRAM,
	WARNING, /* a word of clang and of the host compiler alike */
	MACHINE,
};

struct known {
	const char *name, *alias; /* without dashes: both forms are taken with one or two */
	enum takes takes;
	enum option option;
	const char *word; /* what clang is told, or why it is refused */
	int value;	  /* a phase, or the offset of a flag */
};

#define FLAG_AT(member) (int)offsetof(struct nvcc_job, member)
static const struct known known[] = {
	{"I", "include-path", JOINED, PREPROCESSOR, "-I", 0},
	{"D", "define-macro", JOINED, PREPROCESSOR, "-D", 0},
	{"U", "undefine-macro", JOINED, PREPROCESSOR, "-U", 0},
	{"isystem", "system-include", VALUE, PREPROCESSOR, "-isystem", 0},
	{"include", "pre-include", VALUE, PREPROCESSOR, "-include", 0},
	{"M", "generate-dependencies", NOTHING, PHASE, "-M", NVCC_DEPENDENCIES},
	{"MM", "generate-nonsystem-dependencies", NOTHING, PHASE, "-MM", NVCC_DEPENDENCIES},
	{"MD", "generate-dependencies-with-compile", NOTHING, DEPENDENCY, "-MD", 0},
	{"MMD", "generate-nonsystem-dependencies-with-compile", NOTHING, DEPENDENCY, "-MMD", 0},
	{"MP", "generate-dependency-targets", NOTHING, DEPENDENCY, "-MP", 0},
	{"MF", "dependency-output", VALUE, DEPENDENCY, "-MF", 0},
	{"MT", "dependency-target-name", VALUE, DEPENDENCY, "-MT", 0},
	{"c", "compile", NOTHING, PHASE, NULL, NVCC_COMPILE},
	{"dc", "device-c", NOTHING, SEPARATE, "true", NVCC_COMPILE},
	{"dw", "device-w", NOTHING, PHASE, NULL, NVCC_COMPILE},
	{"dlink", "device-link", NOTHING, PHASE, NULL, NVCC_DEVICE_LINK},
	{"ptx", "ptx", NOTHING, PHASE, NULL, NVCC_PTX},
	{"fatbin", "fatbin", NOTHING, PHASE, NULL, NVCC_FATBIN},
	{"E", "preprocess", NOTHING, PHASE, NULL, NVCC_PREPROCESS},
	{"lib", "lib", NOTHING, PHASE, NULL, NVCC_LIBRARY},
	{"link", "link", NOTHING, PHASE, NULL, NVCC_LINK},
	{"V", "version", NOTHING, PHASE, NULL, NVCC_VERSION},
	{"o", "output-file", VALUE, OUTPUT, NULL, 0},
	{"x", "x", JOINED, LANGUAGE, NULL, 0},
	{"std", "std", VALUE, STANDARD, NULL, 0},
	{"l", "library", JOINED, LIBRARY, NULL, 0},
	{"L", "library-path", JOINED, LIBRARY_PATH, NULL, 0},
	{"arch", "gpu-architecture", VALUE, ARCH, NULL, 0},
	{"code", "gpu-code", VALUE, ARCH, NULL, 0},
	{"gencode", "generate-code", VALUE, GENCODE, NULL, 0},
	{"O", "optimize", JOINED, OPTIMISE, NULL, 0},
	{"g", "debug", NOTHING, FLAG, NULL, FLAG_AT(debug)},
	{"G", "device-debug", NOTHING, FLAG, NULL, FLAG_AT(debug_device)},
	{"lineinfo", "generate-line-info", NOTHING, FLAG, NULL, FLAG_AT(line_info)},
	{"use_fast_math", "use-fast-math", NOTHING, FAST_MATH, NULL, 0},
	{"dryrun", "dryrun", NOTHING, FLAG, NULL, FLAG_AT(dry_run)},
	{"v", "verbose", NOTHING, FLAG, NULL, FLAG_AT(verbose)},
	{"rdc", "relocatable-device-code", VALUE, SEPARATE, NULL, -1},
	{"ftz", "ftz", VALUE, EXACTNESS, "false", FLAG_AT(flush)},
	{"prec-div", "prec-div", VALUE, EXACTNESS, "true", FLAG_AT(approximate_div)},
	{"prec-sqrt", "prec-sqrt", VALUE, EXACTNESS, "true", FLAG_AT(approximate_sqrt)},
	{"fmad", "fmad", VALUE, EXACTNESS, "true", FLAG_AT(no_fused)},
	{"cudart", "cudart", VALUE, CUDART, NULL, 0},
	{"default-stream", "default-stream", VALUE, STREAM, NULL, 0},
	{"Xcompiler", "compiler-options", VALUE, XCOMPILER, NULL, 0},
	{"Xlinker", "linker-options", VALUE, XLINKER, NULL, 0},
	{"ccbin", "compiler-bindir", VALUE, HOST_PROGRAM, NULL, 0},
	{"w", "disable-warnings", NOTHING, WARNING, "-w", 0},
	{"pg", "profile", NOTHING, WARNING, "-pg", 0},
	{"shared", "shared", NOTHING, XLINKER, "-shared", 0},
	{"m", "machine", VALUE, MACHINE, NULL, 0},
	{"m64", "m64", NOTHING, IGNORED, NULL, 0},
	{"Xptxas", "ptxas-options", VALUE, IGNORED, NULL, 0},
	{"Xnvlink", "nvlink-options", VALUE, IGNORED, NULL, 0},
	{"Xarchive", "archive-options", VALUE, IGNORED, NULL, 0},
	{"Xfatbin", "fatbin-options", VALUE, IGNORED, NULL, 0},
	{"Xcudafe", "cudafe-options", VALUE, IGNORED, NULL, 0},
	{"maxrregcount", "maxrregcount", VALUE, IGNORED, NULL, 0},
	{"extended-lambda", "expt-extended-lambda", NOTHING, PREPROCESSOR, "-D__CUDACC_EXTENDED_LAMBDA__=1", 0},
	{"expt-relaxed-constexpr", "relaxed-constexpr", NOTHING, PREPROCESSOR, "-D__CUDACC_RELAXED_CONSTEXPR__=1", 0},
	{"restrict", "restrict", NOTHING, IGNORED, NULL, 0},
	{"res-usage", "resource-usage", NOTHING, IGNORED, NULL, 0},
	{"dopt", "dopt", VALUE, IGNORED, NULL, 0},
	{"extra-device-vectorization", "extra-device-vectorization", NOTHING, IGNORED, NULL, 0},
	{"k", "keep", NOTHING, IGNORED, NULL, 0},
	{"keep-dir", "keep-dir", VALUE, IGNORED, NULL, 0},
	{"t", "threads", VALUE, IGNORED, NULL, 0},
	{"err-no", "display-error-number", NOTHING, IGNORED, NULL, 0},
	{"diag-suppress", "diag-suppress", VALUE, IGNORED, NULL, 0},
	{"diag-warn", "diag-warn", VALUE, IGNORED, NULL, 0},
	{"diag-error", "diag-error", VALUE, IGNORED, NULL, 0},
	{"compress-mode", "compress-mode", VALUE, IGNORED, NULL, 0},
	{"no-compress", "no-compress", NOTHING, IGNORED, NULL, 0},
	{"Werror", "Werror", VALUE, IGNORED, NULL, 0},
	{"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", NOTHING, IGNORED, NULL, 0},
	{"Wno-deprecated-declarations", "Wno-deprecated-declarations", NOTHING, WARNING, "-Wno-deprecated-declarations", 0},
	{"allow-unsupported-compiler", "allow-unsupported-compiler", NOTHING, IGNORED, NULL, 0},
	{"forward-unknown-to-host-compiler", "forward-unknown-to-host-linker", NOTHING, IGNORED, NULL, 0},
	{"src-in-ptx", "source-in-ptx", NOTHING, IGNORED, NULL, 0},
	{"cubin", "cubin", NOTHING, REFUSED, "machine code is made by NVIDIA's assembler alone; -ptx makes PTX", 0},
	{"optix-ir", "optix-ir", NOTHING, REFUSED, "OptiX is not here", 0},
	{"ltoir", "ltoir", NOTHING, REFUSED, "NVVM's code is not here; -ptx makes PTX", 0},
	{"dlto", "dlink-time-opt", NOTHING, REFUSED, "NVVM's code is not here; leave it out", 0},
	{"cuda", "cuda", NOTHING, REFUSED, "clang has no such intermediate text; -E preprocesses", 0},
	{"run", "run", NOTHING, REFUSED, "build the program, then run it by `locus cuda`", 0},
	{"m32", "m32", NOTHING, REFUSED, "device pointers have 64 bits here", 0},
	{"optf", "options-file", VALUE, REFUSED, "write its words on the command line", 0},
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

struct typed {
	const char *whole, *name; /* as typed; without dashes */
	size_t length;		  /* of the name, up to a = */
	const struct known *k;
	const char *value;
};

static bool is(const char *name, const struct typed *t)
{
	return strlen(name) == t->length && !strncmp(name, t->name, t->length);
}

/* An exact name wins over a letter with its value joined: -lineinfo is no library. */
static const struct known *find(const struct typed *t)
{
	for (unsigned i = 0; i < N_KNOWN; i++)
		if (is(known[i].name, t) || is(known[i].alias, t))
			return &known[i];
	for (unsigned i = 0; i < N_KNOWN && t->whole[1] != '-'; i++)
		if (known[i].takes == JOINED && known[i].name[0] == t->name[0])
			return &known[i];
	return NULL;
}

static int unknown(const struct typed *t, struct err *e)
{
	struct suggestion n = {.typed = t->name};
	char hint[160];

	for (unsigned i = 0; i < N_KNOWN; i++) {
		suggestion_offer(&n, known[i].name);
		suggestion_offer(&n, known[i].alias);
	}
	return err_set(e, "%s: not an option of nvcc%s; -Xcompiler passes words to the host compiler", t->whole,
		       suggestion_text(&n, hint));
}

/* Finds t->value; *at moves on if that is the next word. */
static int take_value(struct typed *t, int argc, char **argv, int *at, struct err *e)
{
	bool exact = is(t->k->name, t) || is(t->k->alias, t);

	t->value = NULL;
	if (t->k->takes == NOTHING)
		return t->name[t->length] ? err_set(e, "%s: takes no value", t->whole) : 0;
	if (!exact)
		t->value = t->name + (t->name[1] == '=' ? 2 : 1);
	else if (t->name[t->length] == '=')
		t->value = t->name + t->length + 1;
	else if (*at + 1 < argc)
		t->value = argv[++*at];
	return t->value ? 0 : err_set(e, "%s: needs a value", t->whole);
}

static int truth(const struct typed *t, bool *yes, struct err *e)
{
	*yes = !strcmp(t->value, "true");
	return *yes || !strcmp(t->value, "false") ? 0 : err_set(e, "%s: true or false, not \"%s\"", t->whole, t->value);
}

/* "arch=compute_80,code=[sm_80,compute_80]", in which lists may be quoted. */
static int gencode(struct nvcc_job *j, const char *text, struct err *e)
{
	static const char around[] = "[]\"'";
	struct nvcc_words part = {NULL, 0, 0};

	nvcc_split(&part, &j->a, text, false);
	for (unsigned i = 0; i < part.n; i++) {
		const char *value = strrchr(part.word[i], '='), *name = value ? value + 1 : part.word[i];

		name += strspn(name, around);
		if (nvcc_arch(j, arena_printf(&j->a, "%.*s", (int)strcspn(name, around), name), e))
			return err_prefix(e, "-gencode %s", text);
	}
	return 0;
}

static int arch(struct nvcc_job *j, const char *text, struct err *e)
{
	if (!strcmp(text, "native") || !strcmp(text, "all") || !strcmp(text, "all-major"))
		return 0; /* the default: the machine that will run it is not known here */
	return gencode(j, text, e);
}

static bool *flag(struct nvcc_job *j, const struct known *k)
{
	return (bool *)(void *)((char *)j + k->value);
}

static int exactness(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	bool yes;

	if (truth(t, &yes, e))
		return -1;
	*flag(j, t->k) = strcmp(t->value, t->k->word) != 0;
	return 0;
}

/* The manual: -ftz=true -prec-div=false -prec-sqrt=false -fmad=true, and fast functions. */
static int fast_math(struct nvcc_job *j)
{
	j->fast_math = j->flush = j->approximate_div = j->approximate_sqrt = true;
	j->no_fused = false;
	return 0;
}

static int optimise(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	if (!strchr("0123", t->value[0]) || !t->value[0] || t->value[1])
		return err_set(e, "%s: the level is 0 to 3, not \"%s\"", t->whole, t->value);
	j->optimise = t->value[0];
	return 0;
}

/* CUDA's libraries of machine code, of which none runs here. */
static int library(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	static const char *const foreign[] = {"cublas", "cublasLt", "cufft",  "cusparse", "cusolver", "curand",
					      "cudnn",	"nvrtc",    "cufftw", "nvgraph",  "nppc",     "nvjpeg"};
	static const char *const dropped[] = {"cudart", "cudart_static", "cudadevrt"};

	for (unsigned i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
		if (!strcmp(t->value, foreign[i]))
			return err_set(e, "-l%s: a library of machine code for NVIDIA's GPUs, which does not run here", t->value);
	for (unsigned i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
		if (!strcmp(t->value, dropped[i]))
			return 0; /* linked in any case */
	nvcc_word(&j->inputs, &j->a, arena_printf(&j->a, "-l%s", t->value));
	return 0;
}

static void preprocessor(struct nvcc_job *j, const struct typed *t)
{
	bool list = t->k->word[1] == 'I' || t->k->word[1] == 'i';
	struct nvcc_words values = {NULL, 0, 0};

	if (t->k->takes == NOTHING) {
		nvcc_word(&j->preprocessor, &j->a, t->k->word);
		return;
	}
	if (list)
		nvcc_split(&values, &j->a, t->value, false);
	else
		nvcc_word(&values, &j->a, t->value);
	for (unsigned i = 0; i < values.n; i++) {
		nvcc_word(&j->preprocessor, &j->a, t->k->word);
		nvcc_word(&j->preprocessor, &j->a, values.word[i]);
	}
}

static int cudart(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	if (!strcmp(t->value, "none"))
		j->no_runtime = true;
	else if (!strcmp(t->value, "static"))
		fputs("locus nvcc: -cudart static: the runtime is linked as a shared library here\n", stderr);
	else if (strcmp(t->value, "shared") != 0)
		return err_set(e, "%s: none, shared or static, not \"%s\"", t->whole, t->value);
	return 0;
}

static int stream(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	if (!strcmp(t->value, "per-thread"))
		nvcc_word(&j->preprocessor, &j->a, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
	else if (strcmp(t->value, "legacy") != 0 && strcmp(t->value, "null") != 0)
		return err_set(e, "%s: legacy, null or per-thread, not \"%s\"", t->whole, t->value);
	return 0;
}

static int phase(struct nvcc_job *j, const struct typed *t)
{
	j->phase = (enum nvcc_phase)t->k->value;
	if (j->phase == NVCC_DEPENDENCIES)
		nvcc_word(&j->dependencies, &j->a, t->k->word);
	return 0;
}

static int separate(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	j->separate = true;
	if (t->k->value < 0)
		return truth(t, &j->separate, e);
	j->phase = (enum nvcc_phase)t->k->value;
	return 0;
}

static int language(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	if (strcmp(t->value, "cu") != 0 && strcmp(t->value, "c++") != 0 && strcmp(t->value, "c") != 0)
		return err_set(e, "%s: cu, c++ or c, not \"%s\"", t->whole, t->value);
	j->language = t->value;
	return 0;
}

static int machine(const struct typed *t, struct err *e)
{
	return strcmp(t->value, "64") ? err_set(e, "%s: device pointers have 64 bits here", t->whole) : 0;
}

/* What is one word for one list. */
static void pass_on(struct nvcc_job *j, const struct typed *t)
{
	switch (t->k->option) {
	case DEPENDENCY:
		nvcc_word(&j->dependencies, &j->a, t->k->word);
		if (t->value)
			nvcc_word(&j->dependencies, &j->a, t->value);
		break;
	case LIBRARY_PATH:
		nvcc_word(&j->linker, &j->a, arena_printf(&j->a, "-L%s", t->value));
		break;
	case XCOMPILER:
		nvcc_split(&j->host_compiler, &j->a, t->value, true);
		break;
	case XLINKER:
		if (t->value)
			nvcc_word(&j->linker, &j->a, arena_printf(&j->a, "-Wl,%s", t->value));
		else
			nvcc_word(&j->linker, &j->a, t->k->word);
		break;
	case WARNING:
		nvcc_word(&j->host_compiler, &j->a, t->k->word);
		break;
	case FLAG:
		*flag(j, t->k) = true;
		break;
	default:
		break;
	}
}

static int apply(struct nvcc_job *j, const struct typed *t, struct err *e)
{
	switch (t->k->option) {
	case REFUSED:
		return err_set(e, "%s: %s", t->whole, t->k->word);
	case PREPROCESSOR:
		preprocessor(j, t);
		return 0;
	case PHASE:
		return phase(j, t);
	case OUTPUT:
		j->output = t->value;
		return 0;
	case LANGUAGE:
		return language(j, t, e);
	case STANDARD:
		j->standard = t->value;
		return 0;
	case LIBRARY:
		return library(j, t, e);
	case ARCH:
		return arch(j, t->value, e);
	case GENCODE:
		return gencode(j, t->value, e);
	case OPTIMISE:
		return optimise(j, t, e);
	case EXACTNESS:
		return exactness(j, t, e);
	case FAST_MATH:
		return fast_math(j);
	case SEPARATE:
		return separate(j, t, e);
	case CUDART:
		return cudart(j, t, e);
	case STREAM:
		return stream(j, t, e);
	case HOST_PROGRAM:
		j->host_program = t->value;
		return 0;
	case MACHINE:
		return machine(t, e);
	default:
		pass_on(j, t);
		return 0;
	}
}

static int take(struct nvcc_job *j, int argc, char **argv, int *at, struct err *e)
{
	struct typed t = {.whole = argv[*at]};

	if (t.whole[0] != '-' || !t.whole[1]) {
		nvcc_word(&j->inputs, &j->a, t.whole);
		return 0;
	}
	t.name = t.whole + strspn(t.whole, "-");
	t.length = strcspn(t.name, "=");
	t.k = find(&t);
	if (!t.k)
		return unknown(&t, e);
	return take_value(&t, argc, argv, at, e) ? -1 : apply(j, &t, e);
}

int nvcc_options(struct nvcc_job *j, int argc, char **argv, struct err *e)
{
	j->optimise = '3';
	for (int i = 1; i < argc; i++)
		if (take(j, argc, argv, &i, e))
			return -1;
	if (!j->arch)
		j->arch = 75; /* as nvcc 13 has it */
	if (j->phase != NVCC_VERSION && j->inputs.n == 0)
		return err_set(e, "no input file (see locus nvcc --help)");
	if (j->output && j->inputs.n > 1 && (j->phase == NVCC_COMPILE || nvcc_device_alone(j)))
		return err_set(e, "-o %s: one input file only, unless they are linked", j->output);
	return 0;
}
