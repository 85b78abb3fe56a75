/* What warps see of one another while they run: waits, and the accesses that order them (exec.h, exec/sync.h). */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash_map.h"
#include "ptx/exec/exec.h"

/* ALIKE: iterations behind the first one that show a wait. MOST_BACK_OFF: after so many it is one although they sleep
 * for different times; that many doublings lead from 1 ns beyond LONGEST_SLEEP. MOST_RUNS: of an iteration that waits,
 * longer ones do other work. MOST_ITERATIONS: of a wait, whose sleeps are kept; later ones sleep as long as the last of
 * these. LONGEST_SLEEP: ns (PTX ISA, nanosleep). */
enum { ALIKE = 2, MOST_BACK_OFF = 24, MOST_RUNS = 256, MOST_ITERATIONS = 64, LONGEST_SLEEP = 1000000 };

/* ---- kernels whose accesses may order warps ---- */

static bool may_order(const struct ptx_kernel *k, unsigned at)
{
	const struct insn *i = &k->code[at];
	const struct mem_op *m;

	if (i->kind == INSN_MBARRIER)
		return i->target >= MBARRIER_WAIT;
	if (i->kind != INSN_MEMORY && i->kind != INSN_ATOMIC)
		return false; /* aux is no index of mems */
	m = &k->mems[i->aux];
	if (i->kind == INSN_MEMORY)
		return m->strong && !m->store;
	if (m->reg[0] == NO_CODE)
		return false;
	return m->atomic == ATOMIC_CAS || m->atomic == ATOMIC_EXCH || exec_leaves(k, m);
}

bool exec_may_order(const struct ptx_kernel *k)
{
	for (unsigned i = 0; i < k->n_code; i++)
		if (may_order(k, i))
			return true;
	return false;
}

/* ---- accesses ---- */

static uint64_t mix(uint64_t hash, uint64_t v)
{
	return hash_multiply(hash ^ v) + (hash >> 32);
}

static const uint8_t *bytes_of(const struct access *at, unsigned l)
{
	return at->scattered ? at->lane_bytes[l] : at->bytes + at->offset[l];
}

/* What a poll has read, and where. */
static void note_poll(struct exec *x, uint32_t bytes, uint32_t mask, const struct access *at)
{
	struct wait_search *s = &x->wait;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);
		uint64_t value[2] = {0, 0};

		memcpy(value, bytes_of(at, l), bytes);
		s->at = mix(s->at, at->address[l]);
		s->read = mix(mix(mix(s->read, at->address[l]), value[0]), value[1]);
	}
	if (s->polled)
		return;
	s->polled = true;
	s->spin_left = x->spin_left;
	x->spin_left = 1; /* the next backward branch looks whether this is a wait */
}

/* What an attempt has executed so far is the beginning of the one that failed; *run, *done: where in that it is. */
static bool is_as_failed(const struct warp *w, const struct trace_run *so_far, uint32_t n, uint32_t *run, uint32_t *done)
{
	if (n > w->n_failed)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct trace_run *a = &so_far[i], *b = &w->failed[i];

		if (a->pc != b->pc || a->mask != b->mask || (i + 1 < n ? a->len != b->len : a->len > b->len))
			return false;
	}
	*run = n - 1;
	*done = so_far[n - 1].len;
	return true;
}

/* The rest of an attempt that fails, without its accesses: what polls less than all, because it fails before, is as
 * good. Returns the number of runs. */
static uint32_t tail_of(const struct exec *x, const struct warp *w, uint32_t run, uint32_t done, struct trace_run *out)
{
	const struct trace_inst *inst = x->k->trace.inst;
	uint32_t n = 0;

	for (; run < w->n_failed; run++, done = 0) {
		const struct trace_run *r = &w->failed[run];

		for (uint32_t pc = r->pc + done; pc < r->pc + r->len && n < MOST_RUNS; pc++) {
			uint32_t mask = trace_has_record(&inst[pc]) ? 0 : r->mask;

			if (n && out[n - 1].mask == mask && out[n - 1].pc + out[n - 1].len == pc)
				out[n - 1].len++;
			else
				out[n++] = (struct trace_run){pc, 1, mask};
		}
	}
	return n;
}

static uint32_t insts_of(const struct trace_run *run, uint32_t n)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += run[i].len;
	return sum;
}

/* ns that the warp has slept in one of the iterations that failed, by records from `first` to before `end`. */
static uint64_t slept_in(const struct warp *w, uint32_t iteration, uint32_t first, uint32_t end)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < w->n_slept; i++)
		if (w->slept[i].iteration == iteration && w->slept[i].record >= first && w->slept[i].record < end)
			ns += w->slept[i].ns;
	return ns;
}

