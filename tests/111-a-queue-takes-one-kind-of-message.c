/* 111: a queue takes and shows one kind of message: the compiler, called as the model's own sources are, refuses another. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* The compiler and its flags, which the build keeps in gen/flags, with warnings as errors as `make lint` has them. */
static int compiles(const char *name, const char *body)
{
	char text[1024];
	struct program p;
	int status;

	snprintf(text, sizeof text,
		 "#include \"noc/cta_message.h\"\n"
		 "#include \"noc/request.h\"\n"
		 "void f(struct cta_start_queue *q, struct cta_done_queue *other, struct mem_req *r,\n"
		 "       struct ticks now);\n"
		 "void f(struct cta_start_queue *q, struct cta_done_queue *other, struct mem_req *r, struct ticks now)\n"
		 "{\n"
		 "\t(void)q, (void)other, (void)r, (void)now;\n"
		 "\t%s\n"
		 "}\n",
		 body);
	program_file(name, text);
	p = program_run("$(cat \"${LOCUS_BUILD:-build}/gen/flags\") -Werror -fsyntax-only %s/%s", program_tmp(), name);
	cr_assert(p.status == 0 || p.status == 1, "%s", p.err);
	cr_assert_eq(p.status != 0, strstr(p.err, "error: ") != NULL, "%s", p.err);
	status = p.status;
	program_free(&p);
	return status == 0;
}

Test(queue, what_it_carries_compiles)
{
	cr_assert(compiles("push.c", "*queue_push(q, now) = (struct cta_start){1, 2};"));
	cr_assert(compiles("slot.c", "struct cta_start *m = queue_push(q, now); m->cta = 2;"));
	cr_assert(compiles("front.c", "const struct cta_start *m = queue_front(q, now); r->token = m->cta;"));
	cr_assert(compiles("same.c", "*queue_push(q, now) = *queue_front(q, now);"));
}

/* cta_start and cta_done have the same members: only their names differ. */
Test(queue, another_struct_does_not)
{
	cr_assert_not(compiles("push.c", "*queue_push(q, now) = (struct cta_done){1, 2};"));
	cr_assert_not(compiles("slot.c", "struct cta_done *m = queue_push(q, now); m->cta = 2;"));
	cr_assert_not(compiles("front.c", "const struct cta_done *m = queue_front(q, now); r->token = m->cta;"));
	cr_assert_not(compiles("same.c", "*queue_push(q, now) = *queue_front(other, now);"));
	cr_assert_not(compiles("queue.c", "struct mem_req_queue *m = q; (void)m;"));
}

Test(queue, what_it_shows_is_not_written_to)
{
	cr_assert_not(compiles("front.c", "queue_front(q, now)->cta = 2;"));
	cr_assert_not(compiles("front.c", "struct cta_start *m = queue_front(q, now); m->cta = 2;"));
}
