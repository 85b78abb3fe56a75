/* One call: which function answers it; what holds for all of them. */
#include "cuda/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "cuda/device_released.h"
#include "cuda/device_tables.h"
#include "cuda/include/driver_types.h"
#include "workload/taf_api.h"

void device_init(struct device *d, struct cuda_program *p, struct host *h)
{
	*d = (struct device){.program = p, .host = h, .streams = streams_new()};
}

void device_free(struct device *d)
{
	device_tables_free(d);
	device_released_free(&d->released);
	free(d->module);
	free(d->kind);
	free(d->end_ns);
	streams_free(d->streams);
	arena_free(&d->arena);
}

void device_report(struct err *e)
{
	fprintf(stderr, "locus: %s\n", utf8_clean(e->text));
}

/* GB/s are bytes a nanosecond. */
static double copy_ns(const struct machine *m, uint64_t bytes)
{
	return (double)m->pcie.latency + (double)bytes / m->pcie.gbps;
}

/* What cudaGetDeviceProperties tells. */
static int hello(struct device *d, struct device_call *c)
{
	const struct machine *m = d->program->machine;
	struct wire_device *w = xcalloc(1, sizeof *w);

	if (c->head.a[0] != WIRE_VERSION) {
		free(w);
		return cudaErrorInsufficientDriver;
	}
	*w = (struct wire_device){.memory_bytes = device_memory_bytes(m),
				  .memory_free = device_memory_bytes(m) - d->in_use,
				  .capability = m->device.capability,
				  .sms = m->sm.count,
				  .warps = m->sm.warps,
				  .ctas = m->sm.ctas,
				  .threads = m->sm.threads,
				  .registers = m->sm.registers,
				  .shared_bytes = m->sm.shared_bytes,
				  .core_khz = m->clock.mhz[CLOCK_CORE] * 1000,
				  .memory_khz = m->clock.mhz[CLOCK_DRAM] * 1000,
				  .l2_bytes = m->l2.enabled ? m->l2.c.bytes * m->l2.slices * m->dram.channels * m->dram.stacks : 0,
				  .l1_enabled = m->l1.enabled};
	/* A column access moves burst_bytes in burst cycles, at two transfers a cycle. */
	w->bus_bits = m->dram.burst_bytes * 8 / (2 * m->dram.burst) * m->dram.channels * m->dram.stacks;
	strncpy(w->name, m->name, sizeof w->name - 1);
	c->out = (uint8_t *)w;
	c->answer.bytes = sizeof *w;
	return cudaSuccess;
}

static enum trace_copy_kind kind_of(bool to_device, bool from_device, bool fills)
{
	return fills ? TRACE_FILL : !from_device ? TRACE_TO_DEVICE : to_device ? TRACE_ON_DEVICE : TRACE_TO_HOST;
}

/* A range of the device's, which must be in one buffer. An empty one is the host's. */
static bool is_range(struct device *d, uint64_t at, uint64_t bytes)
{
	return !bytes || memory_at(host_memory(d->host), at, bytes);
}

/* Pinned memory is the host's, though the device can reach it. */
static bool is_on_device(const struct device *d, uint64_t at, uint64_t bytes)
{
	return bytes && device_kind_at(d, at) != WIRE_HOST;
}

/* What a copy of the program's was, for the record and the sums. */
static void count_copy(struct device *d, const struct trace_copy *c)
{
	struct cuda_copies *counted = &d->program->copies[c->kind];

	counted->n++;
	counted->bytes += c->bytes;
	if (c->kind == TRACE_TO_DEVICE || c->kind == TRACE_TO_HOST) {
		counted->ns += copy_ns(d->program->machine, c->bytes);
		d->busy_ns += copy_ns(d->program->machine, c->bytes);
	}
	host_note_copy(d->host, c);
}

/* Whether a call returns only when the copy is done, and all that is ahead of it on its stream (CUDA Runtime API, "API
 * synchronization behavior"). a: the call's words. */
static bool host_waits(const uint64_t *a, bool to_device, bool from_device)
{
	if (a[7])
		return a[5] || (!to_device && !from_device);
	return !to_device || (!from_device && a[2]);
}

int device_copy(struct device *d, struct device_call *c)
{
	const uint64_t *a = c->head.a;
	bool to_device = is_on_device(d, a[0], a[1]), from_device = is_on_device(d, a[2], a[3]);

	if (!is_range(d, a[0], a[1]) || !is_range(d, a[2], a[3]) || a[4] > MEMORY_WINDOW)
		return cudaErrorInvalidValue;
	device_pass(d, a[6], host_waits(a, to_device, from_device));
	c->answer.r[0] = a[1] && taf_watches(d->host, a[0], a[1]);
	if (to_device || from_device)
		count_copy(d, &(struct trace_copy){.to = to_device ? a[0] : 0,
						   .from = from_device ? a[2] : 0,
						   .bytes = a[4],
						   .kind = kind_of(to_device, from_device, to_device && !a[2])});
	return cudaSuccess;
}

typedef int answer_fn(struct device *d, struct device_call *c);

void device_answer(struct device *d, struct device_call *c)
{
	static answer_fn *const by_op[WIRE_OPS] = {
		[WIRE_HELLO] = hello,
		[WIRE_MODULE] = device_open_module,
		[WIRE_FUNCTION] = device_name_function,
		[WIRE_VARIABLE] = device_name_variable,
		[WIRE_REFERENCE] = device_name_reference,
		[WIRE_KERNEL] = device_kernel,
		[WIRE_LAUNCH] = device_launch,
		[WIRE_ALLOC] = device_alloc,
		[WIRE_FREE] = device_release,
		[WIRE_COPY] = device_copy,
		[WIRE_COPIED] = device_copied,
		[WIRE_SYMBOL] = device_symbol,
		[WIRE_POINTER] = device_pointer,
		[WIRE_RESIDENT] = device_resident,
		[WIRE_VIEW] = device_view,
		[WIRE_DESTROY_VIEW] = device_destroy_view,
		[WIRE_ORDER] = device_order,
		[WIRE_ELAPSED] = device_elapsed,
		[WIRE_HEAP] = device_heap,
		[WIRE_ANNOTATE] = device_annotate,
	};

	answer_fn *by = c->head.op < WIRE_OPS && (!c->ahead || c->head.op == WIRE_LAUNCH) ? by_op[c->head.op] : NULL;

	c->answer = (struct wire_answer){0};
	if (d->fault_error && c->head.op != WIRE_HELLO)
		c->answer.error = d->fault_error;
	else
		c->answer.error = by ? by(d, c) : cudaErrorNotSupported;
	if (c->ahead && c->answer.error)
		d->fault_error = c->answer.error;
}
