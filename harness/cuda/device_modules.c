/* Modules, and what the program calls its parts. A module without PTX, or with PTX that cannot be read, is kept as what
 * it is: a program may carry kernels that it never launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/device.h"
#include "cuda/device_tables.h"
#include "cuda/fatbin.h"
#include "cuda/include/driver_types.h"

enum { MAX_MODULES = 1 << 16 };

static struct device_module *new_module(struct device *d)
{
	if (d->n_modules == d->cap_modules) {
		d->cap_modules = d->cap_modules ? 2 * d->cap_modules : 16;
		d->module = xrealloc(d->module, d->cap_modules * sizeof *d->module);
	}
	d->module[d->n_modules] = (struct device_module){.module = -1};
	return &d->module[d->n_modules++];
}

/* "sm_86" of the text's .target; 0: it has none. */
static uint32_t target_of(const char *ptx)
{
	const char *target = strstr(ptx, ".target sm_");

	return target ? (uint32_t)strtoul(target + strlen(".target sm_"), NULL, 10) : 0;
}

static void warn_newer(const char *module, uint32_t sm, uint32_t capability)
{
	struct err e = {""};

	err_set(&e, "%s: its PTX is for compute capability %u.%u; the machine has %u.%u, and runs it", module, sm / 10, sm % 10,
		capability / 10, capability % 10);
	device_report(&e);
}

static int read_ptx(struct device *d, struct device_call *c, struct device_module *m, struct err *e)
{
	struct fatbin_ptx ptx;
	char name[64];
	int rc;

	/* A text ends in the zero byte that is behind it. */
	if (fatbin_read(c->bytes, (size_t)c->head.bytes + 1, d->program->machine->device.capability, d->program->max_unpacked, &ptx,
			e) != 0)
		return -1;
	snprintf(name, sizeof name, "module %u of %.40s", d->n_modules - 1, d->program->name);
	if (ptx.is_newer)
		warn_newer(name, ptx.sm, d->program->machine->device.capability);
	m->sm = ptx.sm ? ptx.sm : target_of(ptx.text);
	rc = host_module_text(d->host, ptx.text, strlen(ptx.text), arena_strdup(&d->arena, name), e);
	free(ptx.text);
	if (rc == 0)
		m->module = (int)host_n_modules(d->host) - 1;
	return rc;
}

int device_open_module(struct device *d, struct device_call *c)
{
	struct err e = {""};
	struct device_module *m;

	if (d->n_modules == MAX_MODULES)
		return cudaErrorMemoryAllocation;
	c->answer.r[0] = d->n_modules;
	m = new_module(d);
	if (!c->head.bytes)
		err_set(&e, "a fat binary of this program is empty, or larger than 256 MB");
	else if (read_ptx(d, c, m, &e) == 0)
		return cudaSuccess;
	m->why = arena_strdup(&d->arena, e.text);
	c->answer.bytes = (uint32_t)strlen(m->why);
	c->out = xmalloc(c->answer.bytes + 1);
	memcpy(c->out, m->why, c->answer.bytes);
	return cudaErrorInvalidKernelImage;
}

/* The name behind a call; NULL: it is none. The text ends in a zero byte. */
static const char *name_of(struct device *d, const struct device_call *c)
{
	const char *name = (const char *)c->bytes;

	return c->head.a[0] < d->n_modules && c->head.bytes && c->head.bytes <= WIRE_MAX_NAME && strlen(name) == c->head.bytes
		       ? name
		       : NULL;
}

static const struct ptx_module *ptx_of(const struct device *d, unsigned module)
{
	return d->module[module].module < 0 ? NULL : host_ptx(d->host, (unsigned)d->module[module].module);
}

/* One of a module that could not be read is kept for what its launch is to be told. */
int device_name_function(struct device *d, struct device_call *c)
{
	const char *name = name_of(d, c);
	unsigned module = (unsigned)c->head.a[0];
	const struct ptx_module *ptx = name ? ptx_of(d, module) : NULL;

	if (!name || (ptx && !ptx_kernel_named(ptx, name)))
		return cudaErrorInvalidDeviceFunction;
	device_function_set(d, c->head.a[1], module, name);
	return ptx ? cudaSuccess : cudaErrorInvalidKernelImage;
}

int device_name_variable(struct device *d, struct device_call *c)
{
	const char *name = name_of(d, c);
	const struct ptx_module *ptx = name ? ptx_of(d, (unsigned)c->head.a[0]) : NULL;
	struct device_variable v = {.key = c->head.a[1]};

	v.at = ptx ? ptx_variable(ptx, name, &v.bytes) : 0;
	if (!v.at)
		return cudaErrorInvalidSymbol;
	device_variable_set(d, &v);
	if (c->head.a[2])
		device_set_managed(d, v.at);
	return cudaSuccess;
}

int device_symbol(struct device *d, struct device_call *c)
{
	const struct device_variable *v = device_variable_get(d, c->head.a[0]);

	if (!v || v->reference)
		return cudaErrorInvalidSymbol;
	c->answer.r[0] = v->at;
	c->answer.r[1] = v->bytes;
	return cudaSuccess;
}
