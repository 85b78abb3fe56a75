#include "cache/l2/l2_lower.h"

struct mem_req l2_read_of(const struct l2_part *p, uint64_t line_addr, uint32_t line_bytes, uint32_t token)
{
	struct mem_req r = {.kind = REQ_READ,
			    .client = REQ_CLIENT_MSHR,
			    .token = token,
			    .mode = p->mode,
			    .addr = line_addr,
			    .buffer = p->buffer,
			    .bytes = (uint16_t)req_mask_bytes(p->mask)};

	if (r.bytes < line_bytes) {
		r.addr |= (uint32_t)(p->mask[0] ? __builtin_ctzll(p->mask[0]) : 64 + __builtin_ctzll(p->mask[1]));
		r.mask[0] = p->mask[0];
		r.mask[1] = p->mask[1];
	}
	return r;
}

uint32_t l2_take_reply(struct mem_req_queue *replies, struct stamp at[REQ_STAMPS], struct ticks now)
{
	const struct mem_req *r = queue_front(replies, now);
	uint32_t token = r->token;

	at[REQ_AT_DRAM] = r->at[REQ_AT_DRAM];
	at[REQ_FIRST_COMMAND] = r->at[REQ_FIRST_COMMAND];
	queue_pop(replies, now);
	return token;
}
