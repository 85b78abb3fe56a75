#include "support/dram_check.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"ACT", "PRE", "RD", "WR", "PRE_ALL", "REF", "REF_BANK"};

struct judge {
	const struct machine *m;
	const struct dram_command_event *log;
	uint32_t n;
	char *why;
};

static bool is_column(const struct dram_command_event *e)
{
	return e->command == DRAM_RD || e->command == DRAM_WR;
}

static uint32_t group_of(const struct machine *m, uint32_t bank)
{
	return m->dram.group_bits == BANK_GROUP_HIGH ? bank / (m->dram.banks / m->dram.groups) : bank % m->dram.groups;
}

/* Data of a column access start this long after the command. */
static uint64_t data_delay(const struct machine *m, const struct dram_command_event *e)
{
	return e->command == DRAM_RD ? m->dram.cl : m->dram.wl;
}

/* The smallest distance from a to a later b, by the definitions. */
static uint64_t least(const struct machine *m, const struct dram_command_event *a, const struct dram_command_event *b,
		      const char **invariant)
{
	bool bank = a->bank == b->bank, group = group_of(m, a->bank) == group_of(m, b->bank);
	uint32_t bl = m->dram.burst;

#define LAW(cond, name, cycles)                                                                                                    \
	if (cond) {                                                                                                                \
		*invariant = name;                                                                                                 \
		return (cycles);                                                                                                   \
	}
	LAW(a->command == DRAM_ACT && b->command == DRAM_ACT && bank, "tRC", m->dram.rc)
	LAW(a->command == DRAM_ACT && b->command == DRAM_ACT && group && m->dram.rrdl > m->dram.rrd, "tRRDL", m->dram.rrdl)
	LAW(a->command == DRAM_ACT && b->command == DRAM_ACT, "tRRD", m->dram.rrd)
	LAW(a->command == DRAM_ACT && b->command == DRAM_PRE && bank, "tRAS", m->dram.ras)
	LAW(a->command == DRAM_ACT && b->command == DRAM_PRE_ALL, "tRAS", m->dram.ras)
	LAW(a->command == DRAM_ACT && is_column(b) && bank, "tRCD", m->dram.rcd)
	LAW(a->command == DRAM_ACT && b->command == DRAM_REF, "tRC before refresh", m->dram.rc)
	LAW(a->command == DRAM_PRE && b->command == DRAM_ACT && bank, "tRP", m->dram.rp)
	LAW(a->command == DRAM_PRE_ALL && b->command == DRAM_ACT, "tRP", m->dram.rp)
	LAW((a->command == DRAM_PRE || a->command == DRAM_PRE_ALL) && b->command == DRAM_REF, "tRP before refresh", m->dram.rp)
	LAW(a->command == DRAM_REF && (b->command == DRAM_ACT || b->command == DRAM_REF), "tRFC", m->dram.rfc)
	LAW(a->command == DRAM_ACT && b->command == DRAM_REF_BANK && bank, "tRC before refresh", m->dram.rc)
	LAW(a->command == DRAM_ACT && b->command == DRAM_REF_BANK, "tRRD before refresh", m->dram.rrd)
	LAW(a->command == DRAM_PRE && b->command == DRAM_REF_BANK && bank, "tRP before refresh", m->dram.rp)
	LAW(a->command == DRAM_REF_BANK && (b->command == DRAM_ACT || b->command == DRAM_REF_BANK) && bank, "tRFCSB", m->dram.rfcsb)
	LAW(a->command == DRAM_REF_BANK && (b->command == DRAM_ACT || b->command == DRAM_REF_BANK), "tRREFD", m->dram.rrefd)
	LAW(is_column(a) && a->command == b->command && group, "tCCDL", m->dram.ccdl)
	LAW(is_column(a) && a->command == b->command, "tCCD", m->dram.ccd)
	LAW(a->command == DRAM_RD && b->command == DRAM_WR, "read to write", m->dram.cl + bl + 2 - m->dram.wl)
	LAW(a->command == DRAM_WR && b->command == DRAM_RD, "write to read", m->dram.wl + bl + m->dram.cdlr)
	LAW(a->command == DRAM_RD && ((b->command == DRAM_PRE && bank) || b->command == DRAM_PRE_ALL), "tRTP", m->dram.rtp)
	LAW(a->command == DRAM_WR && ((b->command == DRAM_PRE && bank) || b->command == DRAM_PRE_ALL), "write to precharge",
	    m->dram.wl + bl + m->dram.wr)
	LAW(m->dram.command_bus == COMMAND_BUS_DUAL && is_column(a) != is_column(b), "order", 0)
#undef LAW
	*invariant = "one command a cycle and bus";
	return 1;
}

static bool blame(const struct judge *j, const char *invariant, uint32_t a, uint32_t b)
{
	snprintf(j->why, 256, "%s: %s bank %u row %lu at %lu, then %s bank %u row %lu at %lu", invariant, names[j->log[a].command],
		 j->log[a].bank, (unsigned long)j->log[a].row, (unsigned long)j->log[a].cycle, names[j->log[b].command],
		 j->log[b].bank, (unsigned long)j->log[b].row, (unsigned long)j->log[b].cycle);
	return false;
}

/* Commands further apart than this have nothing to do with one another. */
static uint64_t window_of(const struct machine *m)
{
	return m->dram.rfc + m->dram.rfcsb + m->dram.rc + m->dram.cl + m->dram.wl + m->dram.wr + m->dram.faw + 64;
}

