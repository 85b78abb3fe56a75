/* Which stream the work of a call is for: the device works out what each launch waits for (workload/streams.h).
 *
 * What a call hands over is the default stream's, and the host program waits for it as CUDA says of that call
 * ("API synchronization behavior"), unless the call is an asynchronous one, on a stream that it names.
 */
#ifndef HARNESS_CUDA_RUNTIME_ORDER_H
#define HARNESS_CUDA_RUNTIME_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "cuda/include/driver_types.h"

struct order {		 /* of the call that this thread is in */
	uint64_t stream; /* wire_stream() */
	bool async;
};
struct order order_now(void);

/* ORDER_ON(stream, call): the call, which knows of no stream, is an asynchronous one on this one. */
#define ORDER_ON(stream, call) (order_begin(stream) ? order_end(cudaErrorInvalidResourceHandle) : order_end(call))
cudaError_t order_begin(cudaStream_t stream);
cudaError_t order_end(cudaError_t error); /* returns it */

/* streams.c: a stream as the device is told of it; 0: it is none. */
uint64_t order_stream(cudaStream_t stream);
/* All that was launched is done; a function of the host's has had its turn on the stream. */
cudaError_t order_pass(cudaStream_t stream);

#endif
