#include "machine/topology.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { FAR = UINT16_MAX };

struct build {
	struct topology *t;
	const struct machine *m;
	uint32_t cap;
	struct err *e;
};

static const char *node_name(const struct topology *t, uint32_t node, char out[32])
{
	if (node < t->modules)
		snprintf(out, 32, "module %" PRIu32, node);
	else if (node == t->cpu)
		snprintf(out, 32, "the CPU");
	else
		snprintf(out, 32, "switch s%" PRIu32, node - t->modules);
	return out;
}

/* ---- links ---- */

/* Ports of a crossbar, a flit a network cycle each, that carry what the link does. */
static uint32_t ports_for(const struct machine *m, uint32_t mbps)
{
	uint64_t port = (uint64_t)m->net.flit_bytes * m->clock.mhz[CLOCK_NET];

	return (uint32_t)((mbps + port - 1) / port);
}

static int add_link(struct build *b, uint32_t from, uint32_t to, uint32_t mbps, uint32_t latency)
{
	struct topology *t = b->t;
	uint32_t ports = ports_for(b->m, mbps);
	char one[32], other[32];

	if (from == to)
		return err_set(b->e, "link.list: %s is linked to itself", node_name(t, from, one));
	for (uint32_t i = 0; i < t->links; i++)
		if (t->link[i].from == from && t->link[i].to == to)
			return err_set(b->e, "link.list: %s and %s are linked twice", node_name(t, from, one),
				       node_name(t, to, other));
	if (t->links + 2 > b->cap)
		return err_set(b->e, "link.topology: more than %" PRIu32 " links", b->cap / 2);
	t->link[t->links++] =
		(struct topology_link){(uint16_t)from, (uint16_t)to, mbps, latency, ports, t->ports[from], t->ports[to]};
	t->link[t->links++] =
		(struct topology_link){(uint16_t)to, (uint16_t)from, mbps, latency, ports, t->ports[to], t->ports[from]};
	t->ports[from] += ports;
	t->ports[to] += ports;
	return 0;
}

static int join(struct build *b, uint32_t from, uint32_t to)
{
	return add_link(b, from, to, b->m->link.mbps, b->m->link.latency);
}

static int build_tree(struct build *b)
{
	uint32_t n = b->t->modules, child = 1, level_end = 1;

	for (uint32_t parent = 0, level = 0; child < n; parent++) {
		if (parent == level_end) {
			level++;
			level_end = child;
		}
		for (uint32_t k = machine_list_at(&b->m->link.fanout, level); k && child < n; k--, child++)
			if (join(b, parent, child) != 0)
				return -1;
	}
	return 0;
}

static int build_ring(struct build *b)
{
	uint32_t n = b->t->modules;

	for (uint32_t i = 0; i + 1 < n; i++)
		if (join(b, i, i + 1) != 0)
			return -1;
	return n > 2 ? join(b, n - 1, 0) : 0;
}

static int build_full(struct build *b)
{
	for (uint32_t i = 0; b->t->modules > 1 && i < b->t->modules; i++)
		if (join(b, i, b->t->modules) != 0)
			return -1;
	return 0;
}

static int build_p2p(struct build *b)
{
	for (uint32_t i = 0; i < b->t->modules; i++)
		for (uint32_t j = i + 1; j < b->t->modules; j++)
			if (join(b, i, j) != 0)
				return -1;
	return 0;
}

/* ---- link.list: A-B, A-B:GBPS, A-B:GBPS:LATENCY ---- */

struct entry {
	char a[64], b[64];
	uint64_t mbps, latency;
};

static int bad_entry(const struct build *b, const char *text)
{
	return err_set(b->e, "link.list: \"%s\" is not of the form A-B, A-B:GBPS or A-B:GBPS:LATENCY", text);
}

static int parse_entry(const struct build *b, const char *text, struct entry *out)
{
	char part[64], *dash, *gbps, *latency;

	*out = (struct entry){.mbps = b->m->link.mbps, .latency = b->m->link.latency};
	snprintf(part, sizeof part, "%s", text);
	dash = strchr(part, '-');
	gbps = strchr(part, ':');
	latency = gbps ? strchr(gbps + 1, ':') : NULL;
	if (!dash || (gbps && gbps < dash))
		return bad_entry(b, text);
	*dash = '\0';
	if (latency)
		*latency++ = '\0';
	if (gbps)
		*gbps++ = '\0';
	if ((gbps && number_parse_thousandths(gbps, &out->mbps) != 0) || (latency && number_parse_u64(latency, &out->latency) != 0))
		return bad_entry(b, text);
	snprintf(out->a, sizeof out->a, "%s", part);
	snprintf(out->b, sizeof out->b, "%s", dash + 1);
	if (out->mbps < 10 || out->mbps > 100000000)
		return err_set(b->e, "link.list: %s: the bandwidth is not in 0.01..100000 GB/s", text);
	if (out->latency == 0 || out->latency > 100000)
		return err_set(b->e, "link.list: %s: a latency of %" PRIu64 " core cycles is not in 1..100000", text, out->latency);
	return 0;
}

