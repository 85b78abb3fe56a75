/* A program that says to `locus cuda` whatever it likes, on the socket of cuda/wire.h and in the queue of launches. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cuda/wire_queue.h"
#include "ptx/memory.h"

static uint64_t next(uint64_t *state) /* xorshift64 */
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	return *state ^= *state << 17;
}

static int number(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : -1;
}

/* Reads what there is to read, so that neither side waits for the other. */
static void drain(int fd)
{
	char rest[65536];

	while (recv(fd, rest, sizeof rest, MSG_DONTWAIT) > 0)
		;
}

/* Calls with random words, with fewer bytes behind them than they say, or more. */
static void calls(int fd, uint64_t seed)
{
	char bytes[512];

	for (int i = 0; i < 20000; i++) {
		struct wire_call c = {.op = (uint32_t)(next(&seed) % (WIRE_OPS + 2)),
				      .bytes = (uint32_t)(next(&seed) % sizeof bytes)};

		for (int w = 0; w < WIRE_WORDS; w++)
			c.a[w] = next(&seed) >> (next(&seed) % 64);
		for (unsigned b = 0; b < sizeof bytes; b++)
			bytes[b] = (char)next(&seed);
		if (send(fd, &c, sizeof c, MSG_NOSIGNAL) < 0 || send(fd, bytes, c.bytes, MSG_NOSIGNAL) < 0)
			return;
		drain(fd);
	}
}

static void noise(int fd, uint64_t seed)
{
	uint64_t words[1024];

	for (unsigned i = 0; i < 1024; i++)
		words[i] = next(&seed);
	(void)!write(fd, words, sizeof words);
}

static void huge(int fd)
{
	struct wire_call c = {.op = WIRE_MODULE, .bytes = UINT32_MAX};

	(void)!write(fd, &c, sizeof c);
	c.bytes = WIRE_MAX_BYTES;
	(void)!write(fd, &c, sizeof c);
}

/* Launches of no kernel, calls that are no launches, and words and lengths that cannot be; the device is called for
 * each, and finds others when it looks. */
static void queue(int fd, uint64_t seed)
{
	struct wire_queue *q = mmap(NULL, sizeof *q, PROT_READ | PROT_WRITE, MAP_SHARED, number(WIRE_MEMORY), (off_t)MEMORY_WINDOW);
	struct wire_call ring = {.op = WIRE_RING};

	if (q == MAP_FAILED)
		exit(1);
	for (int i = 0; i < 2000; i++) {
		struct wire_call c = {.op = i < 1000 ? WIRE_LAUNCH : (uint32_t)(next(&seed) % (WIRE_OPS + 2)),
				      .bytes = (uint32_t)(next(&seed) % 512)};
		bool waits;

		for (int w = 0; w < WIRE_WORDS; w++)
			c.a[w] = next(&seed) >> (next(&seed) % 64);
		wire_queue_put(q, &c, q->bytes + next(&seed) % 1024, &waits);
		if (send(fd, &ring, sizeof ring, MSG_NOSIGNAL) < 0)
			return;
	}
	for (int i = 0; i < 2000; i++) {
		uint64_t v = next(&seed);

		memcpy(q->bytes + v % (WIRE_QUEUE_BYTES - sizeof v), &v, sizeof v);
		q->put += next(&seed) >> (next(&seed) % 64);
		q->taken = next(&seed);
		if (send(fd, &ring, sizeof ring, MSG_NOSIGNAL) < 0)
			return;
	}
}

int main(int argc, char **argv)
{
	int fd = number(WIRE_SOCKET);
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "calls"))
		calls(fd, 1 + strtoull(argv[2], NULL, 10));
	else if (!strcmp(how, "noise"))
		noise(fd, 1 + strtoull(argv[2], NULL, 10));
	else if (!strcmp(how, "queue"))
		queue(fd, 1 + strtoull(argv[2], NULL, 10));
	else if (!strcmp(how, "huge"))
		huge(fd);
	else if (!strcmp(how, "half"))
		(void)!write(fd, "half a head", 11);
	else if (!strcmp(how, "close"))
		close(fd);
	return 0;
}
