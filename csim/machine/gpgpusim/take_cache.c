/* A cache's string, "N:32:128:4,L:L:m:N:H,S:64:8,8:0,32": sectors or not, sets, line, ways; replacement, writes,
 * allocation, allocation by writes, set index; MSHR kind, entries, merges; miss queue, result queue, bytes of the data
 * port. GPGPU-Sim 3's strings have no first letter, and some no set index; "none" is no cache. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hw/twins/pric_poly.h"
#include "machine/gpgpusim/import_impl.h"

enum { SECTOR = 32 /* bytes */ };
enum { KIND, REPLACEMENT, WRITES, ALLOCATION, WRITE_ALLOCATION, N_POLICIES };

struct cache {
	struct gpgpusim_import *i;
	const struct gpgpusim_option *o;
	const char *prefix; /* of its keys: "l1" */
	char policy[N_POLICIES], index;
	uint64_t sets, line, ways, entries, merges, queue, port; /* port: 0 if it is left out */
};

static int letters(struct cache *c, char *const *field, unsigned n, unsigned first, struct err *e)
{
	for (unsigned k = 0; k < n; k++) {
		if (strlen(field[k]) != 1)
			return import_wrong(c->o, e, "\"%.40s\" is not one letter", field[k]);
		if (first + k < N_POLICIES)
			c->policy[first + k] = *field[k];
		else
			c->index = *field[k];
	}
	return 0;
}

static int numbers(struct cache *c, char *const *field, uint64_t *const *to, unsigned n, struct err *e)
{
	for (unsigned k = 0; k < n; k++)
		if (import_number(c->o, field[k], to[k], e))
			return -1;
	return 0;
}

/* The parts with commas between: shape, policies, MSHRs, miss queue, data port. */
static int read_parts(struct cache *c, char *const *part, unsigned n_parts, struct err *e)
{
	uint64_t *const shape[] = {&c->sets, &c->line, &c->ways}, *const mshrs[] = {&c->entries, &c->merges};
	uint64_t unused, *const queues[] = {&c->queue, &unused}, *const port[] = {&c->port};
	char *f[GPGPUSIM_MAX_FIELDS];
	unsigned n, kind;

	if (import_split(c->i, c->o, part[0], ":", f, &n, e))
		return -1;
	kind = n == 4;
	if ((n != 3 && n != 4) || letters(c, f, kind, KIND, e) || numbers(c, f + kind, shape, 3, e))
		return import_wrong(c->o, e, "\"%.40s\" is not KIND:SETS:LINE:WAYS", part[0]);
	if (import_split(c->i, c->o, part[1], ":", f, &n, e))
		return -1;
	if ((n != 4 && n != 5) || letters(c, f, n, REPLACEMENT, e))
		return import_wrong(c->o, e, "\"%.40s\" is not five letters with : between", part[1]);
	if (import_split(c->i, c->o, part[2], ":", f, &n, e))
		return -1;
	if (n != 3 || strlen(f[0]) != 1 || !strchr("ASFT", *f[0]) || numbers(c, f + 1, mshrs, 2, e))
		return import_wrong(c->o, e, "\"%.40s\" is not KIND:ENTRIES:MERGES of MSHRs", part[2]);
	if (import_split(c->i, c->o, part[3], ":", f, &n, e) || numbers(c, f, queues, n > 2 ? 2 : n, e))
		return -1;
	return n_parts == 5 ? numbers(c, part + 4, port, 1, e) : 0;
}

static int parse(struct cache *c, struct err *e)
{
	char *part[GPGPUSIM_MAX_FIELDS];
	unsigned n;

	if (import_split(c->i, c->o, c->o->value, ",", part, &n, e))
		return -1;
	if (n != 4 && n != 5)
		return import_wrong(c->o, e, "not SHAPE,POLICIES,MSHRS,QUEUE as GPGPU-Sim has a cache");
	return read_parts(c, part, n, e);
}

static const char *key_of(const struct cache *c, const char *key, char out[64])
{
	snprintf(out, 64, "%s.%s", c->prefix, key);
	return out;
}

static int set(const struct cache *c, const char *key, uint64_t v, struct err *e)
{
	char name[64];

	return import_set_number(c->i, c->o, key_of(c, key, name), v, e);
}

static int set_word(const struct cache *c, const char *key, const char *word, struct err *e)
{
	char name[64];

	return import_set(c->i, c->o, key_of(c, key, name), word, e);
}

/* The least irreducible polynomial for so many sets; 0: there is none that a machine may have. */
static uint32_t polynomial(uint64_t sets)
{
	struct err unused;

	for (uint32_t p = (uint32_t)sets; sets >= 2 && sets <= 1024 && p < 2 * sets; p++) {
		unused.text[0] = '\0';
		if (pric_poly_check(p, (uint32_t)sets, &unused) == 0)
			return p;
	}
	return 0;
}

static int set_index(struct cache *c, struct err *e)
{
	uint32_t poly = polynomial(c->sets);
	bool hashed = c->index == 'H' || c->index == 'P' || c->index == 'X';

	if (hashed && c->sets > 1024)
		import_note(c->i, c->o, "set index: no polynomial for more than 1,024 sets; linear here");
	else if (c->index == 'P' && c->sets > 1)
		import_note(c->i, c->o, "set index P: pric here, with a polynomial of our choice of the same degree");
	else if (hashed && c->sets > 1)
		import_note(c->i, c->o, "set index H, X: pric here");
	else if (!hashed && c->index != 'L')
		import_note(c->i, c->o, "set index: only L, H, P and X have a counterpart; linear here");
	if (poly && set(c, "poly", poly, e))
		return -1;
	return set_word(c, "index", hashed && poly ? "pric" : "linear", e);
}

