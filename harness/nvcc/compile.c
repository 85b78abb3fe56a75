/* The passes over one source: device code to PTX, host code around it; or the host compiler for what is no CUDA.
 *
 * What clang-14 needs for CUDA without a toolkit is told in /docs/reference/nvcc.md: no look for a toolkit, a version
 * of it all the same (else it refuses <<<>>>), our headers first, PTX 7.5, libclc's functions as bitcode. Products and
 * sums of the program's are contracted as nvcc does, those of libclc are not (fast-honor-pragmas: by instruction).
 */
#include <string.h>

#include "base/files/root.h"
#include "nvcc/nvcc.h"
#include "process/command.h"

#define CLANG  "clang-14"
#define LIBCLC "/usr/lib/clc/nvptx64--nvidiacl.bc"

static void add(struct nvcc_job *j, struct nvcc_words *w, const char *const *list)
{
	for (; *list; list++)
		nvcc_word(w, &j->a, *list);
}

static void add_xclang(struct nvcc_job *j, struct nvcc_words *w, const char *word)
{
	nvcc_word(w, &j->a, "-Xclang");
	nvcc_word(w, &j->a, word);
}

static const char *headers(struct nvcc_job *j)
{
	char path[ROOT_PATH_MAX];

	return arena_strdup(&j->a, root_path("harness/cuda/include", path));
}

/* clang's own folder has wrappers of <new>, <algorithm> and <complex> for device code. */
static int wrappers(struct nvcc_job *j, const char **path, struct err *e)
{
	static const char *const argv[] = {CLANG, "-print-resource-dir", NULL};
	struct command_output answer;

	if (command_capture(argv, &answer, e))
		return -1;
	*path = arena_printf(&j->a, "%s/include/cuda_wrappers", answer.out);
	return 0;
}

/* What programs ask of nvcc itself: it is NVIDIA's of CUDA 12.4. */
static void add_versions(struct nvcc_job *j, struct nvcc_words *w)
{
	static const char *const defines[] = {"-D__CUDACC__=1",
					      "-D__NVCC__=1",
					      "-D__CUDACC_VER_MAJOR__=12",
					      "-D__CUDACC_VER_MINOR__=4",
					      "-D__CUDACC_VER_BUILD__=131",
					      "-D__CUDA_API_VER_MAJOR__=12",
					      "-D__CUDA_API_VER_MINOR__=4",
					      NULL};

	add(j, w, defines);
	nvcc_word(w, &j->a, arena_printf(&j->a, "-D__CUDA_ARCH_LIST__=%u0", j->arch));
	if (j->separate)
		nvcc_word(w, &j->a, "-D__CUDACC_RDC__=1");
	if (j->debug_device)
		nvcc_word(w, &j->a, "-D__CUDACC_DEBUG__=1");
}

static void add_cuda(struct nvcc_job *j, struct nvcc_words *w)
{
	static const char *const front[] = {CLANG, "-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", NULL};

	add(j, w, front);
	nvcc_word(w, &j->a, arena_printf(&j->a, "--cuda-gpu-arch=sm_%u", nvcc_arch_of_clang(j)));
	add_xclang(j, w, "-target-sdk-version=11.5");
}

/* The host's side of a program with managed variables. clang has them in HIP alone, its other language of the kind:
 * host code then reaches such a variable through a pointer, which the runtime sets. The device's side stays CUDA; so
 * does what the program sees. What HIP's host code calls is in cuda/runtime/hip_names.c. */
static void add_hip(struct nvcc_job *j, struct nvcc_words *w)
{
	static const char *const front[] = {
		CLANG, "-x", "hip", "-nogpuinc", "-nogpulib", "-D__CUDA__=1", "-U__HIP__", "-U__HIPCC__", "-fhip-new-launch-api",
		NULL};

	add(j, w, front);
	add_xclang(j, w, "-aux-triple");
	add_xclang(j, w, "nvptx64-nvidia-cuda");
	add_xclang(j, w, "-aux-target-cpu");
	add_xclang(j, w, arena_printf(&j->a, "sm_%u", nvcc_arch_of_clang(j)));
	nvcc_word(w, &j->a, "-DLOCUS_CUDA_MANAGED=1");
}

