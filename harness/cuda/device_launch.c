/* Kernels: what they are, and their launches. A launch that cannot be is refused with CUDA's error and a line on
 * stderr; a kernel that fails ends the device's work for this program, as on a GPU. A kernel that prints is waited for,
 * so that its text is in its place among the program's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/device.h"
#include "cuda/device_tables.h"
#include "cuda/include/driver_types.h"
#include "cuda/kernel_choice.h"
#include "machine/occupancy.h"

enum { MAX_THREADS = 1024 };

const struct ptx_kernel *device_kernel_of(struct device *d, uint64_t key, unsigned *module, int *error)
{
	const struct device_function *f = device_function_get(d, key);
	const struct device_module *m = f ? &d->module[f->module] : NULL;

	*error = cudaErrorInvalidDeviceFunction;
	if (!f)
		return NULL;
	if (m->module < 0) {
		struct err e = {""};

		*error = cudaErrorNoKernelImageForDevice;
		err_set(&e, "kernel %s: %s", f->name, m->why);
		device_report(&e);
		return NULL;
	}
	*module = (unsigned)m->module;
	*error = cudaSuccess;
	return ptx_kernel_named(host_ptx(d->host, *module), f->name);
}

int device_kernel(struct device *d, struct device_call *c)
{
	unsigned module;
	int error;
	const struct ptx_kernel *k = device_kernel_of(d, c->head.a[0], &module, &error);
	const struct trace_kernel *t = k ? ptx_trace_kernel(k) : NULL;
	struct wire_kernel w;
	struct wire_param *p;

	if (!k)
		return error;
	if (ptx_n_params(k) > WIRE_MAX_PARAMS)
		return cudaErrorInvalidDeviceFunction;
	w = (struct wire_kernel){.n_params = ptx_n_params(k),
				 .param_bytes = ptx_param_bytes(k),
				 .registers = t->regs_per_thread,
				 .shared_bytes = t->shared_bytes,
				 .local_bytes = t->local_bytes,
				 .max_threads = ptx_max_threads(k),
				 .ptx_version = d->module[device_function_get(d, c->head.a[0])->module].sm};
	c->answer.bytes = (uint32_t)(sizeof w + w.n_params * sizeof *p);
	c->out = xmalloc(c->answer.bytes);
	memcpy(c->out, &w, sizeof w);
	p = (struct wire_param *)(void *)(c->out + sizeof w);
	for (unsigned i = 0; i < w.n_params; i++) {
		struct ptx_param is = ptx_param_at(k, i);

		p[i] = (struct wire_param){is.offset, is.bytes};
	}
	return cudaSuccess;
}

static int occupancy(const struct device *d, const struct ptx_kernel *k, uint64_t threads, uint64_t shared, struct occupancy *o,
		     struct err *e)
{
	struct trace_launch l = {.block = {(uint32_t)threads, 1, 1},
				 .grid = {1, 1, 1},
				 .n_ctas = 1,
				 .dynamic_shared_bytes = (uint32_t)shared,
				 .warps_per_cta = (uint32_t)((threads + TRACE_WARP_SIZE - 1) / TRACE_WARP_SIZE)};

	return occupancy_of(d->program->machine, ptx_trace_kernel(k), &l, o, e);
}

int device_resident(struct device *d, struct device_call *c)
{
	uint64_t threads = c->head.a[1], shared = c->head.a[2];
	struct err e = {""};
	struct occupancy o;
	unsigned module;
	int error;
	const struct ptx_kernel *k = device_kernel_of(d, c->head.a[0], &module, &error);

	if (!k)
		return error;
	if (threads && threads <= MAX_THREADS && shared <= UINT32_MAX && occupancy(d, k, threads, shared, &o, &e) == 0)
		c->answer.r[0] = o.ctas;
	return cudaSuccess;
}

/* ---- launches ---- */

static bool fits_32(const uint64_t *a, unsigned n)
{
	while (n--)
		if (a[n] > UINT32_MAX)
			return false;
	return true;
}

static int check(struct device *d, const struct ptx_kernel *k, const struct ptx_launch *l, bool cooperative, struct err *e)
{
	uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
	uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
	struct occupancy o;

	if (!threads || threads > MAX_THREADS || !l->grid[0] || !l->grid[1] || !l->grid[2])
		return cudaErrorInvalidConfiguration;
	if (l->block[0] > MAX_THREADS || l->block[1] > MAX_THREADS || l->block[2] > 64 || l->grid[0] > INT32_MAX ||
	    l->grid[1] > 65535 || l->grid[2] > 65535)
		return cudaErrorInvalidConfiguration;
	if (ptx_check_block(k, l->block, e) < 0)
		return cudaErrorInvalidValue;
	if ((uint64_t)ptx_trace_kernel(k)->shared_bytes + l->dynamic_shared_bytes > d->program->machine->sm.shared_bytes)
		return cudaErrorInvalidValue;
	if (occupancy(d, k, threads, l->dynamic_shared_bytes, &o, e) != 0)
		return cudaErrorLaunchOutOfResources;
	if (cooperative && ctas > (uint64_t)o.ctas * d->program->machine->sm.count)
		return cudaErrorCooperativeLaunchTooLarge;
	return cudaSuccess;
}