/* Of the failed attempts, for how long each sleeps besides: behind the attempt's record number `records`, and in the
 * next one up to that record longer than in the first one, which is what the trace has of it. Returns how many. */
static uint32_t sleeps_of(const struct warp *w, uint32_t records, uint32_t *out)
{
	uint64_t least = slept_in(w, 0, 0, records);
	uint32_t n = 0;

	for (uint32_t i = 0; w->n_slept && i < w->n_iterations; i++) {
		uint64_t next = slept_in(w, i + 1 < w->n_iterations ? i + 1 : i, 0, records);

		out[n++] = (uint32_t)(slept_in(w, i, records, UINT32_MAX) + (next > least ? next - least : 0));
	}
	while (n > 1 && out[n - 1] == out[n - 2])
		n--;
	return n;
}

/* An access in an attempt of a wait that is so far as the one that failed decides for it, as long as none comes behind
 * it of which the same is true. */
static void log_attempt(struct exec *x, const struct warp *w, struct sync_log *log, struct sync_access *a, const struct access *at,
			const struct trace_run *so_far, uint32_t n, uint32_t run, uint32_t done)
{
	struct trace_run tail[MOST_RUNS];
	uint32_t sleep[MOST_ITERATIONS + 1];
	struct sync_attempt attempt = {.insts = insts_of(so_far, n),
				       .records = (uint32_t)(trace_log_end(x->w, w->id).records - x->wait.from.records),
				       .tail = tail,
				       .n_tail = tail_of(x, w, run, done, tail),
				       .sleep = sleep};

	attempt.n_sleeps = sleeps_of(w, attempt.records, sleep);
	a->waits = true;
	if (x->wait.decides)
		sync_log_takes_back(x->wait.decides);
	sync_log_access(log, a, at->address);
	sync_log_decides(log, &attempt);
	x->wait.decides = log;
}

static uint32_t lanes_at(const struct access *at, uint64_t address, uint32_t mask)
{
	uint32_t there = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1)
		there |= (at->address[__builtin_ctz(rest)] == address ? rest & -rest : 0);
	return there;
}

/* Whether all that the warp polls is one word, of which it sees loads alone. */
static void note_word(struct exec *x, struct sync_log *log, uint32_t bytes, uint32_t mask, enum ordering o, const struct access *at)
{
	struct wait_search *s = &x->wait;
	uint64_t address = at->address[__builtin_ctz(mask)];
	uint32_t word;

	if (o != ORDERING_READS || bytes > 4 || lanes_at(at, address, mask) != mask) {
		s->many = true;
		return;
	}
	word = sync_log_word(log, address, bytes);
	s->many |= s->one && (s->of != log || s->word != word);
	s->one = true;
	s->of = log;
	s->word = word;
	if (!s->replays)
		s->saw = sync_log_count(log, word);
}

void exec_wait_value(struct exec *x, enum trace_space space, const struct mem_op *m, uint32_t mask, struct access *at)
{
	struct sync_log *log = space == SPACE_SHARED ? x->of_cta : x->global;
	uint32_t bytes = (uint32_t)m->width * m->n;
	uint64_t address = at->address[__builtin_ctz(mask)];

	if (log != x->wait.of || bytes > 4 || lanes_at(at, address, mask) != mask ||
	    sync_log_word(log, address, bytes) != x->wait.word)
		return;
	at->scattered = true;
	for (unsigned l = 0; l < LANES; l++)
		at->lane_bytes[l] = (uint8_t *)&x->wait.value;
}

void exec_orders(struct exec *x, const struct warp *w, enum trace_space space, uint32_t bytes, uint32_t mask, uint32_t changed,
		 enum ordering o, const struct access *at)
{
	struct sync_log *log = space == SPACE_SHARED ? x->of_cta : x->global;
	bool polls = !changed && o >= ORDERING_TAKES;
	struct trace_run so_far[MOST_RUNS];
	uint32_t n, run, done;
	struct sync_access a;

