/* Streams and events. Work is done in the order in which the program hands it over, whatever its stream: that is one
 * of the orders that a GPU may choose. Launches go ahead; who asks for a stream or an event waits for all of them. The
 * device is told what the program has said of their order (cuda/wire.h), by which it times them. */
#include <pthread.h>
#include <stdlib.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/order.h"

enum { STREAM_MAGIC = 0x53545245, EVENT_MAGIC = 0x4556454e };

struct CUstream_st {
	struct CUstream_st *next; /* of those that were destroyed */
	unsigned magic, flags;
	int priority;
};

struct CUevent_st {
	struct CUevent_st *next;
	unsigned magic, flags;
	bool recorded;
	uint64_t copied; /* WIRE_ORDER's nanoseconds, when it was recorded */
};

/* What was destroyed is kept for the next to be made, and never freed: a program that uses a handle once more is told
 * that it is none, and reads nobody's memory. */
struct pool {
	pthread_mutex_t lock;
	struct CUstream_st *stream;
	struct CUevent_st *event;
};

static struct pool *pool(void)
{
	static struct pool p = {.lock = PTHREAD_MUTEX_INITIALIZER};

	return &p;
}

#define TAKE(kind)                                                                                                                 \
	static struct CU##kind##_st *take_##kind(void)                                                                             \
	{                                                                                                                          \
		struct CU##kind##_st *it;                                                                                          \
                                                                                                                                   \
		pthread_mutex_lock(&pool()->lock);                                                                                 \
		it = pool()->kind;                                                                                                 \
		pool()->kind = it ? it->next : NULL;                                                                               \
		pthread_mutex_unlock(&pool()->lock);                                                                               \
		return it ? it : malloc(sizeof *it);                                                                               \
	}                                                                                                                          \
	static void give_##kind(struct CU##kind##_st *it)                                                                          \
	{                                                                                                                          \
		pthread_mutex_lock(&pool()->lock);                                                                                 \
		it->magic = 0;                                                                                                     \
		it->next = pool()->kind;                                                                                           \
		pool()->kind = it;                                                                                                 \
		pthread_mutex_unlock(&pool()->lock);                                                                               \
	}
TAKE(stream)
TAKE(event)

static bool is_stream(cudaStream_t s)
{
	return !s || s == cudaStreamLegacy || s == cudaStreamPerThread || s->magic == STREAM_MAGIC;
}

/* A thread's own default stream is a variable of the thread's. */
uint64_t order_stream(cudaStream_t s)
{
	static _Thread_local char own;

	if (!is_stream(s))
		return 0;
	if (!s || s == cudaStreamLegacy)
		return WIRE_DEFAULT_STREAM;
	if (s == cudaStreamPerThread)
		return wire_stream((uintptr_t)&own, true);
	return wire_stream((uintptr_t)s, !(s->flags & cudaStreamNonBlocking));
}

static cudaError_t order(enum wire_order what, cudaStream_t s, cudaEvent_t e, struct wire_answer *answer)
{
	return connection_call(WIRE_ORDER, 3, (uint64_t[]){what, order_stream(s), (uintptr_t)e}, NULL, answer);
}

