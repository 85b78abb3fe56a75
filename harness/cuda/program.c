#include "cuda/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/files/root.h"
#include "cuda/device.h"
#include "cuda/wire_io.h"
#include "cuda/wire_queue.h"
#include "process/command.h"

/* ---- the device's memory ---- */

bool cuda_program_is(const char *what)
{
	static const char elf[] = "\177ELF";
	char magic[sizeof elf - 1];
	struct stat st;
	bool is;
	FILE *f;

	if (!strchr(what, '/') || stat(what, &st) != 0 || !S_ISREG(st.st_mode) || !(st.st_mode & S_IXUSR))
		return false;
	f = fopen(what, "re");
	is = f && fread(magic, 1, sizeof magic, f) == sizeof magic && !memcmp(magic, elf, sizeof magic);
	if (f)
		fclose(f);
	return is;
}

int cuda_program_open(struct cuda_program *p, struct err *e)
{
	const char *slash = strrchr(p->argv[0], '/');

	p->name = slash ? slash + 1 : p->argv[0];
	p->window = NULL;
	p->queue = NULL;
	p->printer = open_memstream(&p->printed, &p->n_printed);
	if (!p->printer)
		return err_set(e, "%s", strerror(errno));
	p->memory = memfd_create("locus-device", MFD_ALLOW_SEALING);
	/* The program has the descriptor too, and must not take away what the device reads. */
	if (p->memory < 0 || ftruncate(p->memory, (off_t)(MEMORY_WINDOW + sizeof *p->queue)) != 0 ||
	    fcntl(p->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
		return err_set(e, "the device's memory: %s", strerror(errno));
	p->window = mmap(NULL, MEMORY_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, p->memory, 0);
	if (p->window == MAP_FAILED) {
		p->window = NULL;
		return err_set(e, "the device's memory: %s (%llu bytes of addresses; a limit on them, ulimit -v?)", strerror(errno),
			       (unsigned long long)MEMORY_WINDOW);
	}
	p->queue = mmap(NULL, sizeof *p->queue, PROT_READ | PROT_WRITE, MAP_SHARED, p->memory, (off_t)MEMORY_WINDOW);
	if (p->queue == MAP_FAILED) {
		p->queue = NULL;
		return err_set(e, "the queue of launches: %s", strerror(errno));
	}
	return 0;
}

void cuda_program_close(struct cuda_program *p)
{
	if (p->window)
		munmap(p->window, MEMORY_WINDOW);
	if (p->queue)
		munmap(p->queue, sizeof *p->queue);
	if (p->memory >= 0)
		close(p->memory);
	if (p->printer)
		fclose(p->printer);
	free(p->printed);
}

/* ---- its process ---- */

struct process {
	pid_t pid;
	int socket, ended; /* ended: can be read when the process is no more */
};

static void set_number(const char *name, int n)
{
	char text[16];

	snprintf(text, sizeof text, "%d", n);
	setenv(name, text, 1);
}

/* Our libraries are found ahead of CUDA's, whatever the program was linked with. */
static void set_library_path(void)
{
	char folder[ROOT_PATH_MAX], path[2 * ROOT_PATH_MAX];
	const char *had = getenv("LD_LIBRARY_PATH");

	root_path("build/cuda", folder);
	snprintf(path, sizeof path, "%s%s%s", folder, had && *had ? ":" : "", had ? had : "");
	setenv("LD_LIBRARY_PATH", path, 1);
}

/* In the child. What went wrong is written to `told`, which a program that begins closes. */
static _Noreturn void become(const struct cuda_program *p, int socket, int told)
{
	int error;

	fcntl(socket, F_SETFD, 0);
	fcntl(p->memory, F_SETFD, 0);
	set_number(WIRE_SOCKET, socket);
	set_number(WIRE_MEMORY, p->memory);
	set_library_path();
	execvp(p->argv[0], p->argv);
	error = errno;
	if (write(told, &error, sizeof error) < 0)
		_exit(126);
	_exit(127);
}

static int start(const struct cuda_program *p, struct process *child, struct err *e)
{
	int pair[2], told[2], error = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 || pipe2(told, O_CLOEXEC) != 0)
		return err_set(e, "%s: %s", p->argv[0], strerror(errno));
	fflush(NULL);
	child->pid = fork();
	if (child->pid == 0)
		become(p, pair[1], told[1]);
	close(pair[1]);
	close(told[1]);
	child->socket = pair[0];
	if (child->pid < 0)
		error = errno;
	else if (read(told[0], &error, sizeof error) == sizeof error)
		waitpid(child->pid, NULL, 0);
	close(told[0]);
	if (error) {
		close(pair[0]);
		return err_set(e, "%s: %s", p->argv[0], strerror(error));
	}
	child->ended = (int)syscall(SYS_pidfd_open, child->pid, 0);
	return 0;
}

static void await(struct cuda_program *p, const struct process *child)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	p->status = p->signal ? 128 + p->signal : WEXITSTATUS(status);
}

void cuda_program_end(const struct cuda_program *p, char out[96])
{
	const char *text = p->signal ? sigdescr_np(p->signal) : NULL;

	if (p->signal)
		snprintf(out, 96, "was ended by signal %d (%s)", p->signal, text ? text : "unknown");
	else
		snprintf(out, 96, "ended with exit status %d", p->status);
}

/* ---- its calls ---- */

