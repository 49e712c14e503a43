#include "engine/stack/symbol_demangle.h"

#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer mangled names are nobody's; what they unfold to could be anything. */
#define MANGLED_MAX 16384u

char *symbol_demangle(const char *name, char *out, size_t out_bytes)
{
	size_t len = strnlen(name, MANGLED_MAX);
	const char *version = memchr(name, '@', len);
	char *plain = NULL;

	/* "memcpy@@GLIBC_2.14" is memcpy; "puts@plt" is itself. */
	if (version && version > name && strncmp(version, "@plt", 4) != 0)
		len = (size_t)(version - name);
	snprintf(out, out_bytes, "%.*s", (int)len, name);
	if (len < MANGLED_MAX && len < out_bytes && name[0] == '_' &&
	    (name[1] == 'Z' || name[1] == 'R' || !strncmp(name + 1, "_Z", 2))) {
		char *stub = strstr(out, "@plt");

		if (stub)
			*stub = '\0';
		plain = cplus_demangle(out, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
		if (plain)
			snprintf(out, out_bytes, "%s%s", plain, stub ? "@plt" : "");
		else if (stub)
			*stub = '@';
		free(plain);
	}
	return out;
}
