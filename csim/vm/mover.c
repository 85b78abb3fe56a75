#include "vm/mover.h"

#include "base/panic.h"

void mover_init(struct mover *v, struct arena *a, const struct machine *m, const struct mover_ports *port)
{
	uint32_t n = m->vm.migrate_lines;

	*v = (struct mover){.port = *port,
			    .period = m->clock.period[CLOCK_CORE],
			    .line_bytes = m->l2.c.line,
			    .lines = m->vm.page / m->l2.c.line,
			    .pages = n + 1, /* each but the current one has a line in flight */
			    .current = MOVER_NONE,
			    .first = MOVER_NONE,
			    .last = MOVER_NONE};
	v->page = arena_array(a, v->pages, sizeof *v->page);
	v->line = arena_array(a, n, sizeof *v->line);
	for (uint32_t i = 0; i < n; i++)
		v->line[i].next = i + 1 < n ? i + 1 : MOVER_NONE;
}

/* ---- replies ---- */

static void write_later(struct mover *v, uint32_t i)
{
	v->line[i].next = MOVER_NONE;
	if (v->first == MOVER_NONE)
		v->first = i;
	else
		v->line[v->last].next = i;
	v->last = i;
}

static void written(struct mover *v, uint32_t i, struct ticks now)
{
	struct mover_page *p = &v->page[v->line[i].page];

	v->line[i].next = v->free;
	v->free = i;
	v->in_flight--;
	if (--p->left)
		return;
	v->count.pages++;
	*queue_push(v->port.done, ticks_after(now, 1, v->period)) = (struct mover_done){p->move.page};
}

static void take_replies(struct mover *v, struct ticks now)
{
	const struct mem_req *r;

	while ((r = queue_front(v->port.in, now))) {
		if (r->kind == REQ_READ)
			write_later(v, r->token);
		else
			written(v, r->token, now);
		queue_pop(v->port.in, now);
	}
}

/* ---- requests ---- */

static void begin_page(struct mover *v, struct ticks now)
{
	const struct mover_job *j;
	uint32_t i = 0;

	if (v->current != MOVER_NONE || !(j = queue_front(v->port.job, now)))
		return;
	while (v->page[i].left)
		i++;
	PANIC_UNLESS(i < v->pages, "mover", cycles_in(now, v->period));
	v->page[i] = (struct mover_page){.move = j->move, .left = v->lines};
	v->current = i;
	queue_pop(v->port.job, now);
}

static void send(struct mover *v, uint32_t i, enum req_kind kind, struct ticks now)
{
	const struct mover_line *l = &v->line[i];
	const struct pages_move *m = &v->page[l->page].move;
	bool read = kind == REQ_READ;
	struct mem_req r = {.kind = kind,
			    .client = REQ_CLIENT_NOBODY,
			    .token = i,
			    .bytes = (uint16_t)v->line_bytes,
			    .addr = (read ? m->from : m->to) + (uint64_t)l->number * v->line_bytes,
			    .mode = read ? m->from_mode : m->to_mode,
			    .requester = v->port.requester,
			    .buffer = UINT16_MAX};

	for (uint32_t b = 0; !read && b < v->line_bytes; b++)
		r.mask[b / 64] |= UINT64_C(1) << b % 64;
	r.dest = route_destination(&v->port.route, cycles_in(now, v->period), r.addr, r.mode);
	net_send(&v->port.out, now, &r);
}

static void send_write(struct mover *v, struct ticks now)
{
	uint32_t i = v->first;

	send(v, i, REQ_WRITE, now);
	v->first = v->line[i].next;
	v->count.writes++;
	v->count.bytes += v->line_bytes;
}

static void send_read(struct mover *v, struct ticks now)
{
	struct mover_page *p = &v->page[v->current];
	uint32_t i = v->free;

	v->free = v->line[i].next;
	v->in_flight++;
	v->line[i] = (struct mover_line){.page = v->current, .number = p->read++};
	send(v, i, REQ_READ, now);
	v->count.reads++;
	if (p->read == v->lines)
		v->current = MOVER_NONE;
}

static bool has_to_send(const struct mover *v)
{
	return v->first != MOVER_NONE || (v->current != MOVER_NONE && v->free != MOVER_NONE);
}

/* One packet a cycle. */
static void send_one(struct mover *v, struct ticks now)
{
	if (!has_to_send(v))
		return;
	v->send_at = ticks_after(now, 1, v->period);
	if (!net_can_send(&v->port.out, now, &v->send_at))
		return;
	if (v->first != MOVER_NONE)
		send_write(v, now);
	else
		send_read(v, now);
}

struct ticks mover_step(struct mover *v, struct ticks now)
{
	struct ticks next;

	take_replies(v, now);
	begin_page(v, now);
	send_one(v, now);
	next = queue_next_arrival(v->port.in);
	if (v->current == MOVER_NONE)
		next = ticks_earlier(next, queue_next_arrival(v->port.job));
	if (has_to_send(v))
		next = ticks_earlier(next, v->send_at);
	return ticks_later(next, ticks_after(now, 1, v->period));
}
