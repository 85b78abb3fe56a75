#include "ptx/exec/order_of_warps.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void join(struct order_clocks *to, const struct order_clocks *from, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		to->of[i] = from->of[i] > to->of[i] ? from->of[i] : to->of[i];
}

static uint32_t latest(const struct order_of_warps *o)
{
	uint32_t top = 0;

	for (unsigned i = 0; i < o->n; i++)
		top = order_now(o, i) > top ? order_now(o, i) : top;
	return top;
}

void order_begin(struct order_of_warps *o, unsigned n, uint32_t words)
{
	uint32_t past = latest(o);

	for (unsigned w = 0; w < n; w++) {
		for (unsigned v = 0; v < n; v++)
			o->known[w].of[v] = past;
		o->known[w].of[w] = past + 1;
	}
	memset(o->barrier, 0, sizeof o->barrier);
	memset(&o->ended, 0, sizeof o->ended);
	if (o->word)
		memset(o->word, 0, o->words * sizeof *o->word);
	o->n = n;
	o->words = words;
}

void order_free(struct order_of_warps *o)
{
	free(o->word);
	o->word = NULL;
}

void order_arrives(struct order_of_warps *o, unsigned warp, unsigned barrier)
{
	join(&o->barrier[barrier], &o->known[warp], o->n);
	o->known[warp].of[warp]++;
}

void order_ends(struct order_of_warps *o, unsigned warp)
{
	join(&o->ended, &o->known[warp], o->n);
}

void order_goes_on(struct order_of_warps *o, unsigned warp, unsigned barrier, bool of_all)
{
	join(&o->known[warp], &o->barrier[barrier], o->n);
	if (of_all)
		join(&o->known[warp], &o->ended, o->n);
}

void order_barrier_done(struct order_of_warps *o, unsigned barrier)
{
	memset(&o->barrier[barrier], 0, sizeof o->barrier[barrier]);
}

void order_updates(struct order_of_warps *o, unsigned warp, uint32_t word)
{
	if (!o->word)
		o->word = xcalloc(o->words, sizeof *o->word);
	join(&o->known[warp], &o->word[word], o->n);
	join(&o->word[word], &o->known[warp], o->n);
	o->known[warp].of[warp]++;
}
