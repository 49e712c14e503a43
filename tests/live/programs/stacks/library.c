/*
 * A library with one function that waits; who compiles it says its name (WAIT) and how
 * much code comes before it (ROOM), so that two of them have different code at one place.
 */
#include <poll.h>

int WAIT(int more);

__asm__(".skip " ROOM);

int WAIT(int more)
{
	return poll(0, 0, 1) + more;
}
