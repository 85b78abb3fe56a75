#include "support/monitor_wave.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/set_monitor.h"
#include "lockstep/cosim.h"
#include "support/program.h"
#include "support/vcd.h"

void monitor_wave(const struct monitor_wave *m)
{
	static const struct set_monitor_params params = {.sets = 32, .tag_w = 20, .count_w = 16};
	struct set_monitor_out out;
	struct set_monitor_port port;
	struct cosim_options o;
	struct hw_binder b;
	struct err e = {""};
	struct cosim *c;
	char prefix[128];

	snprintf(prefix, sizeof prefix, "%s/mm", program_tmp());
	cosim_options_init(&o, m->mode);
	o.wave = m->wave;
	o.wave_from = m->from;
	o.wave_to = m->to;
	o.rtl[1] = m->rtl;
	o.bundle_prefix = prefix;
	c = cosim_new(&o);
	b = cosim_binder(c);
	cr_assert_eq(set_monitor_bind(&b, "test", &params, &port, &e), 0, "%s", e.text);
	for (unsigned i = 10; i < 60; i++) {
		struct set_monitor_in in = {.acc_valid = 1, .acc_set = 3, .acc_tag = m->same_tag || (i & 1)};

		if (i < 30 || i >= 40)
			set_monitor_port_step(&port, i + m->later, &in, &out);
	}
	cr_assert_geq(cosim_finish(c, &e), 0, "%s", e.text);
	cosim_free(c);
}

/* Characters, from bits in text. */
static void put_text(const char *bits, size_t n, FILE *f)
{
	unsigned c = 0;

	for (size_t i = 0; i < n; i++) {
		c = c << 1 | (bits[i] == '1');
		if ((n - i - 1) % 8)
			continue;
		if (c)
			fputc((int)c, f);
		c = 0;
	}
}

char *monitor_wave_texts(const char *wave)
{
	char *vcd = vcd_text(wave), id[8], *changes, *texts;
	size_t size;
	FILE *f = open_memstream(&texts, &size);

	vcd_identifier(vcd, "cosim", "transaction", id);
	changes = vcd_changes(vcd, id);
	for (const char *at = changes; *at; at += strcspn(at, "\n") + 1) {
		const char *bits = strchr(at, ' ') + 2;

		fprintf(f, "%.*s ", (int)(bits - 2 - at), at);
		put_text(bits, strspn(bits, "01"), f);
		fputc('\n', f);
	}
	fclose(f);
	free(changes);
	free(vcd);
	return texts;
}
