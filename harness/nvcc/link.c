/* Links a program, or a library, by the host compiler; packs an archive. */
#include <string.h>
#include <unistd.h>

#include "base/files/root.h"
#include "nvcc/nvcc.h"

/* The folder of the runtime library, which is found again when the program runs. */
static int add_runtime(struct nvcc_job *j, struct nvcc_words *w, struct err *e)
{
	static const char *const names[] = {"-lcudart", "-lpthread", "-ldl", "-lrt", NULL};
	char folder[ROOT_PATH_MAX], library[ROOT_PATH_MAX];

	root_path("build/cuda", folder);
	if (!j->dry_run && access(root_path("build/cuda/libcudart.so", library), R_OK))
		return err_set(e, "%s: is missing (make builds it)", library);
	nvcc_word(w, &j->a, arena_printf(&j->a, "-L%s", folder));
	nvcc_word(w, &j->a, arena_printf(&j->a, "-Wl,-rpath,%s", folder));
	for (const char *const *name = names; *name; name++)
		nvcc_word(w, &j->a, *name);
	return 0;
}

/* Files ahead of libraries, as nvcc has it, whatever the order they were named in. */
static void add_inputs(struct nvcc_job *j, struct nvcc_words *w, const struct nvcc_words *objects)
{
	for (int libraries = 0; libraries < 2; libraries++)
		for (unsigned i = 0; i < objects->n; i++)
			if ((objects->word[i][0] == '-') == libraries)
				nvcc_word(w, &j->a, objects->word[i]);
}

static int program(struct nvcc_job *j, const struct nvcc_words *objects, struct err *e)
{
	struct nvcc_words w = {NULL, 0, 0};

	nvcc_word(&w, &j->a, j->host_program ? j->host_program : "g++");
	if (j->debug)
		nvcc_word(&w, &j->a, "-g");
	nvcc_words(&w, &j->a, &j->host_compiler);
	nvcc_word(&w, &j->a, "-o");
	nvcc_word(&w, &j->a, j->output ? j->output : "a.out");
	nvcc_words(&w, &j->a, &j->linker);
	add_inputs(j, &w, objects);
	if (!j->no_runtime && add_runtime(j, &w, e))
		return -1;
	return nvcc_tool(j, &w, e);
}

static int archive(struct nvcc_job *j, const struct nvcc_words *objects, struct err *e)
{
	struct nvcc_words w = {NULL, 0, 0};

	nvcc_word(&w, &j->a, "ar");
	nvcc_word(&w, &j->a, "rcs");
	nvcc_word(&w, &j->a, j->output ? j->output : "a.a");
	nvcc_words(&w, &j->a, objects);
	return nvcc_tool(j, &w, e);
}

int nvcc_link(struct nvcc_job *j, const struct nvcc_words *objects, struct err *e)
{
	return j->phase == NVCC_LIBRARY ? archive(j, objects, e) : program(j, objects, e);
}
