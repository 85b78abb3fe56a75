/* Machine files and --set. Leading lines "set KEY=VALUE" are settings, the rest is the file; `base: gtx480` finds that
 * machine. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "machine/machine.h"

static const char *skip_settings(const char *at)
{
	while (!strncmp(at, "set ", 4)) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return at;
}

static int apply_settings(struct machine *m, char *at, struct err *e)
{
	while (!strncmp(at, "set ", 4)) {
		char *line = strsep(&at, "\n");

		if (machine_set(m, line + 4, e))
			return -1;
		if (!at)
			break;
	}
	return machine_resolve(m, e);
}

void fuzz_machine(const uint8_t *data, size_t n)
{
	static bool ready;
	char *text = fuzz_text(data, n);
	const char *file = skip_settings(text);
	struct err e = {""};
	struct machine m;

	if (!ready)
		files_put_copy("machines/gtx480.yaml", "csim/machines/gtx480.yaml");
	ready = true;
	files_put("m.yaml", file, n - (size_t)(file - text));
	if (machine_load(&m, "m.yaml", "machines", &e) || apply_settings(&m, text, &e)) {
		fuzz_told(&e);
	} else {
		json_decref(machine_json(&m));
		machine_print(&m, fuzz_sink());
		REQUIRE(m.clock.ticks_per_us && machine_cache_sets(&m.l1.c) && machine_cache_sets(&m.l2.c));
	}
	free(text);
}