/* Both passes must see the same program. */
static int add_common(struct nvcc_job *j, struct nvcc_words *w, bool managed, struct err *e)
{
	const char *wrapper;

	if (wrappers(j, &wrapper, e))
		return -1;
	if (managed)
		add_hip(j, w);
	else
		add_cuda(j, w);
	nvcc_word(w, &j->a, "-Wno-unknown-cuda-version");
	nvcc_word(w, &j->a, "-Wno-register");
	nvcc_word(w, &j->a, arena_printf(&j->a, "-std=%s", j->standard ? j->standard : "c++17"));
	add_versions(j, w);
	nvcc_word(w, &j->a, "-isystem");
	nvcc_word(w, &j->a, wrapper);
	nvcc_word(w, &j->a, "-isystem");
	nvcc_word(w, &j->a, headers(j));
	nvcc_word(w, &j->a, "-include");
	nvcc_word(w, &j->a, "cuda_runtime.h");
	nvcc_words(w, &j->a, &j->preprocessor);
	return 0;
}

/* Floats as exact as was asked for. The two macros are for our headers: clang tells them neither. */
static void add_exactness(struct nvcc_job *j, struct nvcc_words *w)
{
	static const char *const flush[] = {"-fgpu-flush-denormals-to-zero", "-DLOCUS_CUDA_FTZ=1", NULL};
	static const char *const div[] = {"-mllvm", "-nvptx-prec-divf32=1", NULL};
	static const char *const root[] = {"-DLOCUS_CUDA_APPROXIMATE_SQRT=1", NULL};
	static const char *const fast[] = {"-fcuda-approx-transcendentals", "-D__USE_FAST_MATH__=1", NULL};

	if (j->flush)
		add(j, w, flush);
	if (j->approximate_div)
		add(j, w, div);
	if (j->approximate_sqrt)
		add(j, w, root);
	if (j->fast_math)
		add(j, w, fast);
	add_xclang(j, w, j->no_fused ? "-ffp-contract=off" : "-ffp-contract=fast-honor-pragmas");
}

/* included: gets the paths of all headers; NULL: nobody asks. */
static int device_pass(struct nvcc_job *j, const char *source, const char *ptx, const char *included, struct err *e)
{
	static const char *const device[] = {"--cuda-device-only", "-S", "-Wno-linker-warnings", NULL};
	static const char *const plain[] = {"-O0", NULL}, *const optimised[] = {"-O3", "-mllvm", "-inline-threshold=20000", NULL};
	struct nvcc_words w = {NULL, 0, 0};
	int status;

	if (add_common(j, &w, false, e))
		return -1;
	add(j, &w, device);
	/* -O is the host's, as nvcc has it. nvcc inlines all that it can. */
	add(j, &w, j->debug_device ? plain : optimised);
	if (j->line_info || j->debug_device)
		nvcc_word(&w, &j->a, "-gline-tables-only");
	add_xclang(j, &w, "-target-feature");
	add_xclang(j, &w, "+ptx75");
	add_xclang(j, &w, "-mlink-builtin-bitcode");
	add_xclang(j, &w, LIBCLC);
	if (j->arch != nvcc_arch_of_clang(j)) {
		nvcc_word(&w, &j->a, "-U__CUDA_ARCH__");
		nvcc_word(&w, &j->a, arena_printf(&j->a, "-D__CUDA_ARCH__=%u0", j->arch));
	}
	add_exactness(j, &w);
	if (included) {
		add_xclang(j, &w, "-header-include-file");
		add_xclang(j, &w, included);
	}
	nvcc_word(&w, &j->a, source);
	nvcc_word(&w, &j->a, "-o");
	nvcc_word(&w, &j->a, ptx);
	status = nvcc_tool(j, &w, e);
	return status || j->dry_run ? status : nvcc_arch_rewrite(j, ptx, e);
}

