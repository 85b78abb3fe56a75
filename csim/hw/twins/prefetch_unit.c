#include "hw/twins/prefetch_unit.h"

#include <string.h>

static int check_range(const char *what, uint32_t value, uint32_t least, uint32_t most, struct err *e)
{
	if (value < least || value > most)
		return err_set(e, "prefetch unit: %u %s: %u to %u are possible", value, what, least, most);
	return 0;
}

int prefetch_unit_params_check(const struct prefetch_unit_params *p, struct err *e)
{
	if (check_range("entries", p->entries, 2, PREFETCH_UNIT_MAX_ENTRIES, e) != 0 ||
	    check_range("tiles", p->tiles, 1, PREFETCH_UNIT_MAX_TILES, e) != 0 ||
	    check_range("bits of a tile", p->tile_w, 1, 32, e) != 0 ||
	    check_range("bits of an address", p->addr_w, 8, 64, e) != 0 ||
	    check_range("bits of a distance", p->dist_w, 1, p->addr_w < 32 ? p->addr_w : 32, e) != 0 ||
	    check_range("slots of the queue", p->depth, 1, PREFETCH_UNIT_MAX_DEPTH, e) != 0 ||
	    check_range("spare MSHR entries", p->spare_mshrs, 0, 1023, e) != 0 ||
	    check_range("spare entries of the miss queue", p->spare_queue, 0, 1023, e) != 0)
		return -1;
	if (p->line < 2 || p->line > 128 || (p->line & (p->line - 1)))
		return err_set(e, "prefetch unit: lines of %u bytes: a power of two from 2 to 128 is needed", p->line);
	return 0;
}

void prefetch_unit_reset(struct prefetch_unit *s, const struct prefetch_unit_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
}

/* ---- what an access triggers ---- */

static uint64_t distance_of(const struct prefetch_unit *s, const struct prefetch_unit_in *in)
{
	uint32_t active = in->acc_entry < s->p.entries ? s->active[in->acc_entry] : 0;

	return active ? s->distance[in->acc_entry * s->p.tiles + active - 1] : in->acc_distance;
}

/* The line that is fetched for the access's; false: it would be beyond all addresses, or nothing is fetched. */
static bool line_ahead(const struct prefetch_unit *s, const struct prefetch_unit_in *in, uint64_t *line)
{
	uint32_t shift = prefetch_unit_line_bits(s->p.line);
	uint64_t last = UINT64_MAX >> (64 - s->p.addr_w), distance;

	switch (in->acc_prefetch) {
	case LOCALITY_NEXT_LINE:
		*line = (in->acc_addr >> shift) + 1;
		return in->acc_addr >> shift != last >> shift;
	case LOCALITY_STRIDE:
		distance = distance_of(s, in);
		*line = (in->acc_addr + distance) >> shift;
		return distance <= last - in->acc_addr;
	default:
		return false;
	}
}

/* Whether the access is a miss that leads to another line of its structure. */
static bool target(const struct prefetch_unit *s, const struct prefetch_unit_in *in, uint64_t *line)
{
	uint32_t shift = prefetch_unit_line_bits(s->p.line);

	return in->acc_valid && in->acc_missed && line_ahead(s, in, line) && *line << shift < in->acc_bound &&
	       *line != in->acc_addr >> shift;
}

/* ---- what becomes of the line in front ---- */

static bool has_turn(const struct prefetch_unit *s, const struct prefetch_unit_in *in)
{
	return s->waiting && !in->acc_valid && !in->acc_wait;
}

static bool is_short(const struct prefetch_unit *s, const struct prefetch_unit_in *in)
{
	return !in->look_way || in->free_mshrs <= s->p.spare_mshrs || in->free_queue < s->p.spare_queue + 1 + in->look_dirty;
}