static int parse_node(const struct build *b, const char *name, uint32_t *node)
{
	const struct topology *t = b->t;
	uint64_t v;

	if (!strcmp(name, "cpu") && t->cpu != TOPOLOGY_NONE) {
		*node = t->cpu;
		return 0;
	}
	if (number_parse_u64(*name == 's' ? name + 1 : name, &v) == 0 && v < (*name == 's' ? t->switches : t->modules)) {
		*node = (uint32_t)v + (*name == 's' ? t->modules : 0);
		return 0;
	}
	return err_set(b->e, "link.list: no node \"%s\": modules are 0..%" PRIu32 ", switches s0..s%d", name, t->modules - 1,
		       TOPOLOGY_MAX_SWITCHES - 1);
}

/* Calls `each` for the entries of the list in turn. */
static int for_entries(struct build *b, int (*each)(struct build *b, const struct entry *entry))
{
	const char *p = b->m->link.list;

	while (*p) {
		size_t n = strcspn(p, ",");
		struct entry entry;
		char text[64];

		snprintf(text, sizeof text, "%.*s", (int)n, p);
		if (parse_entry(b, text, &entry) != 0 || each(b, &entry) != 0)
			return -1;
		p += n + (p[n] == ',');
	}
	return 0;
}

/* First pass: which switches there are, and whether the CPU is linked. */
static int count_nodes(struct build *b, const struct entry *entry)
{
	const char *const end[2] = {entry->a, entry->b};

	for (unsigned i = 0; i < 2; i++) {
		uint64_t v;

		if (!strcmp(end[i], "cpu"))
			b->t->cpu = 0;
		else if (*end[i] == 's' && number_parse_u64(end[i] + 1, &v) == 0 && v < TOPOLOGY_MAX_SWITCHES &&
			 b->t->switches <= v)
			b->t->switches = (uint32_t)v + 1;
	}
	return 0;
}

static int link_entry(struct build *b, const struct entry *entry)
{
	uint32_t from = 0, to = 0;

	if (parse_node(b, entry->a, &from) != 0 || parse_node(b, entry->b, &to) != 0)
		return -1;
	return add_link(b, from, to, (uint32_t)entry->mbps, (uint32_t)entry->latency);
}

static int build_links(struct build *b)
{
	static int (*const build[])(struct build *) = {
		[TOPOLOGY_TREE] = build_tree,
		[TOPOLOGY_RING] = build_ring,
		[TOPOLOGY_FULL] = build_full,
		[TOPOLOGY_P2P] = build_p2p,
	};
	const struct machine *m = b->m;

	if (m->link.topology == TOPOLOGY_LIST)
		return for_entries(b, link_entry);
	if (build[m->link.topology](b) != 0)
		return -1;
	for (uint32_t i = 0; m->link.cpu_mbps && i < b->t->modules; i++)
		if (add_link(b, b->t->cpu, i, m->link.cpu_mbps, m->link.cpu_latency) != 0)
			return -1;
	return 0;
}

static int name_nodes(struct build *b)
{
	const struct machine *m = b->m;
	struct topology *t = b->t;

	t->cpu = TOPOLOGY_NONE;
	if (m->link.topology == TOPOLOGY_LIST) {
		if (for_entries(b, count_nodes) != 0)
			return -1;
	} else {
		t->switches = m->link.topology == TOPOLOGY_FULL && t->modules > 1;
		t->cpu = m->link.cpu_mbps ? 0 : TOPOLOGY_NONE;
	}
	t->nodes = t->modules + t->switches;
	if (t->cpu != TOPOLOGY_NONE)
		t->cpu = (uint16_t)t->nodes++;
	return 0;
}

/* ---- ways ---- */

/* far[v]: links from v to `to`; breadth first, not through the CPU. */
static void distances(const struct topology *t, uint32_t to, uint16_t *far, uint16_t *queue)
{
	uint32_t head = 0, tail = 0;

	for (uint32_t v = 0; v < t->nodes; v++)
		far[v] = FAR;
	far[to] = 0;
	queue[tail++] = (uint16_t)to;
	while (head < tail) {
		uint16_t v = queue[head++];

		for (uint32_t i = 0; i < t->links; i++) {
			const struct topology_link *l = &t->link[i];

			if (l->to != v || far[l->from] != FAR || (v == t->cpu && v != to))
				continue;
			far[l->from] = (uint16_t)(far[v] + 1);
			queue[tail++] = l->from;
		}
	}
}

static void choose_next(struct topology *t, uint32_t to, const uint16_t *far)
{
	for (uint32_t i = 0; i < t->links; i++) {
		const struct topology_link *l = &t->link[i];
		uint16_t *next = &t->next[l->from * t->nodes + to];

		if (far[l->from] == FAR || far[l->to] == FAR || far[l->to] + 1 != far[l->from] || (l->to == t->cpu && l->to != to))
			continue;
		if (*next == TOPOLOGY_NONE || (to > l->from ? l->to < t->link[*next].to : l->to > t->link[*next].to))
			*next = (uint16_t)i;
	}
}

