#include "tui/calls/argument_detail.h"

#include "tui/calls/call_texts.h"
#include "tui/calls/hex_dump.h"
#include "tui/calls/text_fields.h"

#include <stdio.h>
#include <string.h>

/* Longest string that the decoder can show. */
#define ALL_STRING_BYTES 4095
/* Indentation of struct members. */
#define INDENT_COLS 2
#define SHORT_BYTES 60

struct fields {
	struct help *help;
	const char *left; /* label of the first line */
	enum role role;
};

static void add_field(void *ctx, const char *text, size_t len, unsigned depth)
{
	struct fields *fields = ctx;
	struct str line = STR_INIT;

	str_repeat(&line, ' ', (size_t)depth * INDENT_COLS);
	str_addn(&line, text, len);
	help_add_field(fields->help, fields->left, fields->role, line.data);
	fields->left = "";
	str_release(&line);
}

/* ---- origin of bytes ---- */

static const char *origin_text(const struct memory_area *area)
{
	switch ((enum bytes_origin)area->origin) {
	case BYTES_KERNEL:
		return area->when == BYTES_AT_EXIT ? "copied when the call returned"
						   : "copied when the call was entered";
	case BYTES_STACK:
		return "from the sampled stack";
	case BYTES_IMAGE:
		return "from a file mapped read-only";
	case BYTES_LATE:
		return "read later: may have changed since";
	default:
		return "known";
	}
}

/* Group digits with commas, so that known and total counts are easy to compare. */
static void add_count(struct str *out, uint64_t count)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			str_addc(out, ',');
		str_addc(out, digits[i]);
	}
}

static void add_bytes(struct str *out, uint64_t count)
{
	add_count(out, count);
	str_add(out, count == 1 ? " byte" : " bytes");
}

static void add_extent(struct str *out, const struct memory_area *area, bool gone)
{
	if (!area->known) {
		str_add(out, gone ? "not kept" : "nothing known");
		if (area->whole) {
			str_add(out, " of ");
			add_bytes(out, area->whole);
		}
		return;
	}
	if (area->whole == area->known) {
		add_bytes(out, area->known);
	} else if (area->whole) {
		add_count(out, area->known);
		str_add(out, " of ");
		add_bytes(out, area->whole);
	} else {
		add_bytes(out, area->known);
		str_add(out, " without a terminating NUL");
	}
	str_addf(out, ", %s", origin_text(area));
}

static void add_dump(const struct argument_detail *detail, struct help *help,
		     const struct memory_area *area)
{
	const uint8_t *bytes = (const uint8_t *)detail->seen.bytes.data + area->at;
	/* 4: the page has one blank on either side, and this line is indented by two. */
	size_t row = detail->cols >= HEX_DUMP_ROW_COLS + 4 ? HEX_DUMP_ROW : HEX_DUMP_ROW / 2;

	for (size_t offset = 0; offset < area->known; offset += row) {
		struct str line = STR_INIT;

		str_add(&line, "  ");
		hex_dump_line(&line, bytes, area->known, offset, row);
		help_add(help, area->origin == BYTES_LATE ? ROLE_LATE : ROLE_DIM, line.data);
		str_release(&line);
	}
}

static void add_memory(const struct argument_detail *detail, struct help *help, uint64_t value)
{
	for (size_t i = 0; i < detail->seen.count; i++) {
		const struct memory_area *area = &detail->seen.areas[i];
		struct str line = STR_INIT;

		if (area->address == value)
			str_add(&line, "memory: ");
		else
			str_addf(&line, "at 0x%llx: ", (unsigned long long)area->address);
		add_extent(&line, area, detail->gone);
		help_add_field(help, "", ROLE_TEXT, line.data);
		str_release(&line);
		add_dump(detail, help, area);
	}
	if (detail->seen.overflowed)
		help_add_field(help, "", ROLE_DIM, "more memory not shown: no room");
}

/* ---- the argument ---- */

/* Append type and register: "int, 0x80". Omits the register if it equals the shown value. */
static void add_register(struct str *out, const struct syscall_arg *arg, uint64_t value,
			 const char *shown)
{
	char number[24];

	snprintf(number, sizeof(number), "0x%llx", (unsigned long long)value);
	str_add(out, arg->type);
	if (strcmp(shown, number))
		str_addf(out, "%s%s", arg->type[0] ? ", " : "", number);
}

/* Show value and register on one line. False: too long, or memory was read and gets a dump. */
static bool add_short(const struct argument_detail *detail, struct help *help,
		      const struct syscall_arg *arg, const struct str *text, enum role role,
		      const char *reg)
{
	struct str line = STR_INIT;
	bool fits = !detail->seen.count && text->len + strlen(reg) <= SHORT_BYTES;

	if (fits) {
		str_addf(&line, "%s   %s", text->data, reg);
		help_add_field(help, arg->name, role, line.data);
	}
	str_release(&line);
	return fits;
}

static void add_value(struct argument_detail *detail, struct help *help, unsigned index)
{
	const struct syscalls *syscalls = engine_syscalls(detail->session->engine);
	const struct call *call = detail->call;
	const struct syscall_arg *arg = &syscalls_info(syscalls, call->nr)->args[index];
	struct call_text_options options = call_texts_options(detail->session, NULL);
	struct fields fields = { .help = help, .left = arg->name, .role = ROLE_TEXT };
	struct str text = STR_INIT, reg = STR_INIT;

	memory_reads_begin(&detail->seen, detail->bytes);
	options.bytes = &detail->seen.provider;
	options.string_bytes = ALL_STRING_BYTES;
	options.mark_guess = true;
	if (call_text_arg(&text, syscalls, call, index, &options) == BYTES_LATE)
		fields.role = ROLE_LATE;
	memory_reads_end(&detail->seen);
	add_register(&reg, arg, call->args[index], text.data);
	if (!add_short(detail, help, arg, &text, fields.role, reg.data)) {
		text_fields(text.data, text.len, add_field, &fields);
		if (reg.len)
			help_add_field(help, "", ROLE_DIM, reg.data);
		add_memory(detail, help, call->args[index]);
	}
	str_release(&text);
	str_release(&reg);
}

void argument_detail_add(struct argument_detail *detail, struct help *help, unsigned index)
{
	const struct syscalls *syscalls = engine_syscalls(detail->session->engine);
	const struct call *call = detail->call;

	if (index < call_text_arg_count(syscalls, call) &&
	    call_text_arg_shown(syscalls, call, index))
		add_value(detail, help, index);
	else
		help_add_field(help, syscalls_info(syscalls, call->nr)->args[index].name, ROLE_DIM,
			       "unused in this call");
}