void prefetch_unit_eval(const struct prefetch_unit *s, const struct prefetch_unit_in *in, struct prefetch_unit_out *out)
{
	uint64_t line;
	bool wanted = target(s, in, &line), room = s->waiting < s->p.depth;

	*out = (struct prefetch_unit_out){.acc_kept = wanted && room,
					  .acc_lost = wanted && !room,
					  .look_valid = s->waiting != 0,
					  .look_line = s->line[0],
					  .busy = s->waiting != 0};
	if (!has_turn(s, in))
		return;
	out->issue = in->look_known && !in->look_there && !is_short(s, in);
	out->drop = !out->issue;
	if (out->drop)
		out->why = !in->look_known ? PREFETCH_UNKNOWN : in->look_there ? PREFETCH_THERE : PREFETCH_SHORT;
}

/* ---- the edge ---- */

static void move_queue(struct prefetch_unit *s, const struct prefetch_unit_in *in)
{
	uint64_t line;

	if (target(s, in, &line) && s->waiting < s->p.depth)
		s->line[s->waiting++] = line;
	if (!has_turn(s, in))
		return;
	s->waiting--;
	memmove(&s->line[0], &s->line[1], (s->p.depth - 1) * sizeof s->line[0]);
}

/* The slot of a tile among those of its entry; p.tiles: it has none. */
static uint32_t slot_of(const struct prefetch_unit *s, uint32_t first, uint32_t tile)
{
	uint32_t i = 0;

	while (i < s->p.tiles && !(s->residents[first + i] && s->tile[first + i] == tile))
		i++;
	return i;
}

static void begin_cta(struct prefetch_unit *s, uint32_t entry, uint32_t tile)
{
	uint32_t first = entry * s->p.tiles, i = slot_of(s, first, tile);

	if (i < s->p.tiles) {
		s->residents[first + i] = (uint8_t)(s->residents[first + i] + (s->residents[first + i] < s->p.tiles));
		return;
	}
	for (i = 0; i < s->p.tiles && s->residents[first + i]; i++)
		;
	if (i == s->p.tiles)
		return;
	s->tile[first + i] = tile;
	s->residents[first + i] = 1;
	s->active[entry]++;
}

static void end_cta(struct prefetch_unit *s, uint32_t entry, uint32_t tile)
{
	uint32_t first = entry * s->p.tiles, i = slot_of(s, first, tile);

	if (i < s->p.tiles && --s->residents[first + i] == 0)
		s->active[entry]--;
}

void prefetch_unit_tick(struct prefetch_unit *s, const struct prefetch_unit_in *in)
{
	move_queue(s, in);
	if (in->cta_valid && in->cta_entry < s->p.entries) {
		if (in->cta_end)
			end_cta(s, in->cta_entry, in->cta_tile);
		else
			begin_cta(s, in->cta_entry, in->cta_tile);
	}
	if (in->wr_valid && in->wr_entry < s->p.entries && in->wr_slot < s->p.tiles)
		s->distance[in->wr_entry * s->p.tiles + in->wr_slot] = in->wr_distance;
}

HW_CLOCKED_BLOCK(prefetch_unit, PREFETCH_UNIT_PARAMS, PREFETCH_UNIT_INPUTS, PREFETCH_UNIT_OUTPUTS, PREFETCH_UNIT_REGS,
		 .name = "prefetch_unit", .module = "prefetch_unit", .source = "rtl/prefetch_unit/prefetch_unit.v",
		 .unread = "busy_o", .wanted_by = "--plan ldesc-pref, or --plan ldesc where it prefetches",
		 .shown = "acc_valid_i acc_missed_i acc_prefetch_i acc_entry_i acc_addr_i acc_kept_o acc_lost_o acc_wait_i "
			  "look_valid_o look_line_o look_known_i look_there_i free_mshrs_i free_queue_i issue_o drop_o why_o "
			  "cta_valid_i cta_end_i cta_entry_i cta_tile_i active_q waiting_q",
		 .ready = (const struct hw_shape[]){
			 {"entries=16 tiles=8 tile_w=32 addr_w=48 dist_w=32 line=128 depth=8 spare_mshrs=8 spare_queue=2", 1},
			 {NULL, 0}})
