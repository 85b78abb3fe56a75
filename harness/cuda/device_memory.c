/* Allocations: buffers of the host program's memory, with what each is for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/device.h"
#include "cuda/device_released.h"
#include "cuda/include/driver_types.h"
#include "ptx/heap.h"

uint64_t device_memory_bytes(const struct machine *m)
{
	return (uint64_t)m->device.memory_mib << 20;
}

static void set_kind(struct device *d, unsigned buffer, enum wire_memory kind)
{
	if (buffer >= d->cap_kinds) {
		uint32_t cap = 2 * buffer + 64;

		d->kind = xrealloc(d->kind, cap);
		memset(d->kind + d->cap_kinds, WIRE_VARIABLE_MEMORY, cap - d->cap_kinds);
		d->cap_kinds = cap;
	}
	d->kind[buffer] = (uint8_t)kind;
}

/* Of variables of modules, nothing was noted. */
static enum wire_memory kind_of(const struct device *d, unsigned buffer)
{
	return buffer < d->cap_kinds ? (enum wire_memory)d->kind[buffer] : WIRE_VARIABLE_MEMORY;
}

enum wire_memory device_kind_at(const struct device *d, uint64_t addr)
{
	int i = memory_find(host_memory(d->host), addr);

	return i < 0 ? WIRE_VARIABLE_MEMORY : kind_of(d, (unsigned)i);
}

void device_set_managed(struct device *d, uint64_t addr)
{
	int i = memory_find(host_memory(d->host), addr);

	if (i >= 0)
		set_kind(d, (unsigned)i, WIRE_MANAGED_VARIABLE);
}

/* A buffer of that kind and size that was given back, or a new one. Its number, or -1. */
static int take(struct device *d, enum wire_memory kind, uint64_t bytes)
{
	static const char *const what[] = {"device", "pinned", "managed"};
	struct memory *m = host_memory(d->host);
	int64_t again = device_released_take(d->released, kind, bytes);
	struct err ignored = {""};
	char name[64];

	if (again >= 0) {
		memory_revive(m, (unsigned)again);
		return (int)again;
	}
	snprintf(name, sizeof name, "%s%" PRIu32, what[kind], m->n);
	return host_alloc(d->host, name, bytes, &ignored) ? (int)m->n - 1 : -1;
}

/* No two launches run at the same time if the program has allocated or freed memory between them (CUDA C++ Programming
 * Guide, "Implicit Synchronization"), but by a stream's own order. */
static void pass_memory(struct device *d, const uint64_t *a)
{
	if (a[3])
		device_pass(d, a[2], false);
	else
		streams_sync(d->streams);
}

int device_alloc(struct device *d, struct device_call *c)
{
	uint64_t bytes = c->head.a[0], kind = c->head.a[1];
	struct memory *m = host_memory(d->host);
	int i;

	if (kind > WIRE_MANAGED || !bytes)
		return cudaErrorInvalidValue;
	if (kind != WIRE_HOST && bytes > device_memory_bytes(d->program->machine) - d->in_use)
		return cudaErrorMemoryAllocation;
	i = take(d, (enum wire_memory)kind, bytes);
	if (i < 0)
		return cudaErrorMemoryAllocation;
	pass_memory(d, c->head.a);
	set_kind(d, (unsigned)i, (enum wire_memory)kind);
	if (kind != WIRE_HOST)
		d->in_use += bytes;
	c->answer.r[0] = m->buffer[i].base;
	return cudaSuccess;
}

/* cudaFree takes managed memory too. */
int device_release(struct device *d, struct device_call *c)
{
	struct memory *m = host_memory(d->host);
	int i = memory_find(m, c->head.a[0]);
	enum wire_memory kind = device_kind_at(d, c->head.a[0]);
	bool pinned = c->head.a[1] == WIRE_HOST;

	if (kind >= WIRE_VARIABLE_MEMORY || m->buffer[i].base != c->head.a[0] || (kind == WIRE_HOST) != pinned)
		return cudaErrorInvalidValue;
	pass_memory(d, c->head.a);
	c->answer.r[0] = kind == WIRE_DEVICE ? 0 : m->buffer[i].size;
	if (kind != WIRE_HOST)
		d->in_use -= m->buffer[i].size;
	memory_release(m, (unsigned)i);
	device_released_put(&d->released, kind, m->buffer[i].size, (uint32_t)i);
	return cudaSuccess;
}

int device_pointer(struct device *d, struct device_call *c)
{
	const struct memory *m = host_memory(d->host);
	int i = memory_find(m, c->head.a[0]);

	if (i < 0)
		return cudaErrorInvalidValue;
	c->answer.r[0] = kind_of(d, (unsigned)i);
	c->answer.r[1] = m->buffer[i].base;
	c->answer.r[2] = m->buffer[i].size;
	return cudaSuccess;
}

/* Modules with their buffers are there before a program can say how much it needs. */
int device_heap(struct device *d, struct device_call *c)
{
	uint64_t bytes = c->head.a[0];
	struct err ignored = {""};

	if (bytes > device_memory_bytes(d->program->machine) - d->in_use)
		return cudaErrorMemoryAllocation;
	if (bytes && host_set_heap(d->host, bytes, &ignored) != 0)
		return cudaErrorMemoryAllocation;
	d->heap = bytes ? bytes : d->heap;
	c->answer.r[0] = d->heap ? d->heap : HEAP_BYTES;
	return cudaSuccess;
}
