#include "session/tries.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/live.h"
#include "machine/unread.h"
#include "process/interrupt.h"

/* Whether "KEY=VALUE,..." has the key. */
static bool has_key(const char *changes, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = changes; (at = strstr(at, key)); at += n)
		if ((at == changes || at[-1] == ',') && at[n] == '=')
			return true;
	return false;
}

static int change(struct machine *m, const char *changes, struct err *e)
{
	char why[UNREAD_MAX];

	if (machine_change(m, changes, e) != 0)
		return -1;
	for (const char *const *k = machine_live_keys; *k; k++)
		if (has_key(changes, *k) && machine_unread(m, *k, why))
			return err_set(e, "%s has no effect: %s", *k, why);
	return 0;
}

int tries_init(struct tries *t, const struct tries_options *o, struct machine *m, struct arena *a, struct err *e)
{
	*t = (struct tries){.options = o, .machine = m};
	t->of = arena_array(a, o->n, sizeof *t->of);
	t->status = arena_array(a, o->n, sizeof *t->status);
	t->result = arena_array(a, o->n, sizeof *t->result);
	for (unsigned i = 0; i < o->n; i++) {
		t->of[i] = *m;
		if (change(&t->of[i], o->text[i], e) != 0)
			return err_prefix(e, "--try %.200s", o->text[i]);
	}
	for (unsigned i = 0; i < o->n; i++) {
		t->result[i] = tmpfile();
		if (!t->result[i])
			return err_set(e, "--try: no file for a result: %s", strerror(errno));
	}
	return 0;
}

void tries_free(struct tries *t)
{
	for (unsigned i = 0; t->result && i < t->options->n; i++)
		if (t->result[i])
			fclose(t->result[i]);
	*t = (struct tries){0};
}

const char *tries_path(struct arena *a, const char *path, unsigned i)
{
	const char *slash, *dot;

	if (!path || !strcmp(path, "-"))
		return NULL;
	slash = strrchr(path, '/');
	dot = strrchr(slash ? slash : path, '.');
	if (!dot || dot == path || dot == slash + 1)
		dot = path + strlen(path);
	return arena_printf(a, "%.*s.try%u%s", (int)(dot - path), path, i + 1, dot);
}

/* ---- at the pause ---- */

static int in_try(struct tries *t, unsigned i, struct gpu_turn *turn, struct err *e)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a run that was killed wants no tries */
	t->mine = i + 1;
	*t->machine = t->of[i];
	*turn = (struct gpu_turn){.machine = &t->of[i], .forked = true};
	return t->options->begins ? t->options->begins(t->options->ctx, i, e) : 0;
}

struct running {
	unsigned n;
	pid_t process[TRIES_MAX]; /* by try; 0: none */
};

static void interrupt_all(const struct running *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (r->process[i])
			kill(r->process[i], interrupt_taken());
}

/* Until one of them has ended. A signal to the run alone goes on to its tries. */
static void wait_for_one(struct tries *t, struct running *r)
{
	unsigned n = t->options->n;
	int status;
	pid_t p;

	while ((p = waitpid(-1, &status, 0)) < 0 && errno == EINTR)
		if (interrupt_taken())
			interrupt_all(r, n);
	for (unsigned i = 0; i < n; i++) {
		if (p > 0 && r->process[i] != p)
			continue;
		t->status[i] = p > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (p > 0 ? WTERMSIG(status) : 0);
		r->n -= r->process[i] != 0;
		r->process[i] = 0;
	}
}

static int pause_run(void *tries, const struct gpu *g, struct gpu_turn *turn, struct err *e)
{
	struct tries *t = tries;
	unsigned most = t->options->side_by_side ? t->options->side_by_side : 1;
	struct running r = {0};

	t->paused = true;
	for (unsigned i = 0; i < t->options->n; i++)
		if (gpu_may_change(g, &t->of[i], e) != 0)
			return err_prefix(e, "--try %s", t->options->text[i]);
	fflush(NULL); /* what is not written yet would be written by each */
	for (unsigned i = 0; i < t->options->n && !interrupt_taken(); i++) {
		pid_t p;

		while (r.n >= most)
			wait_for_one(t, &r);
		p = fork();
		if (p == 0)
			return in_try(t, i, turn, e);
		if (p < 0) {
			err_set(e, "--try %s: no process for it: %s", t->options->text[i], strerror(errno));
			break;
		}
		r.process[i] = p;
		r.n++;
	}
	while (r.n)
		wait_for_one(t, &r);
	return e->text[0] ? -1 : 0;
}

struct gpu_pause_hook tries_pause_hook(struct tries *t)
{
	return (struct gpu_pause_hook){.cycle = t->options->at, .pause = pause_run, .ctx = t};
}
