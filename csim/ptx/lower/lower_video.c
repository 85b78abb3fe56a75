/* Video instructions: vadd, vabsdiff, vmad and so on, and those of two halves or four bytes (vadd2, vabsdiff4). */
#include <string.h>

#include "ptx/lower/lower.h"

struct video_name {
	const char *name;
	enum video_kind kind;
};
static const struct video_name names[] = {
	{"vadd", VIDEO_ADD}, {"vsub", VIDEO_SUB}, {"vabsdiff", VIDEO_ABSDIFF}, {"vmin", VIDEO_MIN}, {"vmax", VIDEO_MAX},
	{"vshl", VIDEO_SHL}, {"vshr", VIDEO_SHR}, {"vmad", VIDEO_MAD},	       {"vset", VIDEO_SET}, {"vavrg", VIDEO_AVRG},
};

/* "vadd4": its kind and 4; -1: no such instruction. */
static int kind_of(const char *name, uint8_t *parts)
{
	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t n = strlen(names[i].name);
		const char *rest = name + n;

		if (strncmp(names[i].name, name, n) || (*rest && strcmp(rest, "2") && strcmp(rest, "4")))
			continue;
		*parts = *rest ? (uint8_t)(*rest - '0') : 1;
		if (*parts > 1 && (names[i].kind == VIDEO_SHL || names[i].kind == VIDEO_SHR || names[i].kind == VIDEO_MAD))
			return -1;
		return *parts == 1 && names[i].kind == VIDEO_AVRG ? -1 : (int)names[i].kind;
	}
	return -1;
}

bool lower_is_video(const char *name)
{
	uint8_t parts;

	return kind_of(name, &parts) >= 0;
}

static bool video_modifier(struct video_op *v, const char *p)
{
	static const char *const compares[] = {"eq", "ne", "lt", "le", "gt", "ge"};

	for (unsigned i = 0; i < 6 && v->kind == VIDEO_SET; i++)
		if (!strcmp(compares[i], p))
			memcpy(v->compare, p, 3);
	if (!strcmp(p, v->compare))
		return true;
	if (!strcmp(p, "add") && v->parts > 1)
		v->add = true;
	else if ((!strcmp(p, "add") || !strcmp(p, "min") || !strcmp(p, "max")) && v->kind != VIDEO_MAD)
		v->second = (int8_t)(p[0] == 'a' ? 'a' : p[1] == 'i' ? 'm' : 'x');
	else if (!strcmp(p, "sat"))
		v->sat = true;
	else if (!strcmp(p, "po") && v->kind == VIDEO_MAD)
		v->po = true;
	else if ((!strcmp(p, "shr7") || !strcmp(p, "shr15")) && v->kind == VIDEO_MAD)
		v->scale = p[4] ? 15 : 7;
	else if ((!strcmp(p, "clamp") || !strcmp(p, "wrap")) && (v->kind == VIDEO_SHL || v->kind == VIDEO_SHR))
		v->wrap = p[0] == 'w';
	else
		return false;
	return true;
}

/* vadd.s32.u32.u32.sat.add; the destination of a vset has no type. */
static void video_parts(struct lower *w, struct video_op *v)
{
	bool sign[3] = {false, false, false};
	unsigned n = v->kind == VIDEO_SET, first = n;

	for (unsigned i = 1; i < w->n_parts; i++) {
		enum ptx_type t = ptx_type_of(w->part[i], strlen(w->part[i]));

		if ((t == PT_U32 || t == PT_S32) && n < 3)
			sign[n++] = t == PT_S32;
		else if (!video_modifier(v, w->part[i]))
			lower_complain(w, ".%s is not known", w->part[i]);
	}
	if (n != 3 || (first && !v->compare[0]))
		lower_complain(w, "no such operation here");
	v->d_signed = sign[0];
	v->a_signed = sign[1];
	v->b_signed = sign[2];
}

void lower_video(struct lower *w)
{
	struct video_op v = {0};
	const struct ptx_operand *o = w->f->s->opd;
	unsigned n;

	v.kind = (enum video_kind)kind_of(w->part[0], &v.parts);
	video_parts(w, &v);
	n = w->f->s->n;
	if (w->complaint || !lower_operands(w, 3, 4))
		return;
	v.d_part = o[0].part;
	v.a_part = o[1].part;
	v.b_part = o[2].part;
	if ((v.parts > 1 || v.second || v.kind == VIDEO_MAD || v.d_part) != (n == 4) ||
	    (v.parts > 1 && (v.d_part | v.a_part | v.b_part)))
		lower_complain(w, "its operands do not fit its modifiers");
	w->i->kind = INSN_VIDEO;
	w->i->dst_size = 4;
	w->i->a = lower_src(w, 1, 4, PT_U32);
	w->i->b = lower_src(w, 2, 4, PT_U32);
	w->i->c = n == 4 ? lower_src(w, 3, 4, PT_U32) : lower_const(w, 0, 4);
	w->i->d = lower_dst(w, 0, 4);
	w->t->op = v.kind == VIDEO_MAD ? OP_INT_MAD : OP_INT_ADD;
	*(struct video_op *)APPEND(w, w->k->videos, w->k->n_videos) = v;
	w->i->aux = w->k->n_videos - 1;
}
