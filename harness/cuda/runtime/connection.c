#include "cuda/runtime/connection.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cuda/wire_io.h"
#include "cuda/wire_queue.h"
#include "ptx/memory.h"

/* The library is there once in a process, and so is what it is joined to. */
struct connection {
	pthread_once_t once;
	pthread_mutex_t lock;
	int socket; /* -1: there is no device */
	uint8_t *window;
	struct wire_queue *queue;
	struct wire_device device;
	atomic_bool in_step;
};

struct connection *locus_cuda_connection(void);
struct connection *locus_cuda_connection(void)
{
	static struct connection c = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1};

	return &c;
}

/* A program may have several of our libraries (libcudart, libcuda): the first one's is everybody's. */
static struct connection *connection(void)
{
	static struct connection *_Atomic found;
	struct connection *(*first)(void);

	if (found)
		return found;
	*(void **)&first = dlsym(RTLD_DEFAULT, "locus_cuda_connection");
	found = first ? first() : locus_cuda_connection();
	return found;
}

static bool drop(int fd, size_t n)
{
	char rest[4096];

	for (; n; n -= n < sizeof rest ? n : sizeof rest)
		if (!wire_get(fd, rest, n < sizeof rest ? n : sizeof rest))
			return false;
	return true;
}

static bool exchange(int fd, const struct wire_call *call, struct message *m, struct wire_answer *answer)
{
	size_t take;

	if (!wire_put(fd, call, sizeof *call, m->out, m->out_bytes) || !wire_get(fd, answer, sizeof *answer))
		return false;
	if (m->take_all && answer->bytes)
		m->in = malloc(m->in_room = answer->bytes);
	if (m->take_all && !m->in)
		m->in_room = 0;
	take = answer->bytes < m->in_room ? answer->bytes : m->in_room;
	m->in_bytes = take;
	return wire_get(fd, m->in, take) && drop(fd, answer->bytes - take);
}

/* At its device addresses, where no access of the host's goes through, and once more where the library reaches it. */
static bool map_memory(struct connection *c, int memory)
{
	void *at = (void *)(uintptr_t)MEMORY_FIRST_BASE;

	if (mmap(at, MEMORY_WINDOW, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory, 0) != at)
		return false;
	c->window = mmap(NULL, MEMORY_WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
	c->queue = mmap(NULL, sizeof *c->queue, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)MEMORY_WINDOW);
	return c->window != MAP_FAILED && c->queue != MAP_FAILED;
}

static int descriptor(const char *name)
{
	const char *text = getenv(name);
	char *end;
	long n;

	if (!text || !*text)
		return -1;
	n = strtol(text, &end, 10);
	return *end || n < 0 || n > 1 << 20 ? -1 : (int)n;
}

static void open_once(void)
{
	struct connection *c = connection();
	int socket = descriptor(WIRE_SOCKET), memory = descriptor(WIRE_MEMORY);
	struct wire_call hello = {.op = WIRE_HELLO, .a = {WIRE_VERSION}};
	struct message m = {.in = &c->device, .in_room = sizeof c->device};
	struct wire_answer answer;

	if (socket < 0 || memory < 0) {
		fprintf(stderr, "locus: this program's CUDA runtime is Locus': run it as `locus cuda %s`\n",
			program_invocation_short_name);
		return;
	}
	if (!map_memory(c, memory)) {
		fprintf(stderr, "locus: the device's addresses, from 0x%llx on, are in use in this program\n",
			(unsigned long long)MEMORY_FIRST_BASE);
		return;
	}
	if (!exchange(socket, &hello, &m, &answer) || answer.error) {
		fprintf(stderr, "locus: this program's CUDA runtime and `locus cuda` are of different versions\n");
		return;
	}
	c->socket = socket;
}

static int opened(void)
{
	pthread_once(&connection()->once, open_once);
	return connection()->socket;
}

const struct wire_device *connection_device(void)
{
	return opened() < 0 ? NULL : &connection()->device;
}

static cudaError_t call_device(enum wire_op op, unsigned n, const uint64_t *a, struct message *m, struct wire_answer *answer)
{
	struct wire_call call = {.op = op};
	int fd = opened();
	bool done;

	if (fd < 0)
		return cudaErrorNoDevice;
	if (m->out_bytes > WIRE_MAX_BYTES)
		return cudaErrorInvalidValue;
	call.bytes = (uint32_t)m->out_bytes;
	for (unsigned i = 0; i < n; i++)
		call.a[i] = a[i];
	pthread_mutex_lock(&connection()->lock);
	done = exchange(fd, &call, m, answer);
	pthread_mutex_unlock(&connection()->lock);
	return done ? cudaSuccess : cudaErrorOperatingSystem;
}

cudaError_t connection_call(enum wire_op op, unsigned n, const uint64_t *a, struct message *m, struct wire_answer *answer)
{
	struct wire_answer own = {0};
	struct message none = {0};
	cudaError_t error;

	answer = answer ? answer : &own;
	*answer = own;
	error = call_device(op, n, a, m ? m : &none, answer);
	return error ? error : (cudaError_t)answer->error;
}

bool connection_go_ahead(unsigned n, const uint64_t *a, const void *params, size_t bytes)
{
	const struct wire_call ring = {.op = WIRE_RING};
	struct wire_call launch = {.op = WIRE_LAUNCH, .bytes = (uint32_t)bytes};
	int fd = opened();
	bool put, waits;

	if (fd < 0)
		return false;
	memcpy(launch.a, a, n * sizeof *a);
	pthread_mutex_lock(&connection()->lock);
	put = wire_queue_put(connection()->queue, &launch, params, &waits);
	if (waits)
		put = wire_put(fd, &ring, sizeof ring, NULL, 0);
	pthread_mutex_unlock(&connection()->lock);
	return put;
}

void connection_keep_in_step(void)
{
	connection()->in_step = true;
}

bool connection_in_step(void)
{
	return connection()->in_step;
}

bool connection_is_device(const void *p)
{
	return (uintptr_t)p - MEMORY_FIRST_BASE < MEMORY_WINDOW && opened() >= 0;
}

void *connection_bytes(const void *p)
{
	return connection()->window + ((uintptr_t)p - MEMORY_FIRST_BASE);
}

int connection_open_to_host(void *p, size_t bytes, bool open)
{
	return mprotect(p, bytes, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}
