#include "ptx/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "ptx/heap.h"
#include "ptx/texture.h"

static uint64_t round_up(uint64_t v, uint64_t to)
{
	return (v + to - 1) / to * to;
}

int memory_add(struct memory *m, const char *name, uint64_t size, struct err *e)
{
	uint64_t base = m->n ? m->next_base : MEMORY_FIRST_BASE;
	struct memory_buffer *b;

	if (!size)
		return err_set(e, "buffer %s: size is 0", name);
	if (size > MEMORY_WINDOW || base - MEMORY_FIRST_BASE + size > MEMORY_WINDOW)
		return err_set(e, "buffer %s: %llu bytes exceed the device's %llu bytes in all", name, (unsigned long long)size,
			       (unsigned long long)MEMORY_WINDOW);
	if (m->n == m->cap) {
		m->cap = m->cap ? 2 * m->cap : 16;
		m->buffer = xrealloc(m->buffer, m->cap * sizeof *m->buffer);
	}
	b = &m->buffer[m->n];
	b->bytes = m->window ? m->window + (base - MEMORY_FIRST_BASE) : calloc(1, size);
	if (!b->bytes)
		return err_set(e, "buffer %s: not enough memory for its %llu bytes", name, (unsigned long long)size);
	b->name = xstrdup(name);
	b->base = base;
	b->size = size;
	b->released = false;
	names_add(&m->names, b->name, m->n);
	m->next_base = round_up(base + size + MEMORY_GUARD, m->align > MEMORY_MIN_ALIGN ? m->align : MEMORY_MIN_ALIGN);
	return (int)m->n++;
}

int memory_find(const struct memory *m, uint64_t addr)
{
	unsigned low = 0, high = m->n;

	/* The last buffer whose base is not above addr, if any, is number low - 1 at the end. */
	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (m->buffer[middle].base <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || addr - m->buffer[low - 1].base >= m->buffer[low - 1].size || m->buffer[low - 1].released)
		return -1;
	return (int)(low - 1);
}

void *memory_at(const struct memory *m, uint64_t addr, uint64_t n)
{
	int i = memory_find(m, addr);
	const struct memory_buffer *b;

	if (i < 0)
		return NULL;
	b = &m->buffer[i];
	return n <= b->size - (addr - b->base) ? b->bytes + (addr - b->base) : NULL;
}

void memory_release(struct memory *m, unsigned i)
{
	struct memory_buffer *b = &m->buffer[i];

	b->released = true;
	/* A window's pages go back to the system, and are zero again when they are touched. */
	if (!m->window || madvise(b->bytes, round_up(b->size, MEMORY_GUARD), MADV_REMOVE) != 0)
		memset(b->bytes, 0, b->size);
}

void memory_revive(struct memory *m, unsigned i)
{
	m->buffer[i].released = false;
}

int memory_named(const struct memory *m, const char *name)
{
	return names_find(&m->names, name);
}

void memory_free(struct memory *m)
{
	heap_close(m);
	names_free(&m->names);
	names_free(&m->reference[0]);
	names_free(&m->reference[1]);
	for (unsigned i = 0; i < m->n; i++) {
		free(m->buffer[i].name);
		if (!m->window)
			free(m->buffer[i].bytes);
	}
	for (unsigned i = 0; i < m->n_textures; i++)
		free(m->texture[i].name);
	free(m->texture);
	free(m->buffer);
	*m = (struct memory){0};
}
