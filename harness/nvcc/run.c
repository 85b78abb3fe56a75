/* The steps of a build: what is made of each input, where it goes, what is done with all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/infile.h"
#include "base/files/scratch.h"
#include "nvcc/nvcc.h"
#include "process/interrupt.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *extension(const char *path)
{
	const char *dot = strrchr(base_name(path), '.');

	return dot ? dot + 1 : "";
}

enum nvcc_kind nvcc_kind(const struct nvcc_job *j, const char *path)
{
	static const struct {
		const char *extension;
		enum nvcc_kind kind;
	} kinds[] = {{"cu", NVCC_CUDA}, {"c", NVCC_C},	 {"cc", NVCC_CXX},   {"cpp", NVCC_CXX},
		     {"cxx", NVCC_CXX}, {"C", NVCC_CXX}, {"cppm", NVCC_CXX}, {"ii", NVCC_CXX}};

	if (j->language)
		return !strcmp(j->language, "cu") ? NVCC_CUDA : !strcmp(j->language, "c") ? NVCC_C : NVCC_CXX;
	for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (!strcmp(extension(path), kinds[i].extension))
			return kinds[i].kind;
	return NVCC_OBJECT;
}

/* x.o, x.ptx or x.fatbin of dir/x.cu, in the working folder. */
static const char *beside(struct nvcc_job *j, const char *source, const char *ending)
{
	const char *name = base_name(source), *dot = strrchr(name, '.');

	return arena_printf(&j->a, "%.*s.%s", dot ? (int)(dot - name) : (int)strlen(name), name, ending);
}

/* -dlink makes an object that has nothing to do: units are joined when they are loaded. */
static int device_link(struct nvcc_job *j, struct err *e)
{
	struct nvcc_words w = {NULL, 0, 0};
	const char *const argv[] = {"gcc", "-x", "c", "-c", "/dev/null", "-o", j->output ? j->output : "a_dlink.o"};

	for (unsigned i = 0; i < sizeof argv / sizeof argv[0]; i++)
		nvcc_word(&w, &j->a, argv[i]);
	return nvcc_tool(j, &w, e);
}

static const char *result_of(struct nvcc_job *j, const char *source, const char *dir, unsigned i)
{
	switch (j->phase) {
	case NVCC_COMPILE:
		return j->output ? j->output : beside(j, source, "o");
	case NVCC_PTX:
	case NVCC_FATBIN:
	case NVCC_PREPROCESS:
	case NVCC_DEPENDENCIES:
		return j->output;
	default:
		return arena_printf(&j->a, "%s/%u.o", dir, i);
	}
}

/* ---- headers of CUDA's libraries that are not there ---- */

static const struct {
	const char *begins, *advice;
} libraries[] = {
	{"thrust/", "Thrust: install libthrust-dev and libcub-dev, or name its folder with -I"},
	{"cub/", "CUB: install libcub-dev, or name its folder with -I"},
	{"cuda/", "libcu++: name its folder with -I (CCCL's libcudacxx/include)"},
	{"nv/", "libcu++: name its folder with -I (CCCL's libcudacxx/include)"},
	{"cublas", "cuBLAS: NVIDIA's library has no PTX, so that its kernels cannot run on Locus"},
	{"cufft", "cuFFT: NVIDIA's library has no PTX, so that its kernels cannot run on Locus"},
	{"cusparse", "cuSPARSE: NVIDIA's library has no PTX, so that its kernels cannot run on Locus"},
	{"cusolver", "cuSOLVER: NVIDIA's library has no PTX, so that its kernels cannot run on Locus"},
	{"cudnn", "cuDNN: NVIDIA's library has no PTX, so that its kernels cannot run on Locus"},
	{"curand.h", "cuRAND's host interface is not there; curand_kernel.h is"},
	{"nvtx3/", "NVTX: name its folder with -I, or leave the marks out"},
	{"cutlass/", "CUTLASS: name its folder with -I"},
};

