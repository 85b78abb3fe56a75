#include "cuda/runtime/order.h"

#include "cuda/runtime/errors.h"
#include "cuda/wire.h"

static struct order *current(void)
{
	static _Thread_local struct order now;

	if (!now.stream)
		now.stream = WIRE_DEFAULT_STREAM;
	return &now;
}

struct order order_now(void)
{
	return *current();
}

cudaError_t order_begin(cudaStream_t stream)
{
	uint64_t is = order_stream(stream);

	if (!is)
		return errors_note(cudaErrorInvalidResourceHandle);
	*current() = (struct order){is, true};
	return cudaSuccess;
}

cudaError_t order_end(cudaError_t error)
{
	*current() = (struct order){WIRE_DEFAULT_STREAM, false};
	return error;
}
