#include "engine/decode/call_text.h"

#include "engine/decode/form.h"
#include "engine/decode/kernel_structs.h"

#include <string.h>

/* Return the show function of an argument without a form, by its declaration. */
static show_fn *show_of_kind(const struct syscall_arg *arg)
{
	switch ((enum arg_kind)arg->kind) {
	case ARG_INT:
		return arg->bytes == 8 ? show_long : arg->bytes == 2 ? show_short : show_int;
	case ARG_PID:
		return show_int;
	case ARG_FD:
		return show_fd;
	case ARG_UNSIGNED:
	case ARG_SIZE:
		return arg->bytes == 8 ? show_ulong : show_unsigned;
	case ARG_DIR_FD:
		return show_dir_fd;
	case ARG_ID:
		return show_id;
	case ARG_POINTER:
		return show_pointer;
	case ARG_PATH:
		return show_path;
	case ARG_STRING:
		return show_string;
	case ARG_MODE:
		return arg->bytes == 2 ? show_mode_bits : show_octal_int;
	case ARG_SIGNAL:
		return show_signal;
	case ARG_HEX:
	case ARG_NONE:
		break;
	}
	return arg->bytes == 8 ? show_hex_long : show_hex;
}

static unsigned arg_count(const struct syscall_info *info, const struct call *call)
{
	unsigned count = info->arg_count;

	if (info->form && info->form->count && info->form->count(call) < count)
		count = info->form->count(call);
	return count;
}

static unsigned hidden_args(const struct syscall_info *info, const struct call *call)
{
	if (!info->form)
		return 0;
	return info->form->hide ? info->form->hide(call) : info->form->hidden;
}

static struct printer printer_for(struct str *out, const struct syscalls *syscalls,
				  const struct call *call, const struct call_text_options *options)
{
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);
	struct printer p = {
		.out = out,
		.structs = syscalls_kernel_structs(syscalls),
		.call = call,
		.form = info->form,
		.string_bytes = STRING_BYTES,
		.text_left = TEXT_BYTES,
		.origin = BYTES_REGISTER,
	};

	if (options) {
		p.bytes = options->bytes;
		p.fd_namer = options->fd_namer;
		p.hex = options->hex_strings;
		p.bare_cwd = options->bare_cwd;
		p.wait = options->wait;
		if (options->string_bytes)
			p.string_bytes = options->string_bytes;
	}
	return p;
}

/* An output argument has defined contents only after a successful call. */
static void show_kernel_struct(struct printer *p, const struct syscall_info *info, unsigned index)
{
	const struct syscall_arg *arg = &info->args[index];
	const struct syscall_arg *next = arg + 1;
	const struct layout *layout = kernel_structs_layout(p->structs, arg->kernel_struct,
							    p->wait);
	uint64_t value = p->call->args[index], bytes = UINT64_MAX;
	bool given = syscall_arg_is_given(info, index);

	if (!layout || (!given && !printer_succeeded(p))) {
		show_pointer(p, value, NULL);
		return;
	}
	p->when = given ? BYTES_AT_ENTER : BYTES_AT_EXIT;
	/* The argument after an extensible struct is the struct size that the caller knows. */
	if (index + 1 < info->arg_count && next->kind == ARG_SIZE && strstr(next->name, "size"))
		bytes = p->call->args[index + 1];
	print_struct_within(p, value, bytes, layout);
}

static void add_arg(struct printer *p, const struct syscall_info *info, unsigned index)
{
	const struct arg_form *form = info->form ? &info->form->args[index] : NULL;
	uint64_t value = p->call->args[index];

	p->arg = (uint8_t)index;
	p->when = BYTES_AT_ENTER;
	p->text_left = TEXT_BYTES;
	if (!form || !form->show) {
		if (info->args[index].kernel_struct)
			show_kernel_struct(p, info, index);
		else
			show_of_kind (&info->args[index])(p, value, NULL);
		return;
	}
	if (form->out) {
		if (!printer_succeeded(p)) {
			show_pointer(p, value, NULL);
			return;
		}
		p->when = BYTES_AT_EXIT;
	}
	form->show(p, value, form->data);
}

