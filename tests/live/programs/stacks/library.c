/*
 * library - one function that waits. The compiler command defines its name (WAIT) and the size of
 * the code before it (ROOM), so that two libraries have different code at one address.
 */
#include <poll.h>

int WAIT(int more);

__asm__(".skip " ROOM);

int WAIT(int more)
{
	return poll(0, 0, 1) + more;
}
