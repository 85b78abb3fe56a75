/* Data structures: which entry an access belongs to, and what is fetched ahead. */
#include "waves/tracks/tracks.h"

void track_locality_table(const struct track_step *s, struct track_text *t)
{
	static const char *const caching[] = {"", ", bypass", ", soft pin", ", hard pin"};
	static const char *const prefetch[] = {"", ", next line", ", stride", ""};
	const struct locality_table_in *in = s->in;
	const struct locality_table_out *out = s->out;

	if (in->wr_valid && in->wr_used)
		track_say(t, "entry %u: 0x%llx to 0x%llx", in->wr_index, (unsigned long long)in->wr_base,
			  (unsigned long long)in->wr_bound);
	else if (in->wr_valid)
		track_say(t, "entry %u: none", in->wr_index);
	if (in->look_valid && out->look_ready)
		track_say(t, "whose is 0x%llx?", (unsigned long long)in->look_addr);
	if (out->ans_valid && in->ans_ready && out->ans_match)
		track_say_main(t, "entry %u's%s%s", out->ans_index, caching[out->ans_caching & 3], prefetch[out->ans_prefetch & 3]);
	else if (out->ans_valid && in->ans_ready)
		track_say(t, "no entry's");
}

void track_prefetch_unit(const struct track_step *s, struct track_text *t)
{
	static const char *const why[] = {"its page is not known", "it is there", "loads need the room", ""};
	const struct prefetch_unit_in *in = s->in;
	const struct prefetch_unit_out *out = s->out;

	if (in->cta_valid)
		track_say(t, "CTA %s in tile %u of entry %u", in->cta_end ? "ends" : "begins", in->cta_tile, in->cta_entry);
	if (in->wr_valid)
		track_say(t, "entry %u: distance %u with active tiles: %u", in->wr_entry, in->wr_distance, in->wr_slot + 1);
	if (out->acc_kept)
		track_say_main(t, "0x%llx of entry %u triggers a prefetch", (unsigned long long)in->acc_addr, in->acc_entry);
	if (out->acc_lost)
		track_say(t, "0x%llx finds the queue full", (unsigned long long)in->acc_addr);
	if (out->issue)
		track_say(t, "line 0x%llx is fetched", (unsigned long long)out->look_line);
	if (out->drop)
		track_say(t, "line 0x%llx is dropped: %s", (unsigned long long)out->look_line, why[out->why & 3]);
}
