/*
 * unwind_search - finds the frame pointer of a thread with unknown registers.
 *
 * /proc shows only two registers of a blocked thread. If the frame of the caller depends on %rbp,
 * and no callee saved it, %rbp is searched for among the words of the sampled stack. A candidate
 * points to a saved frame pointer below a return address, and the chain from there reaches the
 * outermost frame.
 *
 * The result is a guess: words left by earlier calls may look the same. The call targets, and the
 * frame size of the function, expose such words. Worker process only.
 */
#ifndef WORKER_UNWIND_SEARCH_H
#define WORKER_UNWIND_SEARCH_H

#include "engine/helper/worker_wire.h"

struct unwind_walk;

/*
 * Search after a walk that stopped for lack of %rbp, and walk again with the best guess.
 * WIRE_NEEDS_MAP: call again later. WIRE_STOPPED with walk->guess 0: no better result, and the walk
 * is unchanged.
 */
enum wire_unwound_state unwind_search(struct unwind_walk *walk);

/* True if the code at the address is the return trampoline of a signal handler. */
bool unwind_search_sigreturn(struct unwind_walk *walk, uint64_t address);
/* True if the address follows a call. Sets walk->need if its mapping is unknown. */
bool unwind_search_returns(struct unwind_walk *walk, uint64_t address);

#endif