/* What the phase asks of the last pass over a source. */
static void add_phase(struct nvcc_job *j, struct nvcc_words *w, const char *to)
{
	if (j->phase == NVCC_PREPROCESS)
		nvcc_word(w, &j->a, "-E");
	else if (j->phase != NVCC_DEPENDENCIES)
		nvcc_word(w, &j->a, "-c");
	nvcc_words(w, &j->a, &j->dependencies);
	if (to) {
		nvcc_word(w, &j->a, "-o");
		nvcc_word(w, &j->a, to);
	}
}

static void add_host_flags(struct nvcc_job *j, struct nvcc_words *w)
{
	nvcc_word(w, &j->a, arena_printf(&j->a, "-O%c", j->debug ? '0' : j->optimise));
	if (j->debug)
		nvcc_word(w, &j->a, "-g");
	nvcc_words(w, &j->a, &j->host_compiler);
}

/* clang's OpenMP calls a library that gcc does not link (libomp). Told that it is gcc's, clang takes the pragmas for
 * comments: the host's loops run on one thread. */
static void without_openmp(struct nvcc_words *w)
{
	for (unsigned i = 0; i < w->n; i++)
		if (!strcmp(w->word[i], "-fopenmp"))
			w->word[i] = "-fopenmp=libgomp";
}

/* ptx: NULL where nothing is generated. */
static int host_pass(struct nvcc_job *j, const char *source, const char *ptx, bool managed, const char *to, struct err *e)
{
	struct nvcc_words w = {NULL, 0, 0};

	if (add_common(j, &w, managed, e))
		return -1;
	nvcc_word(&w, &j->a, "--cuda-host-only");
	if (ptx) {
		add_xclang(j, &w, "-fcuda-include-gpubinary");
		add_xclang(j, &w, ptx);
	}
	add_host_flags(j, &w);
	without_openmp(&w);
	add_phase(j, &w, to);
	nvcc_word(&w, &j->a, source);
	return nvcc_tool(j, &w, e);
}

static int other_source(struct nvcc_job *j, const char *source, const char *to, struct err *e)
{
	bool cxx = nvcc_kind(j, source) == NVCC_CXX;
	struct nvcc_words w = {NULL, 0, 0};

	nvcc_word(&w, &j->a, j->host_program ? j->host_program : cxx ? "g++" : "gcc");
	nvcc_word(&w, &j->a, "-x");
	nvcc_word(&w, &j->a, cxx ? "c++" : "c");
	if (j->standard && cxx == (strchr(j->standard, '+') != NULL))
		nvcc_word(&w, &j->a, arena_printf(&j->a, "-std=%s", j->standard));
	nvcc_word(&w, &j->a, "-isystem");
	nvcc_word(&w, &j->a, headers(j));
	nvcc_words(&w, &j->a, &j->preprocessor);
	add_host_flags(j, &w);
	add_phase(j, &w, to);
	nvcc_word(&w, &j->a, source);
	return nvcc_tool(j, &w, e);
}

static int both_passes(struct nvcc_job *j, const char *source, const char *ptx, const char *to, struct err *e)
{
	const char *included = arena_printf(&j->a, "%s.included", ptx);
	int status = device_pass(j, source, ptx, included, e);
	bool managed = false;

	if (!status)
		status = nvcc_has_managed(j, source, included, &managed, e);
	if (!status)
		status = host_pass(j, source, ptx, managed, to, e);
	return status || !j->separate ? status : nvcc_share_variables(j, ptx, to, e);
}

int nvcc_compile(struct nvcc_job *j, const char *source, const char *ptx, const char *to, struct err *e)
{
	if (nvcc_kind(j, source) != NVCC_CUDA)
		return other_source(j, source, to, e);
	if (j->phase == NVCC_PREPROCESS || j->phase == NVCC_DEPENDENCIES) /* as either pass has it */
		return host_pass(j, source, NULL, true, to, e);
	if (nvcc_device_alone(j))
		return device_pass(j, source, ptx, NULL, e);
	return both_passes(j, source, ptx, to, e);
}
