/* The throttles whose limits do not change while a kernel runs: of warps (swt), of CTAs (cta), and of the warps whose
 * loads allocate (pcal). A limit of warps is a scheduler's; that of CTAs an SM's.
 *
 * Those that a limit leaves out stay on the SM; sm.ctas limits how many CTAs come there at all. Source: dwt-pric,
 * sections 4.2 and 6; pcal: Li et al., HPCA 2015, with fixed numbers; docs/studies/comparators.md.
 */
#include "policy/warp_throttle.h"

struct limits {
	uint32_t ctas, tokens;
	uint64_t holders; /* pcal: the warps that hold a token */
};

static void change(void *state, const struct machine *m)
{
	struct limits *l = state;

	l->ctas = m->throttle.ctas;
	l->tokens = m->throttle.tokens;
}

static void init(void **state, struct arena *a, const struct machine *m)
{
	*state = arena_alloc(a, sizeof(struct limits));
	change(*state, m);
}

static uint64_t oldest_warps(void *state, const struct warp_view *v)
{
	(void)state;
	return warp_throttle_oldest(v, v->limit);
}

/* A CTA whose warps have all exited counts no more, though it may wait for its stores. */
static uint64_t oldest_ctas(void *state, const struct warp_view *v)
{
	const struct limits *l = state;
	uint64_t chosen = 0;
	uint32_t n = 0;

	for (unsigned c = 0; c < v->n_ctas && n < l->ctas; c++)
		if (v->of_cta[c] & v->eligible) {
			chosen |= v->of_cta[c];
			n++;
		}
	return chosen;
}

static uint64_t oldest_with_tokens(void *state, const struct warp_view *v)
{
	struct limits *l = state;

	l->holders = warp_throttle_oldest(v, l->tokens);
	return oldest_warps(state, v);
}

static bool holds_token(const void *state, unsigned warp)
{
	const struct limits *l = state;

	return l->holders >> warp & 1;
}

const struct warp_throttle warp_throttle_swt = {.name = "swt", .init = init, .change = change, .active = oldest_warps};
const struct warp_throttle warp_throttle_cta = {.name = "cta", .init = init, .change = change, .active = oldest_ctas};
const struct warp_throttle warp_throttle_pcal = {
	.name = "pcal", .init = init, .change = change, .active = oldest_with_tokens, .may_allocate = holds_token};
