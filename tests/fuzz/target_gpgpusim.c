/* Option files of GPGPU-Sim, as two parts between lines of "%%%%": gpgpusim.config and the interconnect's. What is
 * imported is written, and of one input in sixteen, as it takes longer than the import, read back as the same
 * machine. */
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "machine/gpgpusim/import.h"

/* The machines of GPGPU-Sim's are gtx480 here: to read theirs, of two and three files, takes longer than the import. */
static void put_machines(void)
{
	static const char *const names[] = {"gtx480", "gtx480-gs4", "titanx-gs4", "titanv-gs4"};
	char to[64];

	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		snprintf(to, sizeof to, "machines/%s.yaml", names[i]);
		files_put_copy(to, "csim/machines/gtx480.yaml");
	}
}

static bool is_read_back(const uint8_t *data, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = 31 * sum + data[i];
	return (sum ^ sum >> 16) % 16 == 0;
}

static void read_back(const struct gpgpusim_import *i)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct err e = {""};
	struct machine m;
	json_t *is, *was;

	gpgpusim_import_write(i, f);
	fclose(f);
	files_put("out.yaml", text, n);
	REQUIRE(machine_load(&m, "out.yaml", "machines", &e) == 0 && machine_resolve(&m, &e) == 0);
	is = machine_json(&m);
	was = machine_json(gpgpusim_import_machine(i));
	REQUIRE(json_equal(is, was));
	json_decref(is);
	json_decref(was);
	free(text);
}

void fuzz_gpgpusim(const uint8_t *data, size_t n)
{
	static bool ready;
	struct gpgpusim_request r = {.config = "gpgpusim.config", .machines_dir = "machines"};
	struct gpgpusim_import *i;
	struct err e = {""};
	const uint8_t *part[2];
	size_t size[2];

	if (!ready)
		put_machines();
	ready = true;
	fuzz_parts(data, n, 2, part, size);
	files_put("gpgpusim.config", part[0], size[0]);
	files_put("net.icnt", part[1], size[1]);
	r.icnt = size[1] ? "net.icnt" : NULL;
	i = gpgpusim_import(&r, &e);
	if (i) {
		if (is_read_back(data, n))
			read_back(i);
		gpgpusim_import_list(i, fuzz_sink());
	} else {
		fuzz_told(&e);
	}
	gpgpusim_import_free(i);
}
