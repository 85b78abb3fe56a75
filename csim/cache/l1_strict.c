/* Resources that a cache requires of an access beyond those that it uses, as in the L1 of GPGPU-Sim 3.2.1
 * (gpu-cache.cc).
 *
 * l1.miss_room: a load whose line is not there, also one that merges and sends nothing, first needs room for that many
 * packets in the miss queue; there two, whether it has a victim to write back or not (rd_miss_base).
 * l1.store_needs_line: a store, which allocates nothing, fails like a load while all ways of its set wait for fills
 * (l1_cache::access looks at the set before it looks at the kind).
 */
#include "cache/l1_impl.h"

enum l1_result l1_lacks(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	bool load = a->kind == REQ_READ && l->strict.miss_room, store = a->kind == REQ_WRITE && l->strict.store_needs_line;
	uint64_t line = a->line >> l->line_shift;
	enum tags_result found;
	uint32_t slot;

	if (!l->enabled || a->bypass || !(load || store))
		return L1_HIT;
	found = tags_probe(&l->tags, tags_set(&l->tags, cycle, line), line, &slot);
	if (store)
		return found == TAGS_FAIL ? L1_FAIL_LINE : L1_HIT;
	if (found == TAGS_MISS || found == TAGS_HIT_RESERVED)
		return l1_room(l, l->strict.miss_room) ? L1_HIT : L1_FAIL_QUEUE;
	return L1_HIT;
}
