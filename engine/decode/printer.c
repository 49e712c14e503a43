#include "engine/decode/printer.h"

#include <string.h>

#include <fcntl.h>
#include <limits.h>
#include <sys/sysmacros.h>

static const char *const origin_names[BYTES_ORIGIN_COUNT] = {
	[BYTES_NONE] = "register", [BYTES_LATE] = "late",     [BYTES_IMAGE] = "image",
	[BYTES_STACK] = "stack",   [BYTES_KERNEL] = "kernel", [BYTES_REGISTER] = "register",
};

const char *bytes_origin_name(enum bytes_origin origin)
{
	return origin_names[origin];
}

bool printer_succeeded(const struct printer *p)
{
	return p->call->state == CALL_DONE && !call_failed(p->call);
}

static size_t ask(struct printer *p, const struct bytes_ask *ask, void *to, bool *cut)
{
	struct bytes_answer answer = { .len = 0 };

	*cut = false;
	if (!p->bytes || !ask->address)
		return 0;
	p->bytes->read(p->bytes->ctx, p->call, ask, to, &answer);
	if (answer.len && answer.origin < p->origin)
		p->origin = answer.origin;
	p->guessed = p->guessed || (answer.len && answer.guessed);
	*cut = answer.cut;
	return answer.len;
}

bool printer_read(struct printer *p, uint64_t address, void *to, size_t len)
{
	struct bytes_ask want = { address, (uint32_t)len, p->arg, p->when, false, len };
	bool cut;

	return ask(p, &want, to, &cut) == len;
}

bool printer_read_enter(struct printer *p, uint64_t address, void *to, size_t len)
{
	struct bytes_ask want = { address, (uint32_t)len, p->arg, BYTES_AT_ENTER, false, len };
	bool cut;

	return ask(p, &want, to, &cut) == len;
}

size_t printer_read_some(struct printer *p, uint64_t address, void *to, size_t len, bool text,
			 bool *cut)
{
	struct bytes_ask want = { address, (uint32_t)len, p->arg, p->when, text, 0 };

	return ask(p, &want, to, cut);
}

size_t printer_read_part(struct printer *p, uint64_t address, void *to, size_t len, uint64_t whole,
			 bool *cut)
{
	struct bytes_ask want = { address, (uint32_t)len, p->arg, p->when, false, whole };

	return ask(p, &want, to, cut);
}

void print_comment(struct printer *p, const char *text)
{
	PUT(p, " /* ");
	str_add(p->out, text);
	PUT(p, " */");
}

void show_int(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addd(p->out, (int32_t)value);
}

void show_short(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addd(p->out, (int16_t)value);
}

void show_long(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addd(p->out, (int64_t)value);
}

void show_unsigned(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addu(p->out, (uint32_t)value);
}

void show_ulong(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addu(p->out, value);
}

void show_hex(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addx(p->out, (uint32_t)value);
}

void show_hex_long(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addx(p->out, value);
}

/* Print at least three digits, as %#03o: 000, 007, 0644. */
void show_octal(struct printer *p, uint64_t value, const void *data)
{
	char digits[24];
	size_t at = sizeof(digits);

	(void)data;
	while (value) {
		digits[--at] = (char)('0' + (value & 7));
		value >>= 3;
	}
	do
		digits[--at] = '0';
	while (sizeof(digits) - at < 3);
	str_addn(p->out, digits + at, sizeof(digits) - at);
}

void show_octal_int(struct printer *p, uint64_t value, const void *data)
{
	show_octal(p, (uint32_t)value, data);
}

void show_mode_bits(struct printer *p, uint64_t value, const void *data)
{
	show_octal(p, (uint16_t)value, data);
}

void show_pointer(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if (value)
		str_addx(p->out, value);
	else
		PUT(p, "NULL");
}

void show_address(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	str_addx(p->out, value);
}

static void add_fd_name(struct printer *p, int fd)
{
	char name[PATH_MAX + 64];
	const char *path_end;
	size_t len, path;

	if (!p->fd_namer)
		return;
	len = p->fd_namer->name(p->fd_namer->ctx, p->call, fd, p->when == BYTES_AT_EXIT, name,
				sizeof(name));
	if (!len)
		return;
	path_end = memchr(name, '\0', len);
	path = path_end ? (size_t)(path_end - name) : len;
	PUT(p, "<");
	print_between(p, name, path);
	/* strace prints a device inside the brackets, "(deleted)" after them. */
	if (path + 1 < len && name[path + 1] == '(') {
		PUT(p, ">");
		print_between(p, name + path + 1, len - path - 1);
		return;
	}
	if (path + 1 < len)
		print_between(p, name + path + 1, len - path - 1);
	PUT(p, ">");
}

void show_fd(struct printer *p, uint64_t value, const void *data)
{
	int fd = (int32_t)value;

	(void)data;
	str_addd(p->out, fd);
	if (fd >= 0)
		add_fd_name(p, fd);
}