/* What ours does otherwise: `have` are the letters of its policies. */
static void note_policies(struct cache *c, const char *have)
{
	static const char *const what[N_POLICIES] = {
		[KIND] = "sectors: this cache fetches whole lines here",
		[REPLACEMENT] = "replacement is LRU here",
		[WRITES] = "policy of writes: ours has its own (docs/explanation/caches.md, docs/explanation/memory.md)",
		[ALLOCATION] = "allocation on fill: a miss takes its line at once here",
		[WRITE_ALLOCATION] = "allocation by writes: stores do not allocate here",
	};

	for (unsigned k = 0; k < N_POLICIES; k++)
		if (have[k] != '*' && c->policy[k] != have[k])
			import_note(c->i, c->o, what[k]);
}

/* Sectors of 32 bytes, as there; 1 in a cache of whole lines. */
static uint64_t sectors(const struct cache *c)
{
	return c->policy[KIND] == 'S' ? c->line / SECTOR : 1;
}

static int set_sectors(struct cache *c, struct err *e)
{
	if (c->policy[KIND] == 'S' && c->line != SECTOR && c->line != 2 * SECTOR && c->line != 4 * SECTOR)
		return import_wrong(c->o, e, "a line of sectors has 1, 2 or 4 of 32 bytes");
	return set(c, "sectors", sectors(c), e);
}

static const char *write_allocation(const struct cache *c)
{
	char w = c->policy[WRITE_ALLOCATION];

	return w == 'W' ? "fetch-always" : w == 'L' ? "fetch-on-read" : "fetch-partial";
}

static int set_replacement(struct cache *c, struct err *e)
{
	if (c->policy[REPLACEMENT] != 'L' && c->policy[REPLACEMENT] != 'F')
		import_note(c->i, c->o, "replacement: only L and F have a counterpart; L here");
	return set_word(c, "replacement", c->policy[REPLACEMENT] == 'F' ? "fifo" : "lru", e);
}

static int set_l2(struct cache *c, struct err *e)
{
	if (c->policy[WRITE_ALLOCATION] == 'N')
		import_note(c->i, c->o, "write misses N: a line that is written in part is fetched at once here");
	if (set_sectors(c, e) || set_replacement(c, e) || set_word(c, "write_allocate", write_allocation(c), e))
		return -1;
	return set_index(c, e) || set(c, "port_bytes", c->port ? c->port : c->line, e);
}

/* A miss of several sectors goes down as one packet there, which the L2 takes apart. */
static int set_l1(struct cache *c, struct err *e)
{
	bool on_fill = c->policy[ALLOCATION] == 'f' || c->policy[ALLOCATION] == 's';

	if (c->port && c->port < c->line)
		import_note(c->i, c->o, "data port: an L1 moves a line a cycle here");
	if (set_sectors(c, e) || set_replacement(c, e) || set(c, "packet_sectors", sectors(c), e) ||
	    set_word(c, "allocate", on_fill ? "fill" : "miss", e) ||
	    set_word(c, "write_hit", c->policy[WRITES] == 'T' ? "update" : "evict", e))
		return -1;
	if (c->policy[WRITES] != 'L' && c->policy[WRITES] != 'T')
		import_note(c->i, c->o, "policy of writes: only L and T have a counterpart; L here");
	return set_word(c, "enabled", "true", e) || set_index(c, e);
}

static int set_cache(struct cache *c, struct err *e)
{
	if (c->line > 1u << 20 || c->sets > 1u << 20 || c->ways > 1u << 20)
		return import_wrong(c->o, e, "no cache is that large");
	if (set(c, "bytes", c->sets * c->line * c->ways, e) || set(c, "line", c->line, e) || set(c, "assoc", c->ways, e) ||
	    set(c, "mshr_entries", c->entries, e) || set(c, "mshr_merges", c->merges, e) || set(c, "miss_queue", c->queue, e))
		return -1;
	if (!strcmp(c->prefix, "l1"))
		return set_l1(c, e);
	return strcmp(c->prefix, "l2") ? 0 : set_l2(c, e);
}

int take_cache(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	const char *blank = strchr(r->keys, ' ');
	struct cache c = {
		.i = i,
		.o = o,
		.prefix = arena_printf(&i->text, "%.*s", (int)(blank - r->keys), r->keys),
		.policy = "NLLmN",
		.index = 'L',
	};

	if (!strcmp(o->value, "none") && strcmp(c.prefix, "l1") && strcmp(c.prefix, "l2"))
		return import_wrong(o, e, "a machine here cannot do without %s.*", c.prefix);
	if (!strcmp(o->value, "none"))
		return set_word(&c, "enabled", "false", e);
	if (parse(&c, e) || set_cache(&c, e))
		return -1;
	note_policies(&c, blank + 1);
	return 0;
}

int take_bank_bytes(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	if (machine_cache_sectors(&i->m.l1.c) > 1)
		return take_number(i, r, o, e);
	import_note(i, o, r->why);
	return 0;
}
