/* What a program says of its arrays and kernels (include/annotate/locus_annotate.h), handed on to the functions that
 * workloads call: workload/taf_api.h, workload/ldesc_api.h. What they refuse is told on stderr; the program runs on,
 * and is not timed, since a plan would be made of the rest. */
#include "cuda/device.h"
#include "cuda/include/driver_types.h"
#include "cuda/ldesc_words.h"
#include "workload/ldesc_api.h"
#include "workload/taf_api.h"

struct annotation {
	const uint64_t *word;
	uint32_t n; /* words */
};

static struct host_dim dim(const uint64_t *w)
{
	return (struct host_dim){(uint32_t)w[0], (uint32_t)w[1], (uint32_t)w[2]};
}

/* ---- TAFE ---- */

static int setup(struct device *d, struct annotation a, struct err *e)
{
	return taf_paramSetup(d->host, dim(a.word), dim(a.word + 3), e);
}

static int tid_dep(struct device *d, struct annotation a, struct err *e)
{
	const uint64_t *w = a.word;
	struct taf_tid t = {.c = (uint32_t)w[10], .ofs = (uint32_t)w[11], .n = (uint32_t)w[12]};

	for (int i = 0; i < 6; i++)
		t.m[i] = (uint32_t)w[4 + i];
	return taf_register_tid_dep(d->host, w[0], w[1], (uint32_t)w[2], t, w[3] != 0, e);
}

static int indir(struct device *d, struct annotation a, struct err *e)
{
	const uint64_t *w = a.word;

	return taf_register_indir(d->host, w[0], w[1], (uint32_t)w[2], w[4], (uint32_t)w[5], (uint32_t)w[6], w[3] != 0, e);
}

static int range(struct device *d, struct annotation a, struct err *e)
{
	const uint64_t *w = a.word;

	return taf_register_indir_range(d->host, w[0], w[1], (uint32_t)w[2], w[4], (uint32_t)w[5], w[6], (uint32_t)w[7], w[3] != 0,
					e);
}

static int ready(struct device *d, struct annotation a, struct err *e)
{
	return taf_setRdy(d->host, a.word[0], e);
}

static int reset(struct device *d, struct annotation a, struct err *e)
{
	return taf_reset(d->host, a.word[0], e);
}

static int stored(struct device *d, struct annotation a, struct err *e)
{
	return taf_stored(d->host, a.word[0], a.word[1], e);
}

static int value_insts(struct device *d, struct annotation a, struct err *e)
{
	return host_value_insts(d->host, a.word[0], e);
}

/* A copy that the device has asked to be told of. Rows do not overlap, so that all of it is no more than its span. */
int device_copied(struct device *d, struct device_call *c)
{
	const uint64_t *a = c->head.a, to = a[0], pitch = a[1], slice = a[2], width = a[3], rows = a[4], slices = a[5];
	uint64_t all;

	if (__builtin_mul_overflow(width, rows, &all) || __builtin_mul_overflow(all, slices, &all) || !all ||
	    !memory_at(host_memory(d->host), to, all) || (rows > 1 && pitch < width) || (slices > 1 && slice < width))
		return cudaErrorInvalidValue;
	for (uint64_t z = 0; z < slices; z++)
		for (uint64_t y = 0; y < rows; y++) {
			uint64_t at = to + z * slice + y * pitch;

			if (!memory_at(host_memory(d->host), at, width))
				return cudaErrorInvalidValue;
			taf_copied(d->host, at, width);
		}
	return cudaSuccess;
}

/* ---- the Locality Descriptor ---- */

/* The name of the kernel that the first word stands for. */
static const char *kernel_name(struct device *d, struct annotation a, struct err *e)
{
	unsigned module;
	int error;
	const struct ptx_kernel *k = device_kernel_of(d, a.word[0], &module, &error);

	if (k)
		return ptx_kernel_name(k);
	err_set(e, "ldesc: the function that is described is not a kernel");
	return NULL;
}

enum { GIVEN = 1 + LOCUS_LDESC_WORDS };

static int descriptor(const uint64_t *w, struct ldesc_given *to, struct err *e)
{
	to->base = w[0];
	return ldesc_of_words(w + 1, &to->l) ? 0 : err_set(e, "ldesc: a field of a descriptor is out of range");
}

static int describe(struct device *d, struct annotation a, struct err *e)
{
	const char *kernel = kernel_name(d, a, e);
	struct ldesc_given given;

	if (!kernel || descriptor(a.word + 1, &given, e))
		return -1;
	return ldesc_describe(d->host, kernel, given.base, &given.l, e);
}

static int describe_all(struct device *d, struct annotation a, struct err *e)
{
	const char *kernel = kernel_name(d, a, e);
	struct ldesc_given given[LOCUS_LDESC_MOST];
	uint32_t n = (a.n - 1) / GIVEN;

	if (!kernel)
		return -1;
	if (n > LOCUS_LDESC_MOST || a.n != 1 + n * GIVEN)
		return err_set(e, "ldesc: %s is given more than %d descriptors in one call", kernel, LOCUS_LDESC_MOST);
	for (uint32_t i = 0; i < n; i++)
		if (descriptor(a.word + 1 + i * GIVEN, &given[i], e))
			return -1;
	return ldesc_describe_all(d->host, kernel, n, given, e);
}

static int forget(struct device *d, struct annotation a, struct err *e)
{
	const char *kernel = kernel_name(d, a, e);

	if (!kernel)
		return -1;
	ldesc_forget(d->host, kernel);
	return 0;
}

/* ---- the call ---- */

int device_annotate(struct device *d, struct device_call *c)
{
	static const struct {
		uint32_t words; /* at least */
		int (*answer)(struct device *d, struct annotation a, struct err *e);
	} by_call[LOCUS_CALLS] = {
		[LOCUS_TAF_SETUP] = {6, setup},	       [LOCUS_TAF_TID_DEP] = {13, tid_dep},  [LOCUS_TAF_INDIR] = {7, indir},
		[LOCUS_TAF_RANGE] = {8, range},	       [LOCUS_TAF_READY] = {1, ready},	     [LOCUS_TAF_RESET] = {1, reset},
		[LOCUS_TAF_STORED] = {2, stored},      [LOCUS_TAF_INSTS] = {1, value_insts}, [LOCUS_LDESC] = {1 + GIVEN, describe},
		[LOCUS_LDESC_ALL] = {1, describe_all}, [LOCUS_LDESC_FORGET] = {1, forget},
	};
	struct annotation a = {.word = (const uint64_t *)(const void *)c->bytes, .n = c->head.bytes / (uint32_t)sizeof *a.word};
	uint64_t call = c->head.a[0];
	struct err e = {""};

	if (call >= LOCUS_CALLS)
		return cudaErrorNotSupported;
	if (c->head.bytes % sizeof *a.word || a.n < by_call[call].words)
		return cudaErrorInvalidValue;
	if (by_call[call].answer(d, a, &e) == 0)
		return cudaSuccess;
	device_report(&e);
	d->misled = true;
	return cudaErrorInvalidValue;
}