/* NULL, or the invariant that b, at its cycle, breaks with the earlier a. */
static const char *broken_invariant(const struct machine *m, const struct dram_command_event *a, const struct dram_command_event *b)
{
	uint64_t start_a = a->cycle + data_delay(m, a), start_b = b->cycle + data_delay(m, b);
	const char *invariant;

	if (b->cycle < a->cycle)
		return "order";
	if (b->cycle - a->cycle < least(m, a, b, &invariant))
		return invariant;
	if (is_column(a) && is_column(b) && start_a < start_b + m->dram.burst && start_b < start_a + m->dram.burst)
		return "two bursts on the data bus";
	return NULL;
}

bool dram_check_next(const struct machine *m, const struct dram_command_event *log, uint32_t n,
		     const struct dram_command_event *next)
{
	uint32_t activates = 0;

	for (uint32_t i = n; i-- > 0 && log[i].cycle + window_of(m) > next->cycle;) {
		activates += log[i].command == DRAM_ACT;
		if (broken_invariant(m, &log[i], next))
			return false;
		if (next->command == DRAM_ACT && log[i].command == DRAM_ACT && activates == 4 &&
		    next->cycle - log[i].cycle < m->dram.faw)
			return false;
	}
	return true;
}

static bool check_pairs(const struct judge *j)
{
	const struct machine *m = j->m;

	for (uint32_t i = 0; i < j->n; i++) {
		const struct dram_command_event *a = &j->log[i];

		for (uint32_t k = i + 1; k < j->n && j->log[k].cycle < a->cycle + window_of(m); k++) {
			const char *invariant = broken_invariant(m, a, &j->log[k]);

			if (invariant)
				return blame(j, invariant, i, k);
		}
	}
	return true;
}

static bool check_four_activates(const struct judge *j)
{
	uint32_t last[4] = {0}, n = 0;

	for (uint32_t i = 0; i < j->n; i++) {
		if (j->log[i].command != DRAM_ACT)
			continue;
		if (n >= 4 && j->log[i].cycle - j->log[last[n % 4]].cycle < j->m->dram.faw)
			return blame(j, "tFAW", last[n % 4], i);
		last[n++ % 4] = i;
	}
	return true;
}

/* Rows are opened before they are accessed, closed before another is opened, all closed at a refresh. */
static bool check_rows(const struct judge *j)
{
	int64_t open[DRAM_MAX_BANKS];
	uint32_t opened = 0;

	memset(open, -1, sizeof open);
	for (uint32_t i = 0; i < j->n; i++) {
		const struct dram_command_event *e = &j->log[i];

		if (e->command == DRAM_ACT && (open[e->bank] >= 0 || !++opened))
			return blame(j, "activates an open bank", i, i);
		if (e->command == DRAM_PRE && (open[e->bank] < 0 || !opened--))
			return blame(j, "closes a closed bank", i, i);
		if (is_column(e) && open[e->bank] != (int64_t)e->row)
			return blame(j, "access to a row that is not open", i, i);
		if (e->command == DRAM_REF && opened)
			return blame(j, "refresh with open banks", i, i);
		if (e->command == DRAM_REF_BANK && open[e->bank] >= 0)
			return blame(j, "refresh of an open bank", i, i);
		if (e->command == DRAM_ACT)
			open[e->bank] = (int64_t)e->row;
		if (e->command == DRAM_PRE)
			open[e->bank] = -1;
		if (e->command == DRAM_PRE_ALL) {
			memset(open, -1, sizeof open);
			opened = 0;
		}
	}
	return true;
}

/* The k-th refresh comes at k * tREFI or later, and nothing is activated or accessed between its due time and it. */
static bool check_refreshes(const struct judge *j)
{
	uint64_t due = j->m->dram.refi;

	if (!j->m->dram.refresh)
		return true;
	for (uint32_t i = 0; i < j->n; i++) {
		const struct dram_command_event *e = &j->log[i];

		if (e->command == DRAM_REF && e->cycle < due)
			return blame(j, "refresh before it is due", i, i);
		if (e->cycle >= due && (e->command == DRAM_ACT || is_column(e)))
			return blame(j, "work while a refresh is due", i, i);
		if (e->command == DRAM_REF)
			due += j->m->dram.refi;
	}
	return true;
}

/* The k-th one is of bank k modulo the number of banks, at k * tREFI / banks or later, and nothing is activated or
 * accessed there between its due time and it. */
static bool check_refreshes_of_banks(const struct judge *j)
{
	uint32_t banks = j->m->dram.banks, gap = j->m->dram.refi / banks, bank = 0;
	uint64_t due = gap;

	if (!j->m->dram.refresh)
		return true;
	for (uint32_t i = 0; i < j->n; i++) {
		const struct dram_command_event *e = &j->log[i];

		if (e->cycle >= due && e->bank == bank && (e->command == DRAM_ACT || is_column(e)))
			return blame(j, "work while a bank's refresh is due", i, i);
		if (e->command != DRAM_REF_BANK)
			continue;
		if (e->cycle < due || e->bank != bank)
			return blame(j, "refresh before it is due, or of another bank", i, i);
		bank = (bank + (uint32_t)(e->again % banks) + 1) % banks;
		due += gap * (e->again + 1);
	}
	return true;
}

bool dram_check_log(const struct machine *m, const struct dram_command_event *log, uint32_t n, char why[256])
{
	struct judge j = {m, log, n, why};

	why[0] = '\0';
	return check_pairs(&j) && check_four_activates(&j) && check_rows(&j) &&
	       (m->dram.refresh_banks ? check_refreshes_of_banks(&j) : check_refreshes(&j));
}
