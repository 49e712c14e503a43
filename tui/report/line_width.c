#include "tui/report/line_width.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/ioctl.h>

int line_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	long width = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (width > 0 && width <= USHRT_MAX)
		return (int)width;
	return ioctl(fd, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}
