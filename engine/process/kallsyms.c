#include "engine/process/kallsyms.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES_MAX ((size_t)256 << 20)
/* Upper bound of a function's size: an address this far after a symbol is in no function. */
#define FUNCTION_BYTES_MAX ((uint64_t)1 << 20)

struct kernel_symbol {
	uint64_t address;
	uint32_t name; /* offset in text */
	uint32_t module; /* offset in text of "[name]"; 0: the kernel itself */
};

struct kallsyms {
	char *text; /* names, one after the other, NUL-terminated */
	size_t text_bytes;
	struct kernel_symbol *symbols; /* sorted by address; one symbol per address */
	size_t count, capacity;
	uint64_t kernel_text;
	uint64_t moved; /* added to the address of each symbol */
};

static const char kernel_name[] = "[kernel]";

void kallsyms_free(struct kallsyms *kallsyms)
{
	if (!kallsyms)
		return;
	free(kallsyms->text);
	free(kallsyms->symbols);
	free(kallsyms);
}

/* Return the word at *at, with unsafe bytes replaced by '?', and move *at to its end. */
static char *cut_word(char **at, char *end)
{
	char *word = *at, *c = *at;

	for (; c < end && *c != '\t' && *c != ' ' && *c != '\n'; c++)
		if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || *c == '\\')
			*c = '?';
	*at = c;
	return word;
}

static const char *read_address(const char *at, const char *end, uint64_t *address)
{
	uint64_t value = 0;

	for (; at < end; at++) {
		unsigned int c = (unsigned char)*at;

		if (c - '0' < 10)
			value = value << 4 | (c - '0');
		else if (c - 'a' < 6)
			value = value << 4 | (c - 'a' + 10);
		else
			break;
	}
	*address = value;
	return at;
}

