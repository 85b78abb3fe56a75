#include "perfetto/packets.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "base/utf8.h"
#include "gen/perfetto/perfetto_trace.pb-c.h"

typedef Perfetto__Protos__Trace trace_msg;
typedef Perfetto__Protos__TracePacket packet_msg;
typedef Perfetto__Protos__TrackDescriptor track_msg;
typedef Perfetto__Protos__TrackEvent event_msg;
typedef Perfetto__Protos__DebugAnnotation arg_msg;

enum { SEQUENCE = 1 };

/* Traces one behind the other are one trace with the packets of both: so each packet goes out as a trace of its own. */
static void put(struct packets *p, packet_msg *packet)
{
	trace_msg trace = PERFETTO__PROTOS__TRACE__INIT;
	size_t n;

	packet->has_trusted_packet_sequence_id = 1;
	packet->trusted_packet_sequence_id = SEQUENCE;
	packet->has_sequence_flags = !p->begun;
	packet->sequence_flags = PERFETTO__PROTOS__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_INCREMENTAL_STATE_CLEARED;
	p->begun = true;
	trace.n_packet = 1;
	trace.packet = &packet;
	n = perfetto__protos__trace__get_packed_size(&trace);
	if (n > p->room)
		p->packed = xrealloc(p->packed, p->room = 2 * n);
	perfetto__protos__trace__pack(&trace, p->packed);
	p->failed |= fwrite(p->packed, 1, n, p->to) != n;
}

/* ---- tracks ---- */

static void put_track(struct packets *p, track_msg *track)
{
	packet_msg packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

	track->has_uuid = 1;
	packet.track_descriptor = track;
	put(p, &packet);
}

/* Processes and threads in the order of their ranks. */
void packets_begin(struct packets *p, FILE *to)
{
	track_msg root = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;

	*p = (struct packets){.to = to};
	root.has_process_ordering = root.has_thread_ordering = 1;
	root.process_ordering = PERFETTO__PROTOS__TRACK_DESCRIPTOR__PROCESS_ORDERING__PROCESS_ORDERING_EXPLICIT;
	root.thread_ordering = PERFETTO__PROTOS__TRACK_DESCRIPTOR__THREAD_ORDERING__THREAD_ORDERING_EXPLICIT;
	put_track(p, &root);
}

void packets_free(struct packets *p)
{
	free(p->packed);
	p->packed = NULL;
}

/* protobuf-c's members are not const; it writes to none. */
static char *clean(char *copy, size_t room, const char *text)
{
	snprintf(copy, room, "%s", text);
	return utf8_clean(copy);
}

struct packets_process packets_process(struct packets *p, const char *name)
{
	Perfetto__Protos__ProcessDescriptor process = PERFETTO__PROTOS__PROCESS_DESCRIPTOR__INIT;
	struct packets_process is = {.track = ++p->tracks, .pid = ++p->processes};
	track_msg track = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	char copy[PACKETS_NAME];

	process.has_pid = 1;
	process.pid = is.pid;
	process.process_name = clean(copy, sizeof copy, name);
	track.uuid = is.track;
	track.process = &process;
	track.has_sibling_order_rank = 1;
	track.sibling_order_rank = is.pid;
	put_track(p, &track);
	return is;
}

/* A thread's number is unlike every process's: the one that has its process's would be the main thread. */
uint64_t packets_thread(struct packets *p, struct packets_process *of, const char *name)
{
	Perfetto__Protos__ThreadDescriptor thread = PERFETTO__PROTOS__THREAD_DESCRIPTOR__INIT;
	track_msg track = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	char copy[PACKETS_NAME];

	thread.has_pid = thread.has_tid = 1;
	thread.pid = of->pid;
	thread.tid = (int64_t)1000000 * of->pid + ++of->threads;
	thread.thread_name = clean(copy, sizeof copy, name);
	track.uuid = ++p->tracks;
	track.thread = &thread;
	track.has_parent_uuid = 1;
	track.parent_uuid = of->track;
	track.has_sibling_order_rank = 1;
	track.sibling_order_rank = of->threads;
	put_track(p, &track);
	return track.uuid;
}

uint64_t packets_track(struct packets *p, const struct packets_process *of, const char *name)
{
	track_msg track = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	char copy[PACKETS_NAME];

	track.uuid = ++p->tracks;
	track.name = clean(copy, sizeof copy, name);
	track.has_parent_uuid = 1;
	track.parent_uuid = of->track;
	put_track(p, &track);
	return track.uuid;
}

