/* The time of events: copies by the machine's PCIe, kernels by the cycle model. A moment is how long copies have taken,
 * and how many launches were recorded. The model is asked when a program wants to know how long something took, and not
 * before: it then runs all that was recorded so far, as it will again when the program has ended, so that the times are
 * those of that run. */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "cuda/device.h"
#include "cuda/include/driver_types.h"

int device_time(struct device *d, struct device_call *c)
{
	c->answer.r[0] = (uint64_t)d->busy_ns;
	c->answer.r[1] = d->program->recorded;
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

/* When launch n - 1 ended. */
static double end_of(const struct device *d, uint64_t n)
{
	return n ? d->end_ns[n - 1] : 0;
}

int device_elapsed(struct device *d, struct device_call *c)
{
	const uint64_t *a = c->head.a;
	uint64_t copies = a[2] - a[0]; /* of the program, which may say anything */
	struct err e = {""};

	if (a[1] > d->program->recorded || a[3] > d->program->recorded)
		return cudaErrorInvalidResourceHandle;
	if (!d->program->time) {
		if (!d->told && a[1] != a[3])
			fprintf(stderr,
				"locus: the times of events are those of copies alone; with --time eager, of kernels too\n");
		d->told |= a[1] != a[3];
		c->answer.r[0] = copies;
		return cudaSuccess;
	}
	if ((a[1] > d->n_timed || a[3] > d->n_timed) && run_model(d, &e) != 0) {
		device_tell(&e);
		return cudaErrorLaunchFailure;
	}
	c->answer.r[0] = copies + (uint64_t)(int64_t)(end_of(d, a[3]) - end_of(d, a[1]));
	return cudaSuccess;
}
