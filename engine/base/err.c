#include "engine/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, int code, const char *format, ...)
{
	if (!err)
		return code;
	va_list args;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return code;
}

void err_prefix(struct err *err, const char *format, ...)
{
	if (!err)
		return;
	char rest[ERR_TEXT_BYTES];
	memcpy(rest, err->text, sizeof(rest));
	va_list args;
	va_start(args, format);
	int used = vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	if (used < 0)
		used = 0;
	if ((size_t)used < sizeof(err->text))
		snprintf(err->text + used, sizeof(err->text) - (size_t)used, "%s", rest);
}
