#include "engine/decode/syscall_args.h"

#include <string.h>

/* Kind by declared type; pointers are detected by their star. */
static const struct {
	const char *type;
	uint8_t kind, bytes;
} scalar_types[] = {
	{ "int", ARG_INT, 4 },
	{ "unsigned int", ARG_UNSIGNED, 4 },
	{ "unsigned", ARG_UNSIGNED, 4 },
	{ "u32", ARG_UNSIGNED, 4 },
	{ "__u32", ARG_UNSIGNED, 4 },
	{ "uint32_t", ARG_UNSIGNED, 4 },
	{ "__s32", ARG_INT, 4 },
	{ "long", ARG_INT, 8 },
	{ "unsigned long", ARG_HEX, 8 },
	{ "u64", ARG_HEX, 8 },
	{ "__u64", ARG_HEX, 8 },
	{ "size_t", ARG_SIZE, 8 },
	{ "ssize_t", ARG_INT, 8 },
	{ "off_t", ARG_INT, 8 },
	{ "loff_t", ARG_INT, 8 },
	{ "umode_t", ARG_MODE, 2 },
	{ "mode_t", ARG_MODE, 2 },
	{ "pid_t", ARG_PID, 4 },
	{ "uid_t", ARG_ID, 4 },
	{ "gid_t", ARG_ID, 4 },
	{ "clockid_t", ARG_INT, 4 },
	{ "timer_t", ARG_INT, 4 },
	{ "mqd_t", ARG_FD, 4 },
	{ "key_t", ARG_HEX, 4 },
	{ "key_serial_t", ARG_INT, 4 },
	{ "qid_t", ARG_UNSIGNED, 4 },
	{ "rwf_t", ARG_HEX, 4 },
	{ "aio_context_t", ARG_POINTER, 8 },
	{ "cap_user_header_t", ARG_POINTER, 8 },
	{ "cap_user_data_t", ARG_POINTER, 8 },
};

/* Kind by the name of an integer argument; `bytes` 0: the width of its type. */
static const struct {
	const char *name;
	uint8_t kind, bytes;
} integer_names[] = {
	{ "fd", ARG_FD, 4 },
	{ "fildes", ARG_FD, 4 },
	{ "fd_in", ARG_FD, 4 },
	{ "fd_out", ARG_FD, 4 },
	{ "fdin", ARG_FD, 4 },
	{ "fdout", ARG_FD, 4 },
	{ "in_fd", ARG_FD, 4 },
	{ "out_fd", ARG_FD, 4 },
	{ "epfd", ARG_FD, 4 },
	{ "pidfd", ARG_FD, 4 },
	{ "ufd", ARG_FD, 4 },
	{ "oldfd", ARG_FD, 4 },
	{ "newfd", ARG_FD, 4 },
	{ "fanotify_fd", ARG_FD, 4 },
	{ "group_fd", ARG_FD, 4 },
	{ "fs_fd", ARG_FD, 4 },
	{ "ruleset_fd", ARG_FD, 4 },
	{ "mountdirfd", ARG_FD, 4 },
	{ "kernel_fd", ARG_FD, 4 },
	{ "initrd_fd", ARG_FD, 4 },
	{ "dfd", ARG_DIR_FD, 4 },
	{ "olddfd", ARG_DIR_FD, 4 },
	{ "newdfd", ARG_DIR_FD, 4 },
	{ "from_dfd", ARG_DIR_FD, 4 },
	{ "to_dfd", ARG_DIR_FD, 4 },
	{ "pid", ARG_PID, 4 },
	{ "sig", ARG_SIGNAL, 4 },
	{ "flags", ARG_HEX, 0 },
	{ "prot", ARG_HEX, 0 },
	{ "flag", ARG_HEX, 0 },
	{ "options", ARG_HEX, 0 },
	{ "oflag", ARG_HEX, 0 },
	{ "mask", ARG_HEX, 0 },
	{ "addr", ARG_POINTER, 0 },
	{ "start", ARG_POINTER, 0 },
	{ "new_addr", ARG_POINTER, 0 },
	{ "brk", ARG_POINTER, 0 },
	{ "newsp", ARG_POINTER, 0 },
	{ "tls", ARG_POINTER, 0 },
	{ "len", ARG_UNSIGNED, 0 },
	{ "old_len", ARG_UNSIGNED, 0 },
	{ "new_len", ARG_UNSIGNED, 0 },
	{ "vlen", ARG_UNSIGNED, 0 },
	{ "liovcnt", ARG_UNSIGNED, 0 },
	{ "riovcnt", ARG_UNSIGNED, 0 },
	{ "maxnode", ARG_UNSIGNED, 0 },
	{ "size", ARG_UNSIGNED, 0 },
	{ "nr_pages", ARG_UNSIGNED, 0 },
	{ "nr_segs", ARG_UNSIGNED, 0 },
	{ "nr_segments", ARG_UNSIGNED, 0 },
	{ "cmdline_len", ARG_UNSIGNED, 0 },
	{ "home_node", ARG_UNSIGNED, 0 },
	{ "shmflg", ARG_HEX, 0 },
	{ "semflg", ARG_HEX, 0 },
	{ "msgflg", ARG_HEX, 0 },
};

