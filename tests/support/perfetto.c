#include "support/perfetto.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/program.h"

/* ---- protoc's text: "key: value", "key {" and "}", a line each ---- */

static unsigned octal(const char *s)
{
	return (unsigned)(s[0] - '0') * 64 + (unsigned)(s[1] - '0') * 8 + (unsigned)(s[2] - '0');
}

static json_t *string_of(const char *s)
{
	char *out = xmalloc(strlen(s) + 1), *to = out;
	json_t *j;

	for (s++; *s && *s != '"'; s++) {
		if (*s != '\\')
			*to++ = *s;
		else if (s[1] >= '0' && s[1] <= '7')
			*to++ = (char)octal(s + 1), s += 3;
		else
			*to++ = *++s == 'n' ? '\n' : *s == 't' ? '\t' : *s;
	}
	*to = '\0';
	j = json_string(out);
	cr_assert_not_null(j, "no UTF-8: %s", out);
	free(out);
	return j;
}

static json_t *scalar_of(const char *s)
{
	char *end;
	long long whole;
	double x;

	if (*s == '"')
		return string_of(s);
	whole = strtoll(s, &end, 10);
	if (*end == '\0')
		return json_integer(whole);
	x = strtod(s, &end);
	return *end == '\0' ? json_real(x) : json_string(s); /* of an enum */
}

/* Every field is a list: the text does not say which are repeated. */
static void add(json_t *message, const char *key, json_t *value)
{
	json_t *list = json_object_get(message, key);

	if (!list)
		json_object_set_new(message, key, list = json_array());
	json_array_append_new(list, value);
}

static json_t *message_of(char **text)
{
	json_t *m = json_object();

	for (char *line; (line = strsep(text, "\n"));) {
		char *colon, *key = line + strspn(line, " ");

		if (!*key)
			continue;
		if (*key == '}')
			break;
		colon = strpbrk(key, ":{");
		cr_assert_not_null(colon, "%s", line);
		if (*colon == '{') {
			colon[-1] = '\0';
			add(m, key, message_of(text));
		} else {
			*colon = '\0';
			add(m, key, scalar_of(colon + 2));
		}
	}
	return m;
}

static json_t *field(const json_t *message, const char *key)
{
	return json_array_get(json_object_get(message, key), 0);
}

static uint64_t number_in(const json_t *message, const char *key, uint64_t otherwise)
{
	json_t *v = field(message, key);

	return v ? (uint64_t)json_integer_value(v) : otherwise;
}

/* ---- tracks ---- */

static const struct seen_track *track_of(const struct seen *t, uint64_t uuid)
{
	for (unsigned i = 0; i < t->n_tracks; i++)
		if (t->track[i].uuid == uuid)
			return &t->track[i];
	return NULL;
}

static void take_track(struct seen *t, const json_t *d)
{
	struct seen_track *is = &t->track[t->n_tracks];
	const json_t *process = field(d, "process"), *thread = field(d, "thread"), *counter = field(d, "counter");

	*is = (struct seen_track){.uuid = number_in(d, "uuid", 0), .parent = number_in(d, "parent_uuid", 0)};
	if (!is->uuid) /* the root */
		return;
	cr_assert_null(track_of(t, is->uuid), "track %lu is described twice", (unsigned long)is->uuid);
	cr_assert(!is->parent || track_of(t, is->parent), "track %lu has no parent", (unsigned long)is->uuid);
	cr_assert_leq((process != NULL) + (thread != NULL) + (counter != NULL), 1);
	is->name = json_string_value(process  ? field(process, "process_name")
				     : thread ? field(thread, "thread_name")
					      : field(d, "name"));
	cr_assert_not_null(is->name);
	is->process = is->parent ? track_of(t, is->parent)->name : is->name;
	is->unit = counter ? json_string_value(field(counter, "unit_name")) : NULL;
	t->n_tracks++;
}

/* ---- events ---- */

struct reader {
	struct seen *t;
	int *open; /* by track: the innermost slice that has not ended, -1 */
	uint64_t now;
};

