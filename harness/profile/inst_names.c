#include "profile/inst_names.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

const char *inst_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void inst_name(const struct trace_kernel *k, uint32_t inst, char out[INST_NAME])
{
	const struct trace_lines *l = k->lines;
	const char *opcode = k->n_names ? k->names[k->inst[inst].name] : "";

	if (l && l->is_sass)
		snprintf(out, INST_NAME, "pc 0x%04" PRIx64 "  %s", l->at[inst].text, opcode);
	else if (l)
		snprintf(out, INST_NAME, "%.200s:%" PRIu64 "  %s", l->ptx ? inst_base_name(l->ptx) : "PTX", l->at[inst].text,
			 opcode);
	else
		snprintf(out, INST_NAME, "instruction %" PRIu32 "  %s", inst, opcode);
}

static const struct trace_place *place(const struct trace_kernel *k, uint32_t inst)
{
	return k->lines && k->lines->at[inst].line ? &k->lines->at[inst] : NULL;
}

void inst_line_name(const struct trace_kernel *k, uint32_t inst, char out[INST_NAME])
{
	const struct trace_place *at = place(k, inst);

	if (!at)
		inst_name(k, inst, out);
	else
		snprintf(out, INST_NAME, "%.200s:%" PRIu32, at->file ? inst_base_name(k->lines->file[at->file - 1]) : "source",
			 at->line);
}

const char *inst_line_text(struct source_text *t, const struct trace_kernel *k, uint32_t inst, char *out, size_t room)
{
	const struct trace_place *at = place(k, inst);
	size_t blanks;

	out[0] = '\0';
	if (!at || !at->file || !source_text_line(t, k->lines->file[at->file - 1], at->line, out, room))
		return out;
	blanks = strspn(out, " ");
	memmove(out, out + blanks, strlen(out + blanks) + 1);
	return out;
}

json_t *inst_json(const struct trace_kernel *k, uint32_t i)
{
	const struct trace_place *at = place(k, i);
	json_t *o = json_pack("{s:I}", "index", (json_int_t)i);

	if (k->lines)
		json_object_set_new(o, k->lines->is_sass ? "pc" : "ptx_line", json_integer((json_int_t)k->lines->at[i].text));
	if (k->n_names)
		json_object_set_new(o, "opcode", json_string(k->names[k->inst[i].name]));
	if (at && at->file)
		json_object_set_new(o, "file", json_string(k->lines->file[at->file - 1]));
	if (at)
		json_object_set_new(o, "line", json_integer((json_int_t)at->line));
	return o;
}