/* Names of strings that are paths; any other const char * is text or a buffer. */
static const char *const path_names[] = {
	"filename",      "pathname",    "path",     "oldname", "newname",  "specialfile", "special",
	"from_pathname", "to_pathname", "new_root", "put_old", "dir_name", "dev_name",    "library",
};

/* Arguments that in one call have another kind than their declaration suggests. */
static const struct {
	const char *syscall;
	uint8_t index, kind;
} exceptions[] = {
	{ "socket", 1, ARG_HEX },     { "socketpair", 1, ARG_HEX }, { "fallocate", 1, ARG_HEX },
	{ "umask", 0, ARG_MODE },     { "ioctl", 1, ARG_HEX },      { "mincore", 1, ARG_SIZE },
	{ "poll", 2, ARG_INT },       { "arch_prctl", 1, ARG_HEX }, { "personality", 0, ARG_HEX },
	{ "reboot", 0, ARG_HEX },     { "reboot", 1, ARG_HEX },     { "futex", 1, ARG_HEX },
	{ "alarm", 0, ARG_UNSIGNED }, { "truncate", 1, ARG_INT },   { "setns", 1, ARG_HEX },
	{ "uselib", 0, ARG_PATH },    { "mknod", 2, ARG_HEX },      { "mknodat", 3, ARG_HEX },
	{ "syslog", 0, ARG_INT },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool ends_with(const char *text, const char *end)
{
	size_t text_len = strlen(text), end_len = strlen(end);
	return text_len >= end_len && !strcmp(text + text_len - end_len, end);
}

static void classify_pointer(struct syscall_arg *arg)
{
	arg->kind = ARG_POINTER;
	arg->bytes = 8;
	for (size_t i = 0; i < COUNT(path_names); i++) {
		if (!strcmp(arg->name, path_names[i]) && strstr(arg->type, "char *")) {
			arg->kind = ARG_PATH;
			return;
		}
	}
	if (!strcmp(arg->type, "const char *") && strcmp(arg->name, "buf") &&
	    strcmp(arg->name, "u_msg_ptr"))
		arg->kind = ARG_STRING;
}

static void classify_integer(struct syscall_arg *arg)
{
	const char *type = arg->type;

	if (!strncmp(type, "const ", 6))
		type += 6;
	arg->kind = ARG_HEX; /* unknown type: show every bit */
	arg->bytes = 8;
	if (!strncmp(type, "enum ", 5)) {
		arg->kind = ARG_INT;
		arg->bytes = 4;
	}
	for (size_t i = 0; i < COUNT(scalar_types); i++) {
		if (!strcmp(type, scalar_types[i].type)) {
			arg->kind = scalar_types[i].kind;
			arg->bytes = scalar_types[i].bytes;
			break;
		}
	}
	/* Any other kernel type is specific and reliable: do not guess by name. */
	if (arg->kind != ARG_INT && arg->kind != ARG_UNSIGNED && arg->kind != ARG_HEX)
		return;
	if (ends_with(arg->name, "flags"))
		arg->kind = ARG_HEX;
	for (size_t i = 0; i < COUNT(integer_names); i++) {
		if (!strcmp(arg->name, integer_names[i].name)) {
			bool wide = integer_names[i].kind == ARG_POINTER;
			/* Ignore the name if the type is too narrow or signed ("int len"). */
			if (wide && arg->bytes != 8)
				break;
			if (integer_names[i].kind == ARG_UNSIGNED && arg->kind == ARG_INT)
				break;
			arg->kind = integer_names[i].kind;
			if (integer_names[i].bytes)
				arg->bytes = integer_names[i].bytes;
			break;
		}
	}
}

void syscall_arg_classify(struct syscall_arg *arg, const char *syscall, unsigned index)
{
	if (strchr(arg->type, '*'))
		classify_pointer(arg);
	else
		classify_integer(arg);
	for (size_t i = 0; i < COUNT(exceptions); i++)
		if (exceptions[i].index == index && !strcmp(exceptions[i].syscall, syscall))
			arg->kind = exceptions[i].kind;
}

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Declarations reach the screen unescaped, so accept only plain ASCII. */
static bool is_type_byte(char c)
{
	return is_name_byte(c) || c == ' ' || c == '*';
}

static void copy_bounded(char *to, size_t to_bytes, const char *from, size_t len)
{
	if (len >= to_bytes)
		len = to_bytes - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

/* Parse "const char * filename": the last word is the name, the text before it the type. */
static bool parse_declaration(const char *text, size_t len, struct syscall_arg *arg)
{
	size_t name_at, type_len;

	while (len && text[0] == ' ') {
		text++;
		len--;
	}
	while (len && text[len - 1] == ' ')
		len--;
	name_at = len;
	while (name_at && is_name_byte(text[name_at - 1]))
		name_at--;
	type_len = name_at;
	while (type_len && text[type_len - 1] == ' ')
		type_len--;
	if (name_at == len || !type_len)
		return false;
	for (size_t i = 0; i < type_len; i++)
		if (!is_type_byte(text[i]))
			return false;
	memset(arg, 0, sizeof(*arg));
	copy_bounded(arg->name, sizeof(arg->name), text + name_at, len - name_at);
	copy_bounded(arg->type, sizeof(arg->type), text, type_len);
	return true;
}

/* Return the declaration between "field:" and ";" of a line, or NULL. */
static const char *field_of_line(const char *line, size_t len, size_t *field_len)
{
	static const char start[] = "field:";
	const char *end;

	while (len && (line[0] == '\t' || line[0] == ' ')) {
		line++;
		len--;
	}
	if (len < sizeof(start) - 1 || memcmp(line, start, sizeof(start) - 1) != 0)
		return NULL;
	line += sizeof(start) - 1;
	len -= sizeof(start) - 1;
	end = memchr(line, ';', len);
	if (!end)
		return NULL;
	*field_len = (size_t)(end - line);
	return line;
}

/*
 * The arguments follow __syscall_nr. Since Linux 6.19, __data_loc fields with copies of the
 * pointed-to strings can follow the arguments; these are not arguments.
 */
int syscall_args_from_format(const char *text, size_t len, struct syscall_arg args[SYSCALL_ARGS])
{
	bool begun = false;
	int count = 0;

	while (len) {
		const char *newline = memchr(text, '\n', len);
		size_t line_len = newline ? (size_t)(newline - text) : len;
		size_t field_len = 0;
		const char *field = field_of_line(text, line_len, &field_len);
		struct syscall_arg arg;

		if (field && parse_declaration(field, field_len, &arg)) {
			if (!strcmp(arg.name, "__syscall_nr") || !strcmp(arg.name, "nr")) {
				/* Some calls have an argument named `nr`. */
				if (!begun) {
					begun = true;
					goto next;
				}
			}
			if (begun && strncmp(arg.type, "__data_loc", 10) != 0) {
				if (count == SYSCALL_ARGS)
					return -1;
				args[count++] = arg;
			}
		}
next:
		if (!newline)
			break;
		len -= line_len + 1;
		text = newline + 1;
	}
	return begun ? count : -1;
}

int syscall_args_from_prototype(const char *text, struct syscall_arg args[SYSCALL_ARGS])
{
	int count = 0;

	while (*text) {
		const char *comma = strchr(text, ',');
		size_t len = comma ? (size_t)(comma - text) : strlen(text);

		if (count == SYSCALL_ARGS || !parse_declaration(text, len, &args[count]))
			return -1;
		count++;
		text += len + (comma != NULL);
	}
	return count;
}
