#include "cuda/runtime/host_ranges.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"

struct range {
	uintptr_t at;
	size_t bytes;
	struct range *next;
};

struct ranges {
	pthread_mutex_t lock;
	struct range *first;
};

static struct ranges *ranges(void)
{
	static struct ranges r = {.lock = PTHREAD_MUTEX_INITIALIZER};

	return &r;
}

/* The link to the first range that has one of these bytes; to NULL: none has. */
static struct range **find(struct ranges *all, uintptr_t at, size_t bytes)
{
	struct range **r = &all->first;

	while (*r && !(at < (*r)->at + (*r)->bytes && (*r)->at < at + bytes))
		r = &(*r)->next;
	return r;
}

static cudaError_t insert(struct ranges *all, uintptr_t at, size_t bytes)
{
	struct range **r = find(all, at, bytes);

	if (*r)
		return cudaErrorHostMemoryAlreadyRegistered;
	*r = malloc(sizeof **r);
	if (!*r)
		return cudaErrorMemoryAllocation;
	**r = (struct range){at, bytes, NULL};
	return cudaSuccess;
}

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned int flags)
{
	const unsigned known =
		cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
	struct ranges *all = ranges();
	cudaError_t error;

	if (!host || !bytes || bytes > UINTPTR_MAX - (uintptr_t)host || flags & ~known || connection_is_device(host))
		return errors_note(cudaErrorInvalidValue);
	pthread_mutex_lock(&all->lock);
	error = insert(all, (uintptr_t)host, bytes);
	pthread_mutex_unlock(&all->lock);
	return errors_note(error);
}

/* Takes the pointer that was registered. */
cudaError_t cudaHostUnregister(void *host)
{
	struct ranges *all = ranges();
	struct range **r, *was;
	bool is_one;

	if (!host)
		return errors_note(cudaErrorInvalidValue);
	pthread_mutex_lock(&all->lock);
	r = find(all, (uintptr_t)host, 1);
	was = *r;
	is_one = was && was->at == (uintptr_t)host;
	if (is_one) {
		*r = was->next;
		free(was);
	}
	pthread_mutex_unlock(&all->lock);
	return errors_note(is_one ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

bool host_ranges_hold(const void *p)
{
	struct ranges *all = ranges();
	bool holds;

	pthread_mutex_lock(&all->lock);
	holds = *find(all, (uintptr_t)p, 1) != NULL;
	pthread_mutex_unlock(&all->lock);
	return holds;
}