void show_dir_fd(struct printer *p, uint64_t value, const void *data)
{
	if ((int32_t)value == AT_FDCWD) {
		PUT(p, "AT_FDCWD");
		if (!p->bare_cwd)
			add_fd_name(p, AT_FDCWD);
	} else {
		show_fd(p, value, data);
	}
}

void show_id(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	if ((uint32_t)value == UINT32_MAX)
		PUT(p, "-1");
	else
		str_addu(p->out, (uint32_t)value);
}

void show_device(struct printer *p, uint64_t value, const void *data)
{
	(void)data;
	PUT(p, "makedev(");
	str_addx(p->out, major(value));
	PUT(p, ", ");
	str_addx(p->out, minor(value));
	PUT(p, ")");
}

void print_enum(struct printer *p, uint64_t value, const struct constants *table)
{
	const char *name = constants_name(table, value);

	if (name) {
		str_add(p->out, name);
		return;
	}
	str_addx(p->out, value);
	if (table->unknown)
		print_comment(p, table->unknown);
}

void print_kind_and_flags(struct printer *p, uint64_t value, uint64_t mask,
			  const struct constants *kinds, const struct constants *flags)
{
	const char *name = constants_name(kinds, value & mask);

	if (name) {
		str_add(p->out, name);
		if (value & ~mask) {
			PUT(p, "|");
			show_flags_long(p, value & ~mask, flags);
		}
	} else if (!print_flags_of(p, value, flags)) {
		str_addx(p->out, value);
		if (value && kinds->unknown)
			print_comment(p, kinds->unknown);
	}
}

void show_enum(struct printer *p, uint64_t value, const void *data)
{
	print_enum(p, (uint32_t)value, data);
}

void show_enum_long(struct printer *p, uint64_t value, const void *data)
{
	print_enum(p, value, data);
}

/* Print names of bits with separators. Return the remaining bits of value. */
static uint64_t add_flags(struct printer *p, uint64_t value, const struct constants *table,
			  bool separate)
{
	for (size_t i = 0; i < table->count && value; i++) {
		uint64_t bits = table->list[i].value;

		if (!bits || (value & bits) != bits)
			continue;
		if (separate)
			PUT(p, "|");
		separate = true;
		str_add(p->out, table->list[i].name);
		value &= ~bits;
	}
	return value;
}

bool print_flags_of(struct printer *p, uint64_t value, const struct constants *table)
{
	uint64_t rest = add_flags(p, value, table, false);

	if (rest == value)
		return false;
	if (rest) {
		PUT(p, "|");
		str_addx(p->out, rest);
	}
	return true;
}

void print_more_flags(struct printer *p, uint64_t value, const struct constants *table)
{
	uint64_t rest = add_flags(p, value, table, true);

	if (rest) {
		PUT(p, "|");
		str_addx(p->out, rest);
	}
}

void show_flags_long(struct printer *p, uint64_t value, const void *data)
{
	const struct constants *table = data;

	if (!value) {
		/* Some tables have a name for 0. */
		if (table->count && !table->list[0].value)
			str_add(p->out, table->list[0].name);
		else
			PUT(p, "0");
		return;
	}
	if (print_flags_of(p, value, table))
		return;
	str_addx(p->out, value);
	if (table->unknown)
		print_comment(p, table->unknown);
}

void show_flags(struct printer *p, uint64_t value, const void *data)
{
	show_flags_long(p, (uint32_t)value, data);
}

uint64_t printer_items(const struct printer *p)
{
	return p->string_bytes < ARRAY_ITEMS ? p->string_bytes : ARRAY_ITEMS;
}

void print_array(struct printer *p, uint64_t address, uint64_t count, size_t element_bytes,
		 element_fn *element, const void *data)
{
	uint64_t bytes[128]; /* one element, aligned */

	if (!address) {
		PUT(p, "NULL");
		return;
	}
	if (!count) {
		PUT(p, "[]");
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (i == printer_items(p)) {
			str_add(p->out, i ? ", ..." : "[...");
			break;
		}
		if (element_bytes > sizeof(bytes) ||
		    !printer_read(p, address + i * element_bytes, bytes, element_bytes)) {
			if (!i) {
				show_pointer(p, address, NULL);
				return;
			}
			PUT(p, ", ... /* ");
			str_addx(p->out, address + i * element_bytes);
			PUT(p, " */");
			break;
		}
		if (i)
			PUT(p, ", ");
		else
			PUT(p, "[");
		element(p, bytes, data);
	}
	PUT(p, "]");
}

void element_int(struct printer *p, const void *element, const void *data)
{
	(void)data;
	str_addd(p->out, *(const int32_t *)element);
}

void element_unsigned(struct printer *p, const void *element, const void *data)
{
	(void)data;
	str_addu(p->out, *(const uint32_t *)element);
}

void element_ulong(struct printer *p, const void *element, const void *data)
{
	(void)data;
	str_addu(p->out, *(const uint64_t *)element);
}

void element_hex(struct printer *p, const void *element, const void *data)
{
	(void)data;
	str_addx(p->out, *(const uint64_t *)element);
}
