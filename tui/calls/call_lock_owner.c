#include "tui/calls/call_lock_owner.h"

#include <string.h>

static bool is_same(const struct call *a, const struct call *b)
{
	return a->tid == b->tid && a->enter_ns == b->enter_ns && a->nr == b->nr;
}

/* On the errand's thread. */
static void ask(void *ctx)
{
	struct call_held *asked = ctx;

	asked->tid = engine_futex_owner(asked->engine, &asked->call);
	engine_call_futex_name(asked->engine, &asked->call, asked->futex);
}

void call_holder_init(struct call_holder *holder)
{
	memset(holder, 0, sizeof(*holder));
	holder->errand = (struct errand){ .run = ask, .ctx = &holder->asked };
}

bool call_holder_look(struct call_holder *holder, struct session *session, const struct call *call,
		      bool again)
{
	bool came = errand_is_back(&holder->errand);

	if (came)
		holder->known = holder->asked;
	if (errand_is_pending(&holder->errand) || (!again && call_holder_of(holder, call)))
		return came;
	holder->asked.engine = session->engine;
	holder->asked.call = *call;
	errand_send(&holder->errand, session->errands);
	/* Where nobody runs errands it is back already. */
	if (errand_is_back(&holder->errand)) {
		holder->known = holder->asked;
		came = true;
	}
	return came;
}

const struct call_held *call_holder_of(const struct call_holder *holder, const struct call *call)
{
	return is_same(&holder->known.call, call) ? &holder->known : NULL;
}