unsigned call_text_arg_count(const struct syscalls *syscalls, const struct call *call)
{
	return arg_count(syscalls_info(syscalls, call->nr), call);
}

bool call_text_arg_shown(const struct syscalls *syscalls, const struct call *call, unsigned index)
{
	return !(hidden_args(syscalls_info(syscalls, call->nr), call) >> index & 1);
}

/* Insert the mark before text that contains a late read. */
static void mark_guess(struct str *out, size_t at)
{
	str_addc(out, CALL_TEXT_GUESS);
	memmove(out->data + at + 1, out->data + at, out->len - at - 1);
	out->data[at] = CALL_TEXT_GUESS;
}

enum bytes_origin call_text_arg(struct str *out, const struct syscalls *syscalls,
				const struct call *call, unsigned index,
				const struct call_text_options *options)
{
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);
	struct printer p = printer_for(out, syscalls, call, options);
	size_t before = out->len;

	p.alone = true;
	if (index < SYSCALL_ARGS)
		add_arg(&p, info, index);
	if (p.guessed && options->mark_guess)
		mark_guess(out, before);
	return p.origin;
}

void call_text(struct str *out, const struct syscalls *syscalls, const struct call *call,
	       const struct call_text_options *options)
{
	struct call_text_spans spans;

	call_text_spans(out, syscalls, call, options, &spans);
}

void call_text_spans(struct str *out, const struct syscalls *syscalls, const struct call *call,
		     const struct call_text_options *options, struct call_text_spans *spans)
{
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);
	struct printer p = printer_for(out, syscalls, call, options);
	unsigned count = arg_count(info, call), hidden;
	bool any = false;

	spans->count = 0;
	/* One growth suffices for most lines; the appends then only copy. */
	str_reserve(out, 256);
	syscalls_add_name(out, syscalls, call->nr);
	str_addk(out, "(", 1);
	if (call->state == CALL_ORPHAN) {
		/* The enter was not recorded. */
		str_addk(out, "?)", 2);
		return;
	}
	hidden = hidden_args(info, call) | (info->form ? info->form->merged : 0);
	for (unsigned i = 0; i < count; i++) {
		if (hidden >> i & 1)
			continue;
		if (any)
			str_addk(out, ", ", 2);
		any = true;
		if (options && options->arg_names) {
			str_add(out, info->args[i].name);
			str_addk(out, "=", 1);
		}
		p.origin = BYTES_REGISTER;
		p.guessed = false;
		spans->args[spans->count].from = (uint32_t)out->len;
		add_arg(&p, info, i);
		if (p.guessed)
			mark_guess(out, spans->args[spans->count].from);
		spans->args[spans->count].to = (uint32_t)out->len;
		spans->args[spans->count++].guessed = p.guessed;
	}
	str_addk(out, ")", 1);
}

static void add_error(struct str *out, int number)
{
	const char *name = errno_name(number), *text = errno_text(number);

	if (!name) {
		str_addk(out, "-1 (errno ", 10);
		str_addd(out, number);
		str_addk(out, ")", 1);
		return;
	}
	str_add(out, errno_is_restart(number) ? "? " : "-1 ");
	str_add(out, name);
	str_addk(out, " (", 2);
	if (text) {
		str_add(out, text);
	} else {
		str_add(out, "Unknown error ");
		str_addd(out, number);
	}
	str_addk(out, ")", 1);
}

void call_text_result(struct str *out, const struct syscalls *syscalls, const struct call *call,
		      const struct call_text_options *options)
{
	const struct syscall_info *info = syscalls_info(syscalls, call->nr);

	if (call->state != CALL_DONE && call->state != CALL_ORPHAN) {
		str_addk(out, "?", 1);
	} else if (call_failed(call)) {
		add_error(out, (int)-call->ret);
	} else if (info->form && info->form->result && call->state == CALL_DONE) {
		struct printer p = printer_for(out, syscalls, call, options);
		size_t before = out->len;

		info->form->result(&p);
		if (p.guessed)
			mark_guess(out, before);
	} else {
		str_addd(out, call->ret);
	}
}