static bool is_there(const struct nvcc_job *j, const char *header)
{
	const char *const usual[] = {"/usr/include", "/usr/local/include"};
	const struct nvcc_words *w = &j->preprocessor;
	char path[4096];
	bool found = false;

	for (unsigned i = 0; i < w->n && !found; i++) {
		const char *folder = strncmp(w->word[i], "-I", 2) ? w->word[i] : w->word[i] + 2;

		snprintf(path, sizeof path, "%s/%s", folder, header);
		found = access(path, F_OK) == 0;
	}
	for (unsigned i = 0; i < sizeof usual / sizeof usual[0] && !found; i++) {
		snprintf(path, sizeof path, "%s/%s", usual[i], header);
		found = access(path, F_OK) == 0;
	}
	return found;
}

/* After the compiler's errors: what to do about a header that the source includes and that is not there. */
static void advise(const struct nvcc_job *j, const char *source)
{
	char line[1024], header[256];
	bool told = false;
	FILE *f = infile_open(source, INFILE_MOST, NULL);

	while (f && !told && fgets(line, sizeof line, f)) {
		if (sscanf(line, " # include <%255[^>]>", header) != 1 && sscanf(line, " # include \"%255[^\"]\"", header) != 1)
			continue;
		for (unsigned i = 0; i < sizeof libraries / sizeof libraries[0] && !told; i++) {
			if (strncmp(header, libraries[i].begins, strlen(libraries[i].begins)) != 0 || is_there(j, header))
				continue;
			fprintf(stderr, "locus nvcc: <%s> is not found. %s\n", header, libraries[i].advice);
			told = true;
		}
	}
	if (f)
		fclose(f);
}

static int compile(struct nvcc_job *j, unsigned i, const char *dir, struct nvcc_words *objects, struct err *e)
{
	const char *source = j->inputs.word[i], *to = result_of(j, source, dir, i);
	const char *ptx = arena_printf(&j->a, "%s/%u.ptx", dir, i);
	int status;

	if (source[0] == '-' || nvcc_kind(j, source) == NVCC_OBJECT) {
		nvcc_word(objects, &j->a, source);
		return 0;
	}
	if (nvcc_device_alone(j) && nvcc_kind(j, source) != NVCC_CUDA)
		return err_set(e, "%s: has no device code (-x cu says that it has)", source);
	if (nvcc_device_alone(j))
		ptx = j->output ? j->output : beside(j, source, j->phase == NVCC_PTX ? "ptx" : "fatbin");
	nvcc_word(objects, &j->a, to);
	status = nvcc_compile(j, source, ptx, to, e);
	if (status > 0)
		advise(j, source);
	return status;
}

static int all(struct nvcc_job *j, const char *dir, struct err *e)
{
	struct nvcc_words objects = {NULL, 0, 0};
	int status = 0;

	for (unsigned i = 0; i < j->inputs.n && !status; i++)
		status = compile(j, i, dir, &objects, e);
	if (!status && (j->phase == NVCC_LINK || j->phase == NVCC_LIBRARY))
		status = nvcc_link(j, &objects, e);
	return status;
}

/* Programs read it: "release 12.4". */
static void version(void)
{
	puts("nvcc: locus nvcc, CUDA C++ by clang-14 for Locus\nCuda compilation tools, release 12.4, V12.4.131");
}

int nvcc_run(struct nvcc_job *j, struct err *e)
{
	const char *tmp = getenv("TMPDIR");
	struct scratch work;
	int status;

	if (j->phase == NVCC_VERSION) {
		version();
		return 0;
	}
	if (j->phase == NVCC_DEVICE_LINK)
		return device_link(j, e);
	tmp = tmp && tmp[0] ? tmp : "/tmp";
	interrupt_hold();
	scratch_collect(tmp);
	status = scratch_open(&work, tmp, e);
	if (!status) {
		status = all(j, work.path, e);
		scratch_close(&work);
	}
	interrupt_release();
	return status;
}