	if (polls)
		note_poll(x, bytes, mask, at);
	if (!log)
		return;
	if (polls)
		note_word(x, log, bytes, mask, o, at);
	a = (struct sync_access){.cta = x->cta,
				 .warp = w->id,
				 .record = (uint32_t)trace_log_end(x->w, w->id).records - 1,
				 .epoch = x->epoch,
				 .bytes = bytes,
				 .mask = mask,
				 .changed = changed,
				 .reads = o == ORDERING_READS || (o == ORDERING_TAKES && changed),
				 .saw = SYNC_LATEST};
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		a.bytes_of[__builtin_ctz(rest)] = bytes_of(at, (unsigned)__builtin_ctz(rest));
	if (x->wait.attempt && o >= ORDERING_TAKES && trace_log_since(x->w, w->id, &x->wait.from, so_far, MOST_RUNS, &n) &&
	    is_as_failed(w, so_far, n, &run, &done)) {
		a.saw = polls && x->wait.replays ? x->wait.saw : SYNC_LATEST;
		log_attempt(x, w, log, &a, at, so_far, n, run, done);
	} else {
		sync_log_access(log, &a, at->address);
	}
}

/* ---- sleep ---- */

/* What the first iteration of the wait slept there, if the attempt is so far as it: the trace has that, and beside it
 * how much longer later ones sleep (sleeps_of). Else ns. */
static uint32_t first_slept(const struct exec *x, const struct warp *w, uint32_t record, uint32_t ns)
{
	struct trace_run so_far[MOST_RUNS];
	uint32_t n, run, done;

	if (!x->wait.attempt || !trace_log_since(x->w, w->id, &x->wait.from, so_far, MOST_RUNS, &n) ||
	    !is_as_failed(w, so_far, n, &run, &done))
		return ns;
	for (uint32_t i = 0; i < w->n_slept; i++)
		if (!w->slept[i].iteration && w->slept[i].record == record)
			return w->slept[i].ns;
	return ns;
}

void exec_sleep(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask)
{
	const lane_u32 *of = row_at(x, w, i->a);
	struct wait_search *s = &x->wait;
	uint64_t record[LANES];
	uint32_t ns = 0, number;

	if (!x->w)
		return;
	EACH_LANE(l) ns = mask >> l & 1 && of[l] > ns ? of[l] : ns;
	if (ns > LONGEST_SLEEP)
		ns = LONGEST_SLEEP;
	number = (uint32_t)(trace_log_end(x->w, w->id).records - s->from.records);
	if (s->head && s->n_slept < EXEC_MOST_SLEEPS)
		s->slept[s->n_slept++] = (struct slept){.record = number, .ns = ns};
	s->ns += ns;
	EACH_LANE(l) record[l] = first_slept(x, w, number, ns);
	trace_put_addrs(x->w, w->id, mask, record);
}

static void add_slept(struct warp *w, uint32_t iteration, uint32_t record, uint32_t ns)
{
	w->slept = xgrow(w->slept, w->n_slept, sizeof *w->slept);
	w->slept[w->n_slept++] = (struct slept){iteration, record, ns};
}

/* The warp has slept so in an iteration that failed, or may have. */
static void keep_slept(struct warp *w, const struct wait_search *s)
{
	if (w->n_iterations >= MOST_ITERATIONS)
		return;
	for (uint32_t i = 0; i < s->n_slept; i++)
		add_slept(w, w->n_iterations, s->slept[i].record, s->slept[i].ns);
	w->n_iterations++;
}

/* The one ahead of them has failed, too, from w->before on: it becomes number 0, and sleeps where number 1 does. */
static void keep_first_slept(const struct exec *x, struct warp *w)
{
	uint32_t n = w->n_slept;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t record = w->slept[i].record;

		if (w->slept[i].iteration++ == 0)
			add_slept(w, 0, record, (uint32_t)trace_log_record(x->w, w->id, w->before.records + record));
	}
	w->n_iterations++;
}

/* ---- waits ---- */

static struct wait_search begins_at(const struct exec *x, const struct warp *w, const struct insn *head, uint32_t mask,
				    uint32_t join)
{
	struct wait_search s = {.head = head, .mask = mask, .join = join, .n_stack = w->n_stack, .effects = x->effects};

	if (x->w)
		s.from = trace_log_end(x->w, w->id);
	return s;
}

/* The attempt that comes next sees the word after the first modification that the warp has not seen. False: there is
 * none. */
static bool replay(struct exec *x, const struct warp *w)
{
	struct wait_search *s = &x->wait;

	s->of = w->polls_shared ? x->of_cta : x->global;
	s->word = w->polled;
	s->one = true;
	s->replays = sync_log_next(s->of, w->polled, w->saw, &s->saw, &s->value);
	return s->replays;
}

