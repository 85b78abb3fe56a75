/* Variables that units share (-rdc). clang keeps the host's side of each __device__ and __constant__ variable to its
 * object, as whole-program compilation wants it; with -rdc another unit may name it (extern __device__, then
 * cudaMemcpyToSymbol). So the symbols of those that the PTX shows to other units are made global in the object.
 *
 * The PTX shows static variables too, for the runtime. Their mangled names tell them: an L ahead of the last part, an
 * unnamed namespace, or a function around them (Itanium C++ ABI, "Mangling"; L is what gcc and clang add).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/infile.h"
#include "nvcc/nvcc.h"
#include "process/output.h"

/* "_ZN1a1bL1cE": the parts between N and E, each behind its length. */
static bool has_static_part(const char *name)
{
	const char *p = name + strlen("_ZN");

	while (isdigit((unsigned char)*p)) {
		char *text;
		unsigned long n = strtoul(p, &text, 10);

		if (n > strlen(text))
			return false;
		p = text + n;
	}
	return *p == 'L';
}

static bool is_of_one_unit(const char *name)
{
	if (!strncmp(name, "_ZL", 3) || !strncmp(name, "_ZZ", 3) || strstr(name, "12_GLOBAL__N_1"))
		return true;
	return !strncmp(name, "_ZN", 3) && has_static_part(name);
}

/* ".visible .global .align 4 .b8 name[12] = ..." of a line; NULL: it is none. */
static const char *variable_of(char *line)
{
	const char *name;

	if (strncmp(line, ".visible .global ", 17) != 0 && strncmp(line, ".visible .const ", 16) != 0)
		return NULL;
	line[strcspn(line, "[=;\n")] = '\0';
	for (size_t n = strlen(line); n && line[n - 1] == ' '; n--)
		line[n - 1] = '\0';
	name = strrchr(line, ' ') + 1;
	return is_of_one_unit(name) ? NULL : name;
}

/* Writes the names, one a line. Their number, or -1. */
static int list_variables(const char *ptx, const char *list, struct err *e)
{
	FILE *in = infile_open(ptx, INFILE_MOST, e);
	struct output out = {0};
	char *line = NULL;
	size_t room = 0;
	int n = 0;

	if (!in || output_open(&out, list, e) != 0) {
		if (in)
			fclose(in);
		return -1;
	}
	while (getline(&line, &room, in) > 0) {
		const char *name = variable_of(line);

		if (name)
			n += fprintf(out.f, "%s\n", name) > 0;
	}
	free(line);
	fclose(in);
	return output_keep(&out, e) ? -1 : n;
}

int nvcc_share_variables(struct nvcc_job *j, const char *ptx, const char *object, struct err *e)
{
	const char *list = arena_printf(&j->a, "%s.shared", ptx);
	struct nvcc_words w = {NULL, 0, 0};
	int n = j->dry_run ? 1 : list_variables(ptx, list, e);

	if (n <= 0)
		return n;
	nvcc_word(&w, &j->a, "objcopy");
	nvcc_word(&w, &j->a, arena_printf(&j->a, "--globalize-symbols=%s", list));
	nvcc_word(&w, &j->a, object);
	return nvcc_tool(j, &w, e);
}
