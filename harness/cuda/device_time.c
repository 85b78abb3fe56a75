/* What comes after what: streams, events, and the program's own waiting. And the time of events: copies by the
 * machine's PCIe, and the kernels that come before an event by the cycle model. The model is asked when a program wants
 * to know how long something took, and not before: it then runs all that was recorded so far, as it will again when the
 * program has ended, so that the times are those of that run. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "cuda/device.h"
#include "cuda/include/driver_types.h"

struct stream_id device_stream(uint64_t word)
{
	return word >> 1 ? (struct stream_id){word >> 1, word & 1} : STREAM_DEFAULT;
}

void device_pass(struct device *d, uint64_t stream, bool host_waits)
{
	streams_pass(d->streams, device_stream(stream));
	if (host_waits)
		streams_sync_stream(d->streams, device_stream(stream));
}

static void put_in_order(struct streams *s, enum wire_order what, struct stream_id stream, uint64_t event)
{
	switch (what) {
	case WIRE_SYNC:
		streams_sync(s);
		break;
	case WIRE_SYNC_STREAM:
		streams_sync_stream(s, stream);
		break;
	case WIRE_SYNC_EVENT:
		streams_sync_event(s, event);
		break;
	case WIRE_PASS:
		streams_pass(s, stream);
		break;
	case WIRE_RECORD:
		streams_record(s, event, stream);
		break;
	case WIRE_WAIT:
		streams_wait(s, stream, event);
		break;
	case WIRE_DROP_STREAM:
		streams_forget(s, stream.number);
		break;
	case WIRE_DROP_EVENT:
		streams_forget_event(s, event);
		break;
	}
}

int device_order(struct device *d, struct device_call *c)
{
	const uint64_t *a = c->head.a;

	if (a[0] > WIRE_DROP_EVENT)
		return cudaErrorInvalidValue;
	put_in_order(d->streams, (enum wire_order)a[0], device_stream(a[1]), a[2]);
	c->answer.r[0] = (uint64_t)d->busy_ns;
	return cudaSuccess;
}

/* All launches so far, if the model has not run them yet. */
static int run_model(struct device *d, struct err *e)
{
	struct trace *t = host_trace_so_far(d->host, e);
	double *end;

	if (!t)
		return -1;
	end = xcalloc(trace_n_launches(t) + 1u, sizeof *end);
	if (d->program->time(d->program->time_ctx, t, end, e) != 0) {
		free(end);
		return -1;
	}
	free(d->end_ns);
	d->end_ns = end;
	d->n_timed = trace_n_launches(t);
	return 0;
}

/* When all launches that an event comes after had ended. */
static double end_of(const struct device *d, const struct wait_set *event)
{
	double end = 0;

	for (uint32_t i = 0; i < event->below; i++)
		end = end < d->end_ns[i] ? d->end_ns[i] : end;
	for (uint32_t i = 0; i < event->n; i++)
		end = end < d->end_ns[event->at[i]] ? d->end_ns[event->at[i]] : end;
	return end;
}

/* Launches that have to be timed for it. */
static uint32_t launches_of(const struct wait_set *event)
{
	return event->n ? event->at[event->n - 1] + 1 : event->below;
}

int device_elapsed(struct device *d, struct device_call *c)
{
	const uint64_t *a = c->head.a;
	const struct wait_set *from = streams_event(d->streams, a[1]), *to = streams_event(d->streams, a[3]);
	uint64_t copies = a[2] - a[0]; /* of the program, which may say anything */
	struct err e = {""};

	if (!from || !to)
		return cudaErrorInvalidResourceHandle;
	if (!d->program->time) {
		bool kernels = launches_of(from) != launches_of(to);

		if (!d->told && kernels)
			fprintf(stderr,
				"locus: the times of events are those of copies alone; with --time eager, of kernels too\n");
		d->told |= kernels;
		c->answer.r[0] = copies;
		return cudaSuccess;
	}
	if ((launches_of(from) > d->n_timed || launches_of(to) > d->n_timed) && run_model(d, &e) != 0) {
		device_report(&e);
		return cudaErrorLaunchFailure;
	}
	c->answer.r[0] = copies + (uint64_t)(int64_t)(end_of(d, to) - end_of(d, from));
	return cudaSuccess;
}
