#include "cuda/runtime/copies.h"

#include <stdint.h>
#include <string.h>

#include "cuda/include/cuda_runtime_api.h"
#include "cuda/runtime/connection.h"
#include "cuda/runtime/errors.h"
#include "cuda/runtime/host_ranges.h"
#include "cuda/runtime/order.h"

/* From the first byte of a side to behind its last; 0: more than 2^64. */
static size_t span(const struct copy_side *s, const struct copy_box *b)
{
	size_t rows, slices, all;

	if (__builtin_mul_overflow(s->pitch, b->rows - 1, &rows) || __builtin_mul_overflow(s->slice, b->slices - 1, &slices) ||
	    __builtin_add_overflow(rows, slices, &all) || __builtin_add_overflow(all, b->width, &all))
		return 0;
	return all;
}

static bool overlaps_itself(const struct copy_side *s, const struct copy_box *b)
{
	return (b->rows > 1 && s->pitch < b->width) || (b->slices > 1 && s->slice / b->rows < (b->rows > 1 ? s->pitch : b->width));
}

static cudaError_t check_kind(bool to_device, bool from_device, enum cudaMemcpyKind kind)
{
	switch (kind) {
	case cudaMemcpyDefault:
		return cudaSuccess;
	case cudaMemcpyHostToHost: /* pinned and managed memory are the host's too */
	case cudaMemcpyHostToDevice:
	case cudaMemcpyDeviceToHost:
	case cudaMemcpyDeviceToDevice:
		if ((kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) && !to_device)
			return cudaErrorInvalidValue;
		return (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) && !from_device ? cudaErrorInvalidValue
													    : cudaSuccess;
	default:
		return cudaErrorInvalidMemcpyDirection;
	}
}

static void move(char *to, const struct copy_side *t, const char *from, const struct copy_side *f, const struct copy_box *b)
{
	for (size_t z = 0; z < b->slices; z++)
		for (size_t y = 0; y < b->rows; y++)
			memmove(to + z * t->slice + y * t->pitch, from + z * f->slice + y * f->pitch, b->width);
}

static bool is_pageable(const void *p)
{
	return !connection_is_device(p) && !host_ranges_hold(p);
}

/* The device is told of what it has asked for: what is in its memory now. */
static cudaError_t report_copied(const struct copy_side *to, const struct copy_box *b)
{
	return connection_call(WIRE_COPIED, 6, (uint64_t[]){(uintptr_t)to->at, to->pitch, to->slice, b->width, b->rows, b->slices},
			       NULL, NULL);
}

cudaError_t copy_bytes(struct copy_side to, struct copy_side from, struct copy_box box, enum cudaMemcpyKind kind)
{
	bool to_device = connection_is_device(to.at), from_device = connection_is_device(from.at);
	cudaError_t error = check_kind(to_device, from_device, kind);
	size_t to_span, from_span;
	struct order order = order_now();
	struct wire_answer answer;

	if (!connection_device())
		return cudaErrorNoDevice;
	if (error || !box.width || !box.rows || !box.slices)
		return error;
	if (!to.at || !from.at)
		return cudaErrorInvalidValue;
	if (overlaps_itself(&to, &box) || overlaps_itself(&from, &box))
		return cudaErrorInvalidPitchValue;
	to_span = span(&to, &box);
	from_span = span(&from, &box);
	if (!to_span || !from_span)
		return cudaErrorInvalidValue;
	error = connection_call(WIRE_COPY, 8,
				(uint64_t[]){(uintptr_t)to.at, to_device ? to_span : 0, (uintptr_t)from.at,
					     from_device ? from_span : 0, box.width * box.rows * box.slices,
					     is_pageable(to.at) || is_pageable(from.at), order.stream, order.async},
				NULL, &answer);
	if (error)
		return error;
	move(to_device ? connection_bytes(to.at) : (void *)(uintptr_t)to.at, &to, from_device ? connection_bytes(from.at) : from.at,
	     &from, &box);
	return answer.r[0] ? report_copied(&to, &box) : cudaSuccess;
}

static void fill_row(char *to, uint32_t value, unsigned element, size_t width)
{
	if (element == 1)
		memset(to, (int)value, width);
	else
		for (size_t i = 0; i < width; i += element)
			memcpy(to + i, &value, element);
}

cudaError_t copy_fill(struct copy_side to, uint32_t value, unsigned element, struct copy_box box)
{
	struct order order = order_now();
	struct wire_answer answer;
	size_t all;
	cudaError_t error;
	char *bytes;

	if (!connection_device())
		return cudaErrorNoDevice;
	if (!box.width || !box.rows || !box.slices)
		return cudaSuccess;
	all = span(&to, &box);
	if (!connection_is_device(to.at) || !all || overlaps_itself(&to, &box))
		return cudaErrorInvalidValue;
	error = connection_call(
		WIRE_COPY, 8,
		(uint64_t[]){(uintptr_t)to.at, all, 0, 0, box.width * box.rows * box.slices, 0, order.stream, order.async}, NULL,
		&answer);
	if (error)
		return error;
	bytes = connection_bytes(to.at);
	for (size_t z = 0; z < box.slices; z++)
		for (size_t y = 0; y < box.rows; y++)
			fill_row(bytes + z * to.slice + y * to.pitch, value, element, box.width);
	return answer.r[0] ? report_copied(&to, &box) : cudaSuccess;
}

/* ---- the calls without arrays ---- */

static struct copy_side line(const void *at)
{
	return (struct copy_side){.at = at};
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return errors_note(copy_bytes(line(to), line(from), (struct copy_box){bytes, 1, 1}, kind));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpy(to, from, bytes, kind));
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	if (to_device || from_device)
		return errors_note(cudaErrorInvalidDevice);
	return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpyPeer(to, to_device, from, from_device, bytes));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
			 enum cudaMemcpyKind kind)
{
	struct copy_side t = {.at = to, .pitch = to_pitch}, f = {.at = from, .pitch = from_pitch};

	if (width > to_pitch || width > from_pitch) /* of one row too */
		return errors_note(cudaErrorInvalidPitchValue);
	return errors_note(copy_bytes(t, f, (struct copy_box){width, height, 1}, kind));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
			      enum cudaMemcpyKind kind, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t cudaMemset(void *p, int value, size_t bytes)
{
	return errors_note(copy_fill(line(p), (uint32_t)value, 1, (struct copy_box){bytes, 1, 1}));
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemset(p, value, bytes));
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
	return errors_note(
		copy_fill((struct copy_side){.at = p, .pitch = pitch}, (uint32_t)value, 1, (struct copy_box){width, height, 1}));
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemset2D(p, pitch, value, width, height));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
	struct copy_side to = {.at = p.ptr, .pitch = p.pitch, .slice = p.pitch * p.ysize};

	return errors_note(copy_fill(to, (uint32_t)value, 1, (struct copy_box){extent.width, extent.height, extent.depth}));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr p, int value, struct cudaExtent extent, cudaStream_t stream)
{
	return ORDER_ON(stream, cudaMemset3D(p, value, extent));
}
