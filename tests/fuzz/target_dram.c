/* Requests for `locus dram`. The first byte chooses the bytes of one, and a scheduler, the rest is the trace. */
#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "machine/machine.h"
#include "replay/dram_trace.h"

static const struct machine *machine(bool fcfs)
{
	static struct machine m[2];
	static bool ready;
	struct err e;

	if (!ready) {
		files_put_copy("machines/gtx480.yaml", "csim/machines/gtx480.yaml");
		for (int i = 0; i < 2; i++)
			REQUIRE(machine_load(&m[i], "machines/gtx480.yaml", "machines", &e) == 0 &&
				machine_set(&m[i], i ? "dram.sched=fcfs" : "dram.queue=64", &e) == 0 &&
				machine_resolve(&m[i], &e) == 0);
	}
	ready = true;
	return &m[fcfs];
}

/* Requests end in the order of the trace's lines, after they came. */
static void look(void *last, const struct dram_trace_request *r)
{
	REQUIRE(r->line > *(uint64_t *)last);
	REQUIRE(r->arrived <= r->accepted && r->accepted < r->done);
	*(uint64_t *)last = r->line;
}

void fuzz_dram(const uint8_t *data, size_t n)
{
	struct dram_trace_counts count;
	struct dram_trace *t;
	struct err e = {""};
	uint64_t last = 0;
	FILE *f;

	if (n < 2)
		return;
	f = fmemopen((void *)(uintptr_t)(data + 1), n - 1, "r");
	t = dram_trace_open(machine(data[0] & 1), data[0] & 2 ? 0 : 128, look, &last);
	REQUIRE(f && t);
	if (dram_trace_read(t, f, "t.requests", &e))
		fuzz_told(&e);
	count = dram_trace_end(t);
	REQUIRE(count.end >= count.first && count.most <= count.read_cycles);
	dram_trace_close(t);
	fclose(f);
}
