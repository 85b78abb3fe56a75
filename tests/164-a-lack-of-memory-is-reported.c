/* 164: where memory ends while a trace is written or read, the user reads so, in one line, whichever library asked for
 * it. */
#include <criterion/criterion.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/program.h"
#include "support/random.h"
#include "trace/trace.h"

enum { INSTS = 1000, RUNS = 100000, STEP = 128 << 10, STEPS = 128 };
enum { TOLD = 3, WRONGLY_TOLD = 4 }; /* exit statuses of a child; 0: there was enough; 2: "locus: out of memory" */

#if defined(__SANITIZE_ADDRESS__)
#define LIMITED false /* the sanitizer's own memory is beyond any limit */
#else
#define LIMITED true
#endif

/* Of memory that can be written. RLIMIT_AS will not do: a thread's heap has 64 MiB of addresses in reserve. */
static void leave_only(rlim_t bytes)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long kb = 0;
	char line[256];

	while (f && fgets(line, sizeof line, f) && sscanf(line, "VmData: %lu", &kb) != 1)
		;
	if (!kb)
		_exit(WRONGLY_TOLD);
	fclose(f);
	bytes += (rlim_t)kb << 10;
	setrlimit(RLIMIT_DATA, &(struct rlimit){bytes, bytes});
}

static struct trace_writer *long_cta(const char *path)
{
	static struct trace_inst inst[INSTS];
	static char *names[] = {"nop"};
	struct trace_kernel k = {.name = "k", .n_inst = INSTS, .inst = inst, .n_names = 1, .names = names};
	const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "long", .path = path}, &e);
	uint64_t s = 164;

	if (!w || trace_launch_begin(w, trace_add_kernel(w, &k), one, warp, 0, &e))
		_exit(WRONGLY_TOLD);
	trace_cta_begin(w, 0);
	for (unsigned i = 0; i < RUNS; i++) {
		uint64_t x = random_u64(&s);

		trace_put_run(w, 0, (uint32_t)(x >> 40) % INSTS, 1, (uint32_t)(x >> 8));
	}
	return w;
}

static void say(int failed, const struct err *e)
{
	_exit(!failed ? 0 : strstr(e->text, "not enough memory") && !strchr(e->text, '\n') ? TOLD : WRONGLY_TOLD);
}

static void write_with(void *what, rlim_t bytes)
{
	struct trace_writer *w = what;
	struct err e = {""};

	leave_only(bytes);
	say(trace_cta_end(w, &e), &e);
}

static void begin_with(void *what, rlim_t bytes)
{
	struct trace_writer *w;
	struct err e = {""};

	(void)what;
	leave_only(bytes);
	w = trace_writer_new(&(struct trace_options){.name = "x"}, &e);
	say(!w, &e);
}

static void read_with(void *what, rlim_t bytes)
{
	struct trace_cta c = {0};
	struct err e = {""};

	leave_only(bytes);
	say(trace_read_cta(what, 0, 0, &c, &e), &e);
}

/* How many of the limits ended in a message of the trace's own; fails if any ended otherwise than it may. */
static unsigned reported(void (*attempt)(void *, rlim_t), void *what, rlim_t step)
{
	unsigned n = 0, enough = 0;

	for (unsigned i = 0; i < STEPS; i++) {
		pid_t child;
		int status = 0;

		fflush(NULL);
		child = fork();
		if (child == 0) {
			if (!freopen("/dev/null", "w", stderr))
				_exit(WRONGLY_TOLD);
			attempt(what, i * step);
		}
		waitpid(child, &status, 0);
		cr_assert(WIFEXITED(status), "%lu bytes: signal %d", (unsigned long)(i * step), WTERMSIG(status));
		cr_assert(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2 || WEXITSTATUS(status) == TOLD,
			  "%lu bytes: status %d", (unsigned long)(i * step), WEXITSTATUS(status));
		n += WEXITSTATUS(status) == TOLD;
		enough += WEXITSTATUS(status) == 0;
	}
	cr_assert(enough, "no limit was enough");
	return n;
}

/* So that what is freed goes back to the system, and every large block counts against the limit. */
static void keep_no_free_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 64 << 10);
	mallopt(M_TRIM_THRESHOLD, 0);
}

Test(memory, that_ends_while_a_trace_is_written_is_reported, .init = keep_no_free_memory, .disabled = !LIMITED)
{
	struct trace_writer *w = long_cta(NULL);

	cr_assert_gt(reported(write_with, w, STEP), 0, "no limit let compression fail");
	trace_writer_drop(w);
}

Test(memory, that_ends_before_a_trace_is_begun_is_reported, .init = keep_no_free_memory, .disabled = !LIMITED)
{
	reported(begin_with, NULL, 16 << 10);
}

Test(memory, that_ends_while_a_trace_is_read_is_reported, .init = keep_no_free_memory, .disabled = !LIMITED)
{
	struct trace_writer *w = long_cta(NULL);
	struct err e = {""};
	struct trace *t;

	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_end(w, &e), 0);
	t = trace_writer_finish(w, &e);
	reported(read_with, t, 64 << 10);
	trace_close(t);
}
