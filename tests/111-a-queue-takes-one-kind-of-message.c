/* 111: a queue takes and shows one kind of message: the compiler, called as the model's own sources are, refuses
 * another. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/program.h"

static bool compiles(const char *name, const char *body)
{
	char text[1024];

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
	return program_compiles(name, text);
}

Test(queue, what_it_carries_compiles)
{
	cr_assert(compiles("push.c", "*queue_push(q, now) = (struct cta_start){.cta = 2};"));
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