static void take_event(struct reader *r, uint64_t at, const json_t *event)
{
	struct seen *t = r->t;
	const struct seen_track *track = track_of(t, number_in(event, "track_uuid", 0));
	const char *type = json_string_value(field(event, "type"));
	int *open;

	cr_assert(track && type, "an event of no track, or no type");
	cr_assert_geq(at, r->now, "times do not ascend");
	r->now = at;
	open = &r->open[track - t->track];
	if (!strcmp(type, "TYPE_COUNTER")) {
		json_t *whole = field(event, "counter_value"), *real = field(event, "double_counter_value");

		cr_assert_not_null(track->unit);
		cr_assert((whole != NULL) != (real != NULL));
		t->value[t->n_values++] = (struct seen_value){track, at, json_number_value(whole ? whole : real)};
		return;
	}
	cr_assert_null(track->unit);
	if (!strcmp(type, "TYPE_SLICE_BEGIN")) {
		t->slice[t->n_slices] = (struct seen_slice){.track = track,
							    .name = json_string_value(field(event, "name")),
							    .begin = at,
							    .end = UINT64_MAX,
							    .parent = *open,
							    .event = event};
		*open = (int)t->n_slices++;
		return;
	}
	cr_assert_str_eq(type, "TYPE_SLICE_END");
	cr_assert_geq(*open, 0, "an end without a begin");
	cr_assert_gt(at, t->slice[*open].begin, "a slice of no length");
	t->slice[*open].end = at;
	*open = t->slice[*open].parent;
}

static void take_packet(struct reader *r, const json_t *p, bool first)
{
	cr_assert_eq(number_in(p, "trusted_packet_sequence_id", 0), 1);
	cr_assert_eq(number_in(p, "sequence_flags", 0), first ? 1 : 0);
	if (field(p, "track_descriptor"))
		take_track(r->t, field(p, "track_descriptor"));
	else
		take_event(r, number_in(p, "timestamp", 0), field(p, "track_event"));
}

struct seen *seen_trace(const char *path)
{
	struct program p =
		program_run("protoc --decode=perfetto.protos.Trace --proto_path=harness/perfetto perfetto_trace.proto <%s", path);
	struct seen *t = xcalloc(1, sizeof *t);
	char *text = p.out;
	json_t *all;
	struct reader r = {.t = t};
	size_t n;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_empty(p.err);
	t->packets = message_of(&text);
	all = json_object_get(t->packets, "packet");
	n = json_array_size(all);
	cr_assert_gt(n, 1);
	t->track = xcalloc(n, sizeof *t->track);
	t->slice = xcalloc(n, sizeof *t->slice);
	t->value = xcalloc(n, sizeof *t->value);
	r.open = xmalloc(n * sizeof *r.open);
	for (size_t i = 0; i < n; i++)
		r.open[i] = -1;
	for (size_t i = 0; i < n; i++)
		take_packet(&r, json_array_get(all, i), i == 0);
	for (unsigned i = 0; i < t->n_slices; i++)
		cr_assert_neq(t->slice[i].end, UINT64_MAX, "%s never ends", t->slice[i].name);
	free(r.open);
	program_free(&p);
	return t;
}

void seen_free(struct seen *t)
{
	json_decref(t->packets);
	free(t->track);
	free(t->slice);
	free(t->value);
	free(t);
}

json_t *seen_arg(const struct seen_slice *s, const char *name)
{
	json_t *args = json_object_get(s->event, "debug_annotations"), *arg;
	size_t i;

	json_array_foreach(args, i, arg)
	{
		if (!strcmp(json_string_value(field(arg, "name")), name))
			return field(arg, "uint_value") ? field(arg, "uint_value") : field(arg, "string_value");
	}
	return NULL;
}

uint64_t seen_number(const struct seen_slice *s, const char *name)
{
	json_t *v = seen_arg(s, name);

	cr_assert(json_is_integer(v), "%s: %s", s->name, name);
	return (uint64_t)json_integer_value(v);
}

const char *seen_text(const struct seen_slice *s, const char *name)
{
	json_t *v = seen_arg(s, name);

	cr_assert(json_is_string(v), "%s: %s", s->name, name);
	return json_string_value(v);
}

uint64_t seen_flow(const struct seen_slice *s, const char *which, unsigned i)
{
	return (uint64_t)json_integer_value(json_array_get(json_object_get(s->event, which), i));
}
