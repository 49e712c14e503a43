#include "engine/stack/worker/symbol_demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* No real mangled name is longer. */
#define MANGLED_MAX 4096u
#define OPTIONS (DMGL_PARAMS | DMGL_ANSI)

/* Output of a demangler, which is stopped when the output is full. */
struct unfolding {
	char *out;
	size_t len, max;
	jmp_buf full;
};

/*
 * A mangled name of 1000 bytes can refer to itself so often that it expands beyond any memory. So
 * expansion stops with longjmp() when the output is full. At that point neither demangler owns
 * memory outside its stack, except one word of a Rust name in Punycode.
 */
static void take_piece(const char *piece, size_t len, void *arg)
{
	struct unfolding *unfolding = arg;
	size_t room = unfolding->max - unfolding->len;

	if (len > room)
		len = room;
	memcpy(unfolding->out + unfolding->len, piece, len);
	unfolding->len += len;
	if (unfolding->len == unfolding->max)
		longjmp(unfolding->full, 1);
}

/* Demangle into `unfolding`. False: not a mangled name. */
static bool unfold(struct unfolding *unfolding, const char *mangled)
{
	if (setjmp(unfolding->full))
		return true;
	/* Rust first: its legacy names are also valid C++ names, with a hash at the end. */
	if (rust_demangle_callback(mangled, OPTIONS, take_piece, unfolding))
		return true;
	unfolding->len = 0;
	return cplus_demangle_v3_callback(mangled, OPTIONS, take_piece, unfolding);
}

char *symbol_demangle(const char *name, char *out, size_t out_bytes)
{
	struct unfolding unfolding = { .out = out, .max = out_bytes - 1 };
	char mangled[MANGLED_MAX + 1];
	size_t len = strnlen(name, sizeof(mangled));
	const char *version = memchr(name, '@', len);
	const char *stub = "";

	/* "memcpy@@GLIBC_2.14" is memcpy; "puts@plt" keeps its suffix. */
	if (version && version > name) {
		if (!strncmp(version, "@plt", 4))
			stub = "@plt";
		len = (size_t)(version - name);
	}
	snprintf(out, out_bytes, "%.*s%s", (int)len, name, stub);
	if (len < sizeof(mangled) && name[0] == '_' &&
	    (name[1] == 'Z' || name[1] == 'R' || !strncmp(name + 1, "_Z", 2))) {
		memcpy(mangled, name, len);
		mangled[len] = '\0';
		if (unfold(&unfolding, mangled) && unfolding.len) {
			out[unfolding.len] = '\0';
			strncat(out, stub, unfolding.max - unfolding.len);
		} else {
			snprintf(out, out_bytes, "%s%s", mangled, stub);
		}
	}
	return out;
}
