#include "trace/frame_index.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "trace/trace_impl.h"

static const char name[] = "the index of a trace";

void frame_index_init(struct frame_index *s)
{
	*s = (struct frame_index){.fd = -1};
}

void frame_index_free(struct frame_index *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->held);
	free(s->block);
	frame_index_init(s);
}

static uint64_t n_written(const struct frame_index *s)
{
	return s->n > FRAMES_HELD ? s->n - FRAMES_HELD - s->n_block : 0;
}

static int write_block(struct frame_index *s, struct err *e)
{
	uint64_t at = n_written(s) * sizeof *s->block;

	if (s->fd < 0 && (s->fd = file_nameless(e)) < 0)
		return -1;
	if (file_write_at(s->fd, name, s->block, s->n_block * sizeof *s->block, at, e))
		return -1;
	s->n_block = 0;
	return 0;
}

int frame_index_add(struct frame_index *s, const struct frame *f, struct err *e)
{
	if (s->n < FRAMES_HELD) {
		s->held = trace_grow(s->held, s->n, &s->cap_held, sizeof *s->held);
		s->held[s->n] = *f;
	} else {
		if (!s->block)
			s->block = xmalloc(FRAMES_BLOCK * sizeof *s->block);
		if (s->n_block == FRAMES_BLOCK && write_block(s, e))
			return -1;
		s->block[s->n_block++] = *f;
	}
	s->n++;
	s->sizes.stored += f->stored;
	s->sizes.raw += f->raw;
	s->sizes.in_memory += f->mem ? f->stored : 0;
	return 0;
}

/* Of n from `first` on, those below `end`. */
static uint64_t below(uint64_t first, uint64_t n, uint64_t end)
{
	uint64_t there = first < end ? end - first : 0;

	return n < there ? n : there;
}

int frame_index_read(const struct frame_index *s, uint64_t first, uint64_t n, struct frame *out, struct err *e)
{
	uint64_t in_memory = below(first, n, FRAMES_HELD), in_file;

	PANIC_UNLESS(first <= s->n && n <= s->n - first, "trace: a frame that is not there", first);
	if (in_memory)
		memcpy(out, s->held + first, in_memory * sizeof *out);
	first += in_memory - FRAMES_HELD; /* from here on of those that are not held */
	out += in_memory;
	n -= in_memory;
	if (n == 0)
		return 0;
	in_file = below(first, n, n_written(s));
	if (in_file && file_read_at(s->fd, name, out, in_file * sizeof *out, first * sizeof *out, e))
		return -1;
	if (n > in_file)
		memcpy(out + in_file, s->block + (first + in_file - n_written(s)), (n - in_file) * sizeof *out);
	return 0;
}