uint64_t packets_counter(struct packets *p, const struct packets_process *of, const char *name, const char *unit)
{
	Perfetto__Protos__CounterDescriptor counter = PERFETTO__PROTOS__COUNTER_DESCRIPTOR__INIT;
	track_msg track = PERFETTO__PROTOS__TRACK_DESCRIPTOR__INIT;
	char copy[PACKETS_NAME], unit_copy[PACKETS_NAME];

	counter.unit_name = clean(unit_copy, sizeof unit_copy, unit);
	track.uuid = ++p->tracks;
	track.name = clean(copy, sizeof copy, name);
	track.counter = &counter;
	track.has_parent_uuid = 1;
	track.parent_uuid = of->track;
	put_track(p, &track);
	return track.uuid;
}

/* ---- what a slice says ---- */

static struct packets_arg *next_arg(struct packets_slice *s, const char *name)
{
	PANIC_UNLESS(s->n_args < PACKETS_ARGS, "perfetto", s->n_args);
	s->arg[s->n_args].name = name;
	return &s->arg[s->n_args++];
}

void packets_number(struct packets_slice *s, const char *name, uint64_t number)
{
	struct packets_arg *a = next_arg(s, name);

	a->text = NULL;
	a->number = number;
}

void packets_text(struct packets_slice *s, const char *name, const char *format, ...)
{
	char *at = &s->texts[s->used];
	va_list args;

	va_start(args, format);
	vsnprintf(at, sizeof s->texts - s->used, format, args);
	va_end(args);
	s->used += strlen(at) + (s->used + strlen(at) + 1 < sizeof s->texts);
	next_arg(s, name)->text = utf8_clean(at);
}

/* ---- events ---- */

static void put_event(struct packets *p, uint64_t ns, uint64_t track, event_msg *event)
{
	packet_msg packet = PERFETTO__PROTOS__TRACE_PACKET__INIT;

	event->has_type = event->has_track_uuid = 1;
	event->track_uuid = track;
	packet.has_timestamp = 1;
	packet.timestamp = ns;
	packet.track_event = event;
	put(p, &packet);
}

static unsigned set_args(const struct packets_slice *s, arg_msg *arg, arg_msg **list)
{
	for (unsigned i = 0; i < s->n_args; i++) {
		perfetto__protos__debug_annotation__init(&arg[i]);
		arg[i].name = (char *)s->arg[i].name;
		arg[i].string_value = (char *)s->arg[i].text;
		arg[i].has_uint_value = !s->arg[i].text;
		arg[i].uint_value = s->arg[i].number;
		list[i] = &arg[i];
	}
	return s->n_args;
}

void packets_slice_begins(struct packets *p, uint64_t ns, uint64_t track, struct packets_slice *s)
{
	event_msg event = PERFETTO__PROTOS__TRACK_EVENT__INIT;
	arg_msg arg[PACKETS_ARGS], *args[PACKETS_ARGS];
	char *categories[2] = {(char *)s->category[0], (char *)s->category[1]};

	event.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN;
	event.name = utf8_clean(s->name);
	event.categories = categories;
	event.n_categories = (s->category[0] != NULL) + (s->category[1] != NULL);
	event.n_debug_annotations = set_args(s, arg, args);
	event.debug_annotations = args;
	event.n_flow_ids = s->n_flows;
	event.flow_ids = s->flow;
	event.n_terminating_flow_ids = s->n_ends;
	event.terminating_flow_ids = s->end;
	put_event(p, ns, track, &event);
}

void packets_slice_ends(struct packets *p, uint64_t ns, uint64_t track)
{
	event_msg event = PERFETTO__PROTOS__TRACK_EVENT__INIT;

	event.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_SLICE_END;
	put_event(p, ns, track, &event);
}

void packets_value(struct packets *p, uint64_t ns, uint64_t track, double value)
{
	event_msg event = PERFETTO__PROTOS__TRACK_EVENT__INIT;

	event.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_COUNTER;
	event.has_double_counter_value = 1;
	event.double_counter_value = value;
	put_event(p, ns, track, &event);
}

void packets_count(struct packets *p, uint64_t ns, uint64_t track, uint64_t count)
{
	event_msg event = PERFETTO__PROTOS__TRACK_EVENT__INIT;

	event.type = PERFETTO__PROTOS__TRACK_EVENT__TYPE__TYPE_COUNTER;
	event.has_counter_value = 1;
	event.counter_value = (int64_t)count;
	put_event(p, ns, track, &event);
}