/* What went wrong in a kernel, as CUDA names it, by the executor's words for it. */
static int fault_of(const char *text)
{
	const char *kernel = strstr(text, ": kernel "); /* what is before it names files */

	text = kernel ? kernel : text;
	if (strstr(text, "misaligned"))
		return cudaErrorMisalignedAddress;
	if (strstr(text, "assert"))
		return cudaErrorAssert;
	return strstr(text, "0x") ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
}

/* A line of /proc/PID/maps: "from-to ...", in hex. */
static bool maps(const char *line, uint64_t addr)
{
	char *end;
	uint64_t from = strtoull(line, &end, 16);

	return *end == '-' && addr >= from && addr < strtoull(end + 1, NULL, 16);
}

static bool is_mapped(pid_t pid, uint64_t addr)
{
	char path[64], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof line, f))
		found = maps(line, addr);
	if (f)
		fclose(f);
	return found;
}

/* Adds to a kernel's error that the address is one of the host program's memory: it is mapped there, and is not the
 * device's. An error whose place is in the PTX of a module alone says how it would name the source. */
static void explain(const struct cuda_program *p, struct err *e)
{
	const char *at = strstr(e->text, " bytes at 0x");
	uint64_t addr = at ? strtoull(at + strlen(" bytes at "), NULL, 16) : 0;
	bool of_host = at && addr - MEMORY_FIRST_BASE >= MEMORY_WINDOW && is_mapped(p->pid, addr);
	bool in_ptx = !strncmp(e->text, "module ", 7) && strlen(e->text) < sizeof e->text / 2;
	struct err more = {""};

	err_set(&more, "%s%s%s", e->text, of_host ? "; that is memory of the host program, which a kernel cannot reach" : "",
		in_ptx ? " (built with -lineinfo, this line would name the source)" : "");
	*e = more;
}

/* What the kernel printed goes back to the program. */
static void take_printed(struct cuda_program *p, struct device_call *c)
{
	if (fflush(p->printer) != 0 || !p->n_printed || p->n_printed > UINT32_MAX)
		return;
	c->answer.bytes = (uint32_t)p->n_printed;
	c->out = xmalloc(p->n_printed);
	memcpy(c->out, p->printed, p->n_printed);
	rewind(p->printer);
}

static int run(struct device *d, unsigned module, const struct ptx_kernel *k, const struct ptx_launch *l, uint64_t stream)
{
	bool record = kernel_choice_takes(d->program->kernels, ptx_kernel_name(k), d->launches);
	struct err e = {""};
	int rc;

	host_record(d->host, record);
	if (record)
		host_wait_for(d->host, streams_waits(d->streams, device_stream(stream)));
	rc = host_launch_block(d->host, module, k, l, &e);
	if (rc == HOST_REFUSED || rc == HOST_MISREPRESENTED) {
		d->misled |= rc == HOST_MISREPRESENTED;
		device_report(&e);
		return cudaErrorInvalidDeviceFunction;
	}
	d->launches++;
	d->program->executed++;
	d->program->recorded += record;
	if (record)
		streams_launch(d->streams, device_stream(stream));
	else
		streams_pass(d->streams, device_stream(stream));
	if (rc == 0)
		return cudaSuccess;
	d->fault_error = host_was_cut(d->host) ? cudaErrorLaunchTimeout : fault_of(e.text);
	explain(d->program, &e);
	device_report(&e);
	return cudaSuccess; /* it was launched; the calls that follow tell how it went */
}

int device_launch(struct device *d, struct device_call *c)
{
	const uint64_t *a = c->head.a;
	unsigned module;
	int error;
	const struct ptx_kernel *k = device_kernel_of(d, a[0], &module, &error);
	struct err e = {""};
	struct ptx_launch l;

	if (!k)
		return error;
	if (!fits_32(a + 1, 7) || c->head.bytes != ptx_param_bytes(k))
		return cudaErrorInvalidConfiguration;
	l = (struct ptx_launch){.grid = {(uint32_t)a[1], (uint32_t)a[2], (uint32_t)a[3]},
				.block = {(uint32_t)a[4], (uint32_t)a[5], (uint32_t)a[6]},
				.dynamic_shared_bytes = (uint32_t)a[7],
				.params = c->bytes};
	error = check(d, k, &l, a[8] != 0, &e);
	if (e.text[0])
		device_report(&e);
	if (error)
		return error;
	error = run(d, module, k, &l, a[9]);
	take_printed(d->program, c);
	c->answer.r[0] = !ptx_prints(k);
	return error;
}