static bool is_function(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* Parse "ADDRESS TYPE NAME", with "\t[MODULE]" for modules. False: malformed, or not code. */
static bool parse_line(char *text, char *at, char *end, struct kernel_symbol *symbol,
		       char **name_end)
{
	char *word;

	at += read_address(at, end, &symbol->address) - at;
	if (end - at < 4 || at[0] != ' ' || !is_function(at[1]) || at[2] != ' ')
		return false;
	at += 3;
	word = cut_word(&at, end);
	*name_end = at;
	if (at == word || (at - word > 6 && !memcmp(word, "__pfx_", 6)))
		return false; /* padding before a function belongs to the preceding function */
	symbol->name = (uint32_t)(word - text);
	symbol->module = 0;
	if (at < end && *at == '\t') {
		at++;
		word = cut_word(&at, end);
		*at = '\0'; /* the separator after the word, or the newline */
		if (*word == '[')
			symbol->module = (uint32_t)(word - text);
	}
	return true;
}

/* A system call without arguments is one function with a 64-bit and a 32-bit name (__ia32_...). */
static bool is_for_32_bits(const char *name)
{
	return !strncmp(name, "__ia32_", 7);
}

/*
 * Choose the most readable of several names for one address: the fewest underscores, then the name
 * for 64-bit programs, then the longest.
 */
static bool is_better(const struct kallsyms *k, const struct kernel_symbol *a,
		      const struct kernel_symbol *b)
{
	bool a_32 = is_for_32_bits(k->text + a->name), b_32 = is_for_32_bits(k->text + b->name);
	size_t a_under = strspn(k->text + a->name, "_"), b_under = strspn(k->text + b->name, "_");

	if (a_under != b_under)
		return a_under < b_under;
	if (a_32 != b_32)
		return b_32;
	return strlen(k->text + a->name) > strlen(k->text + b->name);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static void sort_symbols(struct kallsyms *k)
{
	size_t kept = 0;
	bool sorted = true;

	for (size_t i = 1; i < k->count && sorted; i++)
		sorted = k->symbols[i - 1].address <= k->symbols[i].address;
	if (!sorted)
		qsort(k->symbols, k->count, sizeof(*k->symbols), compare_symbols);
	for (size_t i = 0; i < k->count; i++) {
		struct kernel_symbol *last = kept ? &k->symbols[kept - 1] : NULL;

		if (!last || last->address != k->symbols[i].address)
			k->symbols[kept++] = k->symbols[i];
		else if (is_better(k, &k->symbols[i], last))
			*last = k->symbols[i];
	}
	k->count = kept;
}

static size_t pack_name(char *to, const char *from)
{
	size_t bytes = strlen(from) + 1;

	memcpy(to, from, bytes);
	return bytes;
}

/* Copy only the names: three quarters of the text are addresses and lines without a function. */
static void pack_names(struct kallsyms *k)
{
	size_t bytes = 1; /* offset 0 means no module */
	uint32_t module = 0, packed_module = 0;
	char *packed;

	for (size_t i = 0; i < k->count; i++) {
		const struct kernel_symbol *symbol = &k->symbols[i];

		bytes += strlen(k->text + symbol->name) + 1;
		if (symbol->module)
			bytes += strlen(k->text + symbol->module) + 1;
	}
	packed = mem_alloc(bytes);
	packed[0] = '\0';
	bytes = 1;
	for (size_t i = 0; i < k->count; i++) {
		struct kernel_symbol *symbol = &k->symbols[i];
		uint32_t name = (uint32_t)bytes;

		bytes += pack_name(packed + bytes, k->text + symbol->name);
		symbol->name = name;
		if (!symbol->module)
			continue;
		/* Symbols of one module are adjacent. */
		if (!module || strcmp(k->text + symbol->module, k->text + module)) {
			module = symbol->module;
			packed_module = (uint32_t)bytes;
			bytes += pack_name(packed + bytes, k->text + module);
		}
		symbol->module = packed_module;
	}
	free(k->text);
	k->text = mem_realloc(packed, bytes, 1);
	k->text_bytes = bytes;
	k->symbols = mem_realloc(k->symbols, k->count, sizeof(*k->symbols));
	k->capacity = k->count;
}

static int read_restrict(void)
{
	char text[16] = "";
	int fd = open("/proc/sys/kernel/kptr_restrict", O_RDONLY | O_CLOEXEC);
	int level = -1;

	if (fd < 0)
		return -1;
	if (read(fd, text, sizeof(text) - 1) > 0)
		level = (int)strtol(text, NULL, 10);
	close(fd);
	return level;
}

static int refuse_hidden(struct err *err)
{
	int level = read_restrict();

	if (level < 0)
		return err_set(err, -EACCES, "no kernel symbols: /proc/kallsyms hides addresses");
	return err_set(err, -EACCES, "no kernel symbols: kernel.kptr_restrict is %d%s", level,
		       level == 1   ? " and CAP_SYSLOG is missing"
		       : level == 0 ? " but perf_event_paranoid hides them"
				    : "");
}

int kallsyms_parse(struct kallsyms **kallsyms, char *take_text, size_t len, struct err *err)
{
	struct kallsyms *k = mem_zalloc(1, sizeof(*k));
	bool hidden = false;

	k->text = take_text;
	/* Offsets have 32 bits: bound the text. A last line without a newline is ignored. */
	if (len > TEXT_BYTES_MAX)
		len = TEXT_BYTES_MAX;
	for (char *at = k->text, *end = at + len; at < end;) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		struct kernel_symbol symbol;
		char *name_end;

		if (!newline)
			break;
		if (parse_line(k->text, at, newline, &symbol, &name_end)) {
			*name_end = '\0';
			hidden |= !symbol.address;
			if (!strcmp(k->text + symbol.name, "_text") && !symbol.module)
				k->kernel_text = symbol.address;
			if (symbol.address) {
				k->symbols = mem_grow(k->symbols, &k->capacity, k->count + 1,
						      sizeof(*k->symbols));
				k->symbols[k->count++] = symbol;
			}
		}
		at = newline + 1;
	}
	if (!k->count) {
		kallsyms_free(k);
		return hidden ? refuse_hidden(err)
			      : err_set(err, -ENODATA,
					"no kernel symbols: /proc/kallsyms lists none");
	}
	sort_symbols(k);
	pack_names(k);
	*kallsyms = k;
	return 0;
}

static int read_path(struct kallsyms **kallsyms, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0, capacity = 0;
	char *text = NULL;
	ssize_t got;

	if (fd < 0)
		return err_set(err, -errno, "no kernel symbols: %s: %s", path, strerror(errno));
	do {
		text = mem_grow(text, &capacity, len + (1 << 20), 1);
		got = read(fd, text + len, capacity - len);
		if (got > 0)
			len += (size_t)got;
	} while ((got > 0 && len < TEXT_BYTES_MAX) || (got < 0 && errno == EINTR));
	close(fd);
	return kallsyms_parse(kallsyms, text, len, err);
}

int kallsyms_read(struct kallsyms **kallsyms, struct err *err)
{
	return read_path(kallsyms, "/proc/kallsyms", err);
}

int kallsyms_read_file(struct kallsyms **kallsyms, const char *path, struct err *err)
{
	char shown[160];
	int code = read_path(kallsyms, path, err);

	escape_name(shown, sizeof(shown), path);
	if (code == -ENODATA || code == -EACCES)
		err_set(err, code, "no kernel symbols: %s %s", shown,
			code == -EACCES ? "has no addresses: copy /proc/kallsyms as root"
					: "lists none in the format of /proc/kallsyms");
	else if (code)
		err_set(err, code, "no kernel symbols: %s: %s", shown, strerror(-code));
	return code;
}

void kallsyms_move(struct kallsyms *kallsyms, uint64_t text)
{
	if (text && kallsyms->kernel_text)
		kallsyms->moved = text - kallsyms->kernel_text;
}

uint64_t kallsyms_text(const struct kallsyms *kallsyms)
{
	return kallsyms->kernel_text + kallsyms->moved;
}

bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address, const char **symbol,
		   uint64_t *start, const char **module)
{
	const struct kernel_symbol *found;
	size_t low = 0, high = kallsyms->count;

	address -= kallsyms->moved;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kallsyms->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	found = &kallsyms->symbols[low - 1];
	if (address - found->address > FUNCTION_BYTES_MAX || (kallsyms->moved && found->module))
		return false;
	*symbol = kallsyms->text + found->name;
	*start = found->address + kallsyms->moved;
	*module = found->module ? kallsyms->text + found->module : kernel_name;
	return true;
}

size_t kallsyms_count(const struct kallsyms *kallsyms)
{
	return kallsyms->count;
}

size_t kallsyms_bytes(const struct kallsyms *kallsyms)
{
	return kallsyms->text_bytes + kallsyms->capacity * sizeof(*kallsyms->symbols);
}