/* True: there is something to read. False: the program has ended, or closed the socket. A child of its own may hold the
 * socket open. */
static bool wait_for_call(const struct process *child)
{
	struct pollfd fd[2] = {{.fd = child->socket, .events = POLLIN}, {.fd = child->ended, .events = POLLIN}};

	while (poll(fd, 2, -1) < 0)
		if (errno != EINTR)
			return false;
	return fd[0].revents & POLLIN;
}

/* What is behind a head, with a zero after it. Room is taken as it comes, not as it is announced. */
static uint8_t *get_bytes(int fd, uint32_t n)
{
	enum { STEP = 1 << 20 };
	uint8_t *bytes = xmalloc(1);
	size_t done = 0;

	if (n > WIRE_MAX_BYTES) {
		free(bytes);
		return NULL;
	}
	while (done < n) {
		size_t part = n - done < STEP ? n - done : STEP;

		bytes = xrealloc(bytes, done + part + 1);
		if (!wire_get(fd, bytes + done, part)) {
			free(bytes);
			return NULL;
		}
		done += part;
	}
	bytes[done] = 0;
	return bytes;
}

/* The launches that went ahead, in their order. False: what is in the queue is none. */
static bool execute_ahead(struct device *d, struct wire_queue_taker *t)
{
	enum wire_taken took;

	for (;;) {
		struct device_call c = {.bytes = t->behind, .ahead = true};

		took = wire_queue_take(t, &c.head);
		if (took != WIRE_TOOK)
			return took == WIRE_TOOK_NONE;
		device_answer(d, &c);
		free(c.out);
	}
}

/* A call at the socket. What went ahead of it is executed first. */
static bool serve_one(struct device *d, struct wire_queue_taker *t, int fd)
{
	struct device_call c = {.out = NULL};
	uint8_t *bytes;
	bool done;

	if (!wire_get(fd, &c.head, sizeof c.head))
		return false;
	bytes = get_bytes(fd, c.head.bytes);
	if (!bytes)
		return false;
	c.bytes = bytes;
	d->program->met = true;
	done = execute_ahead(d, t);
	if (done && c.head.op != WIRE_RING) {
		device_answer(d, &c);
		done = wire_put(fd, &c.answer, sizeof c.answer, c.out, c.answer.bytes);
	}
	free(c.out);
	free(bytes);
	return done;
}

static void serve(struct device *d, const struct process *child)
{
	struct wire_queue_taker *t = xcalloc(1, sizeof *t);
	bool goes_on = true;

	t->queue = d->program->queue;
	while (goes_on) {
		goes_on = execute_ahead(d, t);
		if (goes_on && wire_queue_wait(t)) {
			goes_on = wait_for_call(child) && serve_one(d, t, child->socket);
			wire_queue_wake(t);
		}
	}
	execute_ahead(d, t); /* the program has ended, and left them */
	free(t);
}

/* ---- from begin to end ---- */

/* It ended without a call to our library. Whether it has CUDA's own built in shows in its file, which names the
 * sections that compilers put device code into. */
static int no_call(const struct cuda_program *p, struct err *e)
{
	struct command_output found;
	char end[96];
	const char *const argv[] = {"grep", "-q", "-a", "-F", "nv_fatbin", "--", p->argv[0], NULL};

	cuda_program_end(p, end);
	if (command_capture(argv, &found, e) == 0 && found.status == 0)
		return err_set(e,
			       "%s has CUDA's own runtime built in: build it again with nvcc -cudart shared, or locus nvcc%s%s%s",
			       p->argv[0], p->signal ? " (it " : "", p->signal ? end : "", p->signal ? ")" : "");
	if (p->status)
		return err_set(e, "%s %s before it called CUDA's runtime library", p->argv[0], end);
	return err_set(e, "%s made no call of CUDA's runtime library", p->argv[0]);
}

/* Whether there is something to time. */
static int outcome(const struct cuda_program *p, const struct device *d, struct err *e)
{
	char end[96];

	if (d->fault_error && !host_was_cut(d->host))
		return err_set(e, "%s: a kernel failed, so that nothing is timed", p->name);
	if (d->misled)
		return err_set(e, "%s: what it says of its arrays was refused, so that nothing is timed", p->name);
	if (!p->met)
		return no_call(p, e);
	cuda_program_end(p, end);
	if (!p->executed)
		return err_set(e, "%s launched no kernel, and %s", p->name, end);
	if (!p->recorded)
		return err_set(e, "--kernels %s: takes none of the %u launches of %s", p->kernels, p->executed, p->name);
	return 0;
}

/* Runs the program to its end. */
static int run(void *program, struct host *h, struct err *e)
{
	struct cuda_program *p = program;
	struct process child = {.pid = -1, .socket = -1, .ended = -1};
	struct device d;
	int rc;

	host_describe(h, "%s", p->name);
	if (host_args_done(h, e) != 0 || start(p, &child, e) != 0)
		return -1;
	p->pid = child.pid;
	device_init(&d, p, h);
	serve(&d, &child);
	close(child.socket);
	await(p, &child);
	close(child.ended);
	rc = outcome(p, &d, e);
	device_free(&d);
	return rc;
}

struct source_program cuda_program_source(struct cuda_program *p)
{
	return (struct source_program){.run = run, .ctx = p, .window = p->window, .print_to = p->printer};
}