/* Takes back what the warp has logged since the mark. */
static void cut(struct exec *x, struct warp *w, const struct trace_mark *to)
{
	struct trace_run dropped[(MOST_BACK_OFF + 3) * MOST_RUNS];
	uint32_t n;

	if (x->unfolded && trace_log_since(x->w, w->id, to, dropped, (MOST_BACK_OFF + 3) * MOST_RUNS, &n))
		for (uint32_t i = 0; i < n; i++)
			if (dropped[i].mask)
				w->issued -= x->unfolded[dropped[i].pc + dropped[i].len] - x->unfolded[dropped[i].pc];
	trace_log_cut(x->w, w->id, to);
}

/* Likewise, of what was said of its order. */
static void cut_order(struct exec *x, const struct warp *w, const struct trace_mark *to)
{
	sync_log_cut(x->global, x->cta, w->id, (uint32_t)to->records);
	sync_log_cut(x->of_cta, x->cta, w->id, (uint32_t)to->records);
}

bool exec_wait_begin(struct exec *x, struct warp *w, const struct insn *head, uint32_t mask, uint32_t join)
{
	x->wait = (struct wait_search){0};
	if (!w->waits)
		return true;
	x->wait = begins_at(x, w, head, mask, join);
	x->wait.attempt = !x->patient && !x->no_spin;
	if (x->wait.attempt) {
		if (w->polls_one ? !replay(x, w) : x->effects == w->saw_effects)
			return false;
		if (x->w) {
			cut(x, w, &w->before);
			x->wait.from = w->before;
		}
	}
	w->waits = false;
	return true;
}

void exec_wait_leave(struct exec *x, struct warp *w)
{
	if (x->w)
		cut(x, w, &w->before);
	w->waits = false;
	x->wait = (struct wait_search){0};
}

/* The iteration ahead of the mark, by which the loop was entered from above: whether it failed, too. */
static bool first_failed(const struct exec *x, const struct warp *w, const struct trace_mark *mark, struct trace_mark *first)
{
	return trace_log_repeats(x->w, w->id, mark, w->failed, w->n_failed, first) &&
	       !sync_log_modifies(x->global, x->cta, w->id, (uint32_t)first->records) &&
	       !sync_log_modifies(x->of_cta, x->cta, w->id, (uint32_t)first->records);
}

/* The warp has made iterations that are alike. False: they are too long for a wait. */
static bool begin_wait(struct exec *x, struct warp *w)
{
	const struct wait_search *s = &x->wait;
	struct trace_run failed[MOST_RUNS];
	uint32_t n;

	w->polls_at = s->at;
	if (!x->w)
		return true;
	if (!trace_log_since(x->w, w->id, &s->from, failed, MOST_RUNS, &n))
		return false;
	w->failed = xrealloc(w->failed, n * sizeof *failed);
	memcpy(w->failed, failed, n * sizeof *failed);
	w->n_failed = n;
	if (first_failed(x, w, &s->series, &w->before))
		keep_first_slept(x, w);
	else
		w->before = s->series;
	cut_order(x, w, &w->before); /* while nothing of others is behind it */
	return true;
}

/* What the warp has seen when it stops. */
static void note_seen(struct exec *x, struct warp *w)
{
	w->polls_one = x->wait.one && !x->wait.many && !sync_log_is_full(x->wait.of);
	w->polls_shared = x->wait.of == x->of_cta;
	w->polled = x->wait.word;
	w->saw = x->wait.saw;
	w->saw_effects = x->effects;
}

bool exec_waits(struct exec *x, struct warp *w, const struct insn *head, uint32_t mask, uint32_t join)
{
	struct wait_search *s = &x->wait, next = begins_at(x, w, head, mask, join);
	bool same = head == s->head && mask == s->mask && join == s->join && w->n_stack == s->n_stack && x->effects == s->effects;
	bool failed = same && s->attempt && s->at == w->polls_at;

	if (failed && x->w) {
		cut(x, w, &s->from);
		cut_order(x, w, &s->from);
	}
	s->alike = same && s->read == s->read_before ? s->alike + 1 : 0;
	if (!s->alike)
		s->series = same ? s->from : next.from;
	if (!s->alike && !failed)
		w->n_slept = w->n_iterations = 0;
	if (same)
		keep_slept(w, s);
	w->waits = failed || (s->alike >= (s->ns == s->ns_before ? ALIKE : MOST_BACK_OFF) && begin_wait(x, w));
	if (w->waits)
		note_seen(x, w);
	x->counting |= w->waits;
	next.read_before = s->read;
	next.ns_before = s->ns;
	next.alike = s->alike;
	next.series = s->series;
	if (x->w)
		next.from = trace_log_end(x->w, w->id);
	*s = next;
	if (!failed || !w->polls_one || !replay(x, w)) /* what came in between, one by one */
		return w->waits;
	s->attempt = true;
	w->waits = false;
	return false;
}