cudaError_t order_pass(cudaStream_t s)
{
	return errors_note(is_stream(s) ? order(WIRE_PASS, s, NULL, NULL) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
	if (!stream || flags > cudaStreamNonBlocking)
		return errors_note(cudaErrorInvalidValue);
	if (!connection_device())
		return errors_note(cudaErrorNoDevice);
	*stream = take_stream();
	if (!*stream)
		return errors_note(cudaErrorMemoryAllocation);
	**stream = (struct CUstream_st){.magic = STREAM_MAGIC, .flags = flags, .priority = priority};
	return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
	return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
	if (!s || s == cudaStreamLegacy || s == cudaStreamPerThread || s->magic != STREAM_MAGIC)
		return errors_note(cudaErrorInvalidResourceHandle);
	order(WIRE_DROP_STREAM, s, NULL, NULL);
	give_stream(s);
	return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
	return errors_note(is_stream(s) ? order(WIRE_SYNC_STREAM, s, NULL, NULL) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamQuery(cudaStream_t s)
{
	return cudaStreamSynchronize(s);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned int flags)
{
	(void)flags;
	if (!is_stream(s) || !e || e->magic != EVENT_MAGIC)
		return errors_note(cudaErrorInvalidResourceHandle);
	return errors_note(order(WIRE_WAIT, s, e, NULL));
}

cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned int *flags)
{
	if (!is_stream(s) || !flags)
		return errors_note(cudaErrorInvalidResourceHandle);
	*flags = !s || s == cudaStreamLegacy || s == cudaStreamPerThread ? cudaStreamDefault : s->flags;
	return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority)
{
	if (!is_stream(s) || !priority)
		return errors_note(cudaErrorInvalidResourceHandle);
	*priority = !s || s == cudaStreamLegacy || s == cudaStreamPerThread ? 0 : s->priority;
	return cudaSuccess;
}

/* No stream ever is: graphs are not supported. */
cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus *status)
{
	if (!is_stream(s) || !status)
		return errors_note(cudaErrorInvalidResourceHandle);
	*status = cudaStreamCaptureStatusNone;
	return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t callback, void *data, unsigned int flags)
{
	if (!is_stream(s) || !callback || flags)
		return errors_note(cudaErrorInvalidValue);
	callback(s, order_pass(s), data);
	return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void *data)
{
	cudaError_t error = is_stream(s) && fn ? order_pass(s) : errors_note(cudaErrorInvalidValue);

	if (!error)
		fn(data);
	return error;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t bytes, unsigned int flags)
{
	(void)bytes;
	(void)flags;
	return errors_note(is_stream(s) && connection_is_device(p) ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- events ---- */

static bool is_event(cudaEvent_t e)
{
	return e && e->magic == EVENT_MAGIC;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
	const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

	if (!event || flags & ~known)
		return errors_note(cudaErrorInvalidValue);
	if (!connection_device())
		return errors_note(cudaErrorNoDevice);
	*event = take_event();
	if (!*event)
		return errors_note(cudaErrorMemoryAllocation);
	**event = (struct CUevent_st){.magic = EVENT_MAGIC, .flags = flags};
	return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
	if (!is_event(e))
		return errors_note(cudaErrorInvalidResourceHandle);
	order(WIRE_DROP_EVENT, NULL, e, NULL);
	give_event(e);
	return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
	struct wire_answer answer;
	cudaError_t error;

	if (!is_event(e) || !is_stream(s))
		return errors_note(cudaErrorInvalidResourceHandle);
	error = order(WIRE_RECORD, s, e, &answer);
	e->recorded = true;
	e->copied = answer.r[0];
	return errors_note(error);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned int flags)
{
	(void)flags;
	return cudaEventRecord(e, s);
}

cudaError_t cudaEventQuery(cudaEvent_t e)
{
	return cudaEventSynchronize(e);
}

cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
	return errors_note(is_event(e) ? order(WIRE_SYNC_EVENT, NULL, e, NULL) : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
	struct wire_answer answer;
	cudaError_t error;

	if (!milliseconds)
		return errors_note(cudaErrorInvalidValue);
	if (!is_event(from) || !is_event(to) || !from->recorded || !to->recorded ||
	    ((from->flags | to->flags) & cudaEventDisableTiming))
		return errors_note(cudaErrorInvalidResourceHandle);
	error = connection_call(WIRE_ELAPSED, 4, (uint64_t[]){from->copied, (uintptr_t)from, to->copied, (uintptr_t)to}, NULL,
				&answer);
	*milliseconds = (float)((double)(int64_t)answer.r[0] / 1e6);
	return errors_note(error);
}
