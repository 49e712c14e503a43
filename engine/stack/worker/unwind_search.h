/*
 * unwind_search - the frame pointer of a thread whose registers nobody has told.
 *
 * /proc tells only two registers of a blocked thread. Where the caller's frame is found
 * through %rbp and no callee has saved it, it is searched for among the words of the
 * sampled stack: it points to a saved frame pointer below an address behind a call,
 * and leads from there to the outermost frame. What is found is a guess: words that
 * were left by calls long over may look the same. They are told apart by what the
 * calls call, and by the room that the function makes for itself. Worker process only.
 */
#ifndef WORKER_UNWIND_SEARCH_H
#define WORKER_UNWIND_SEARCH_H

#include "engine/helper/worker_wire.h"

struct unwind_walk;

/*
 * After a walk that stopped for want of %rbp: searches, and walks again with the best guess.
 * WIRE_NEEDS_MAP: ask again. WIRE_STOPPED without a guess in walk->guess: nothing
 * better was found, and the walk is as it was.
 */
enum wire_unwound_state unwind_search(struct unwind_walk *walk);

/* Whether the code there is what a signal handler returns to. */
bool unwind_search_sigreturn(struct unwind_walk *walk, uint64_t address);
/* Whether an address is where a call returns to; a mapping that is not known yet is needed. */
bool unwind_search_returns(struct unwind_walk *walk, uint64_t address);

#endif
