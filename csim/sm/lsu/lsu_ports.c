#include "sm/lsu/lsu_ports.h"

#include "sm/lsu/lsu_service.h"

/* The block of a policy, and the table of localities, see a load a cycle. */
static bool has_one_lookup(const struct machine *m)
{
	return m->l1.banks == 1 || m->l1.bypass.policy || m->l1.replacement == REPLACE_PIN || m->l1.prefetch.policy ||
	       m->l1.monitor;
}

void lsu_ports_init(struct lsu_ports *p, const struct machine *m)
{
	uint32_t bank_bytes = m->l1.bank_bytes ? m->l1.bank_bytes : m->l1.c.line;

	*p = (struct lsu_ports){.on = m->l1.banks > 1 || m->l1.port_bytes,
				.single = has_one_lookup(m),
				.banks = m->l1.banks,
				.shift = (uint32_t)__builtin_ctz(bank_bytes),
				.bytes = m->l1.port_bytes ? m->l1.port_bytes : UINT32_MAX};
}

/* The banks of a transaction, as bits. */
static uint32_t banks_of(const struct lsu *l, const struct coalesce_tx *t, uint32_t sectors)
{
	const struct lsu_ports *p = &l->ports;
	uint32_t set = 0;

	for (; sectors; sectors &= sectors - 1) {
		uint64_t addr = t->line + sectors_first(sectors) * l->l1.sectors.bytes;

		set |= UINT32_C(1) << (addr >> p->shift & (p->banks - 1));
	}
	return set;
}

struct claim { /* what a transaction takes of a cycle */
	uint32_t banks, bytes;
};

static struct claim claim_of(const struct lsu *l, const struct coalesce_tx *t)
{
	uint32_t sectors = sectors_touched(&l->l1.sectors, t->mask);

	return (struct claim){banks_of(l, t, sectors), sectors_count(sectors) * l->l1.sectors.bytes};
}

/* Whether the transaction in front has had the data path for as long as it needs it. left: what it leaves of it in this
 * cycle. */
static bool has_had_path(struct lsu *l, uint64_t now, uint32_t bytes, uint32_t *left)
{
	struct lsu_ports *p = &l->ports;
	uint32_t cycles = p->bytes == UINT32_MAX ? 1 : (bytes + p->bytes - 1) / p->bytes;

	if (!p->until)
		p->until = now + cycles - 1;
	if (now < p->until) {
		l->stats.path_cycles++;
		return false;
	}
	*left = p->bytes == UINT32_MAX ? UINT32_MAX : cycles * p->bytes - bytes;
	return true;
}

static void add(struct lsu_done *all, struct lsu_done one)
{
	if (one.kind == LSU_DONE_NOTHING)
		return;
	if (all->kind == LSU_DONE_NOTHING)
		*all = one;
	else /* stores: those of one instruction */
		all->more++;
}

/* Whether the next transaction goes with those of this cycle; counts why not. */
static bool goes_with(struct lsu *l, const struct lsu_entry *i, uint32_t *taken, uint32_t *left)
{
	struct claim c = claim_of(l, &i->tx[i->pos]);

	if (c.banks & *taken) {
		l->stats.bank_conflicts++;
		return false;
	}
	if (c.bytes > *left) {
		l->stats.path_cycles++;
		return false;
	}
	*taken |= c.banks;
	if (*left != UINT32_MAX)
		*left -= c.bytes;
	return true;
}

struct lsu_done lsu_serve_ports(struct lsu *l, uint64_t now, struct lsu_entry *i)
{
	struct lsu_done done = {LSU_DONE_NOTHING, 0, 0};
	struct claim first = claim_of(l, &i->tx[i->pos]);
	uint32_t taken = first.banks, left = 0;

	if (!has_had_path(l, now, first.bytes, &left))
		return done;
	do {
		lsu_set_access(l, i);
		add(&done, lsu_serve_access(l, now, i));
		if (l->stuck)
			return done;
		l->ports.until = 0;
	} while (!l->ports.single && i->server != LSU_EMPTY && goes_with(l, i, &taken, &left));
	return done;
}