static int find_ways(struct build *b, struct arena *a)
{
	struct topology *t = b->t;
	uint16_t *far = arena_array(a, t->nodes, sizeof *far), *queue = arena_array(a, t->nodes, sizeof *queue);
	char one[32], other[32];

	t->next = arena_array(a, (size_t)t->nodes * t->nodes, sizeof *t->next);
	memset(t->next, 0xff, (size_t)t->nodes * t->nodes * sizeof *t->next);
	for (uint32_t to = 0; to < t->nodes; to++) {
		distances(t, to, far, queue);
		for (uint32_t from = 0; from < t->nodes; from++)
			if (far[from] == FAR)
				return err_set(b->e, "link.%s: no path from %s to %s",
					       b->m->link.topology == TOPOLOGY_LIST ? "list" : "topology", node_name(t, from, one),
					       node_name(t, to, other));
		choose_next(t, to, far);
	}
	return 0;
}

uint32_t topology_hops(const struct topology *t, uint32_t from, uint32_t to)
{
	uint32_t hops = 0;

	for (; from != to; hops++)
		from = topology_next(t, from, to)->to;
	return hops;
}

/* ---- layers ---- */

struct layer {
	uint8_t *waits; /* [link * links + link]: some way of the layer goes from the first to the second */
	uint8_t *seen;	/* by link */
};

/* Whether waits lead from link `from` to link `to`. */
static bool leads(const struct topology *t, struct layer *y, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	y->seen[from] = 1;
	for (uint32_t i = 0; i < t->links; i++)
		if (y->waits[(size_t)from * t->links + i] && !y->seen[i] && leads(t, y, i, to))
			return true;
	return false;
}

/* Adds the waits of a way to a layer, unless they would close a circle. */
static bool add_way(const struct topology *t, struct layer *y, uint32_t from, uint32_t to)
{
	uint32_t last = t->next[from * t->nodes + to], node = t->link[last].to;
	size_t added[2 * MACHINE_MAX_MODULES + TOPOLOGY_MAX_SWITCHES];
	uint32_t n = 0;

	while (node != to) {
		uint32_t next = t->next[node * t->nodes + to];
		size_t wait = (size_t)last * t->links + next;

		memset(y->seen, 0, t->links);
		if (!y->waits[wait] && leads(t, y, next, last)) {
			while (n)
				y->waits[added[--n]] = 0;
			return false;
		}
		if (!y->waits[wait])
			y->waits[added[n++] = wait] = 1;
		last = next;
		node = t->link[next].to;
	}
	return true;
}

static bool is_switch(const struct topology *t, uint32_t node)
{
	return node >= t->modules && node != t->cpu;
}

/* A way of one link waits for no other one. */
static int give_layer(struct build *b, struct arena *a, struct layer *y, uint32_t from, uint32_t to)
{
	struct topology *t = b->t;
	uint32_t k = 0;

	if (from == to || is_switch(t, from) || is_switch(t, to) || topology_next(t, from, to)->to == to)
		return 0;
	while (k < TOPOLOGY_MAX_LAYERS) {
		if (!y[k].waits) {
			y[k].waits = arena_array(a, t->links, t->links);
			y[k].seen = arena_array(a, t->links, 1);
		}
		if (add_way(t, &y[k], from, to))
			break;
		k++;
	}
	if (k == TOPOLOGY_MAX_LAYERS)
		return err_set(b->e, "link.topology: shortest paths need more than %d virtual channels to be free of deadlock",
			       TOPOLOGY_MAX_LAYERS);
	t->layer[from * t->nodes + to] = (uint8_t)k;
	t->layers = k + 1 > t->layers ? k + 1 : t->layers;
	return 0;
}

static int give_layers(struct build *b, struct arena *a)
{
	struct topology *t = b->t;
	struct layer layer[TOPOLOGY_MAX_LAYERS] = {{0}};

	t->layer = arena_array(a, (size_t)t->nodes * t->nodes, sizeof *t->layer);
	t->layers = 1;
	for (uint32_t from = 0; from < t->nodes; from++)
		for (uint32_t to = 0; to < t->nodes; to++)
			if (give_layer(b, a, layer, from, to) != 0)
				return -1;
	return 0;
}

int topology_init(struct topology *t, struct arena *a, const struct machine *m, struct err *e)
{
	struct build b = {.t = t, .m = m, .e = e};

	*t = (struct topology){.modules = m->module.count};
	if (name_nodes(&b) != 0)
		return -1;
	b.cap = (t->nodes + 1) * t->nodes;
	t->link = arena_array(a, b.cap, sizeof *t->link);
	t->ports = arena_array(a, t->nodes, sizeof *t->ports);
	if (build_links(&b) != 0 || find_ways(&b, a) != 0)
		return -1;
	return give_layers(&b, a);
}
