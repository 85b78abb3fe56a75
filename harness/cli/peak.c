#include "cli/peak.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload/program.h"
#include "workload/source.h"

struct report { /* by the process to the one that started it */
	struct peak peak;
	struct err e;
};

static unsigned count(const char *const *args)
{
	unsigned n = 0;

	while (args[n])
		n++;
	return n;
}

static int run(const char *root, const char *name, const char *const *args, struct peak *p, struct err *e)
{
	const struct workload *w = workload_find(name);
	struct host_options o = {.n_args = count(args), .args = args};
	struct host *h;
	char ptx[4096];
	int rc;

	snprintf(ptx, sizeof ptx, "%s/traces/%s/kernel.ptx", root, name);
	o.ptx_path = ptx;
	h = w ? host_new(&o, e) : NULL;
	if (!h)
		return err_set(e, "no workload \"%s\"", name);
	rc = w->run(h, e);
	p->warp_insts = host_warp_insts(h);
	host_free(h);
	return rc;
}

static int record(const char *root, const char *name, const char *const *args, struct peak *p, struct err *e)
{
	const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	char path[4096];
	struct source_options o = {.what = name, .root = root, .n_args = count(args), .args = args, .record_path = path};
	struct trace_sizes sizes;
	struct source s;

	snprintf(path, sizeof path, "%s/locus-peak-%ld.ltrace", folder, (long)getpid());
	if (source_open(&s, &o, e))
		return -1;
	sizes = trace_sizes(s.trace);
	p->warp_insts = s.executed;
	p->stored = sizes.stored;
	p->raw = sizes.raw;
	for (uint32_t i = 0; i < trace_n_launches(s.trace); i++)
		p->ctas += trace_launch(s.trace, i)->n_ctas;
	source_close(&s);
	unlink(path);
	return 0;
}

static _Noreturn void child(int to, const char *root, const char *name, const char *const *args, bool recorded)
{
	struct report t = {0};
	struct rusage u;
	int rc = recorded ? record(root, name, args, &t.peak, &t.e) : run(root, name, args, &t.peak, &t.e);

	getrusage(RUSAGE_SELF, &u);
	t.peak.mib = (double)u.ru_maxrss / 1024;
	_exit(write(to, &t, sizeof t) != sizeof t || rc ? 1 : 0);
}

int peak_of(const char *root, const char *workload, const char *const *args, bool recorded, struct peak *out, struct err *e)
{
	struct report t = {0};
	int ends[2], status = 0;
	ssize_t n;
	pid_t pid;

	fflush(NULL);
	if (pipe(ends) || (pid = fork()) < 0)
		return err_set(e, "%s: cannot start a process to measure its memory: %s", workload, strerror(errno));
	if (pid == 0)
		child(ends[1], root, workload, args, recorded);
	close(ends[1]);
	n = read(ends[0], &t, sizeof t);
	close(ends[0]);
	waitpid(pid, &status, 0);
	*out = t.peak;
	if (n == sizeof t && !WEXITSTATUS(status) && WIFEXITED(status))
		return 0;
	return err_set(e, "%s", t.e.text[0] ? t.e.text : "the process that measures memory was killed");
}
