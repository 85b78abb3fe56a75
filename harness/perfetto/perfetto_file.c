#include "perfetto/perfetto_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "perfetto/parts.h"

static void add_processes(struct perfetto_trace *t)
{
	const struct session *s = t->session;
	bool on_cpu = s->options->on_cpu;
	char name[PACKETS_NAME];

	t->n_sms = on_cpu ? s->machine.cpu.count : s->machine.sm.count;
	t->sm = xmalloc(t->n_sms * sizeof *t->sm);
	snprintf(name, sizeof name, "launches of %s, 1 us = 1 cycle of %" PRIu32 " MHz", trace_name(s->source.trace),
		 s->machine.clock.mhz[on_cpu ? CLOCK_CPU : CLOCK_CORE]);
	t->launches = packets_process(&t->packets, name);
	if (s->options->interval)
		t->metrics = packets_process(&t->packets, "metrics");
	for (uint32_t i = 0; i < t->n_sms; i++) {
		snprintf(name, sizeof name, on_cpu ? "core %" PRIu32 : "SM %" PRIu32, i);
		t->sm[i] = packets_process(&t->packets, name);
	}
	if (s->options->trace_requests)
		t->memory = packets_process(&t->packets, "memory");
}

static bool write_trace(FILE *to, const struct session *s)
{
	struct perfetto_trace t = {.session = s};
	struct perfetto_counters counters;
	struct perfetto_requests requests;
	struct perfetto_ctas ctas;
	struct perfetto_warps warps;
	bool failed;

	packets_begin(&t.packets, to);
	add_processes(&t);
	perfetto_counters_add(&counters, &t);
	perfetto_ctas_add(&ctas, &t);
	perfetto_warps_add(&warps, &ctas, &t);
	perfetto_requests_add(&requests, &t);
	slices_write(&t.slices, &t.packets, perfetto_counters_write, &counters);
	failed = t.packets.failed;
	perfetto_requests_free(&requests);
	perfetto_ctas_free(&ctas);
	perfetto_counters_free(&counters);
	slices_free(&t.slices);
	packets_free(&t.packets);
	free(t.sm);
	return !failed;
}

int perfetto_file_save(struct output *to, const struct session *s, struct err *e)
{
	if (!to->f)
		return 0;
	errno = 0;
	if (write_trace(to->f, s))
		return output_keep(to, e);
	output_failed(to, e);
	output_drop(to);
	return -1;
}
