#include "engine/decode/syscalls.h"

#include "engine/base/mem.h"
#include "engine/base/words.h"
#include "engine/decode/form.h"
#include "engine/decode/kernel_structs.h"
#include "engine/decode/numbers.h"
#include "engine/decode/syscall_args.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Maximum size of a format file, which normally has 600 to 1500 bytes; reject longer files. */
#define FORMAT_BYTES 8192
#define NAME_BYTES 24

struct syscalls {
	const struct call_numbers *numbers;
	uint32_t count;
	struct syscall_info infos[SYSCALL_NR_MAX];
	struct syscall_info other;
	char unknown_names[SYSCALL_NR_MAX][NAME_BYTES];
	uint16_t by_name[SYSCALL_NR_MAX]; /* named calls, sorted by name */
	uint32_t named;
	struct kernel_structs *structs;
};

static const char *const class_names[] = {
#define X(id, name) name,
	SYSCALL_CLASSES(X)
#undef X
};

/* Names of kernel functions that differ from the names of the calls. */
static const struct {
	const char *name, *event;
} event_names[] = {
	{ "stat", "newstat" },   { "lstat", "newlstat" }, { "fstat", "newfstat" },
	{ "uname", "newuname" }, { "umount2", "umount" }, { "sendfile", "sendfile64" },
	{ "_sysctl", "sysctl" },
};

static const char *event_name(const char *name)
{
	for (size_t i = 0; i < sizeof(event_names) / sizeof(event_names[0]); i++)
		if (!strcmp(event_names[i].name, name))
			return event_names[i].event;
	return name;
}

static void set_unknown_args(struct syscall_info *info)
{
	info->known_args = false;
	info->arg_count = SYSCALL_ARGS;
	for (unsigned i = 0; i < SYSCALL_ARGS; i++) {
		struct syscall_arg *arg = &info->args[i];
		memcpy(arg->name, "arg0", 5);
		arg->name[3] = (char)('0' + i);
		arg->type[0] = '\0';
		arg->kind = ARG_HEX;
		arg->bytes = 8;
	}
}

static void set_args(struct syscall_info *info, const struct syscall_arg *args, int count)
{
	if (count < 0)
		return;
	info->known_args = true;
	info->arg_count = (uint8_t)count;
	for (int i = 0; i < count; i++) {
		info->args[i] = args[i];
		syscall_arg_classify(&info->args[i], info->name, (unsigned)i);
	}
}

/* Read the declaration from the running kernel; leave the call unchanged if it has none. */
static void read_format(struct syscall_info *info, int events)
{
	char path[NAME_BYTES * 2 + 32], text[FORMAT_BYTES];
	struct syscall_arg args[SYSCALL_ARGS];
	ssize_t len;
	int fd, count;

	snprintf(path, sizeof(path), "sys_enter_%s/format", event_name(info->name));
	fd = openat(events, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	len = read(fd, text, sizeof(text));
	close(fd);
	count = len > 0 && (size_t)len < sizeof(text)
			? syscall_args_from_format(text, (size_t)len, args)
			: -1;
	/* If the kernel declares no arguments, keep those of a form: rt_sigreturn has one. */
	if (count || !info->form)
		set_args(info, args, count);
}

static void fill_info(struct syscalls *syscalls, uint32_t nr)
{
	struct syscall_info *info = &syscalls->infos[nr];
	const char *name = nr < syscalls->count ? syscalls->numbers->names[nr] : NULL;
	const struct call_form *form = name ? call_form_find(name) : NULL;
	struct syscall_arg args[SYSCALL_ARGS];

	info->nr = nr;
	set_unknown_args(info);
	if (!name) {
		snprintf(syscalls->unknown_names[nr], NAME_BYTES, "syscall_%#x", nr);
		info->name = syscalls->unknown_names[nr];
		return;
	}
	info->name = name;
	syscalls->by_name[syscalls->named++] = (uint16_t)nr;
	if (!form)
		return;
	info->form = form;
	info->classes = form->classes;
	info->no_return = form->no_return;
	if (form->prototype)
		set_args(info, args, syscall_args_from_prototype(form->prototype, args));
	else if (form->arguments)
		info->arg_count = form->arguments;
}

/* Note the structs behind pointers without a form: the kernel BTF has their layouts. */
static void add_structs(struct syscalls *syscalls, struct syscall_info *info)
{
	for (unsigned i = 0; i < info->arg_count; i++) {
		struct syscall_arg *arg = &info->args[i];

		if (arg->kind == ARG_POINTER && !(info->form && info->form->args[i].show))
			arg->kernel_struct = (uint8_t)kernel_structs_add(syscalls->structs,
									 arg->type);
	}
}

static int compare_names(const void *a, const void *b, void *ctx)
{
	const char *const *names = ctx;

	return strcmp(names[*(const uint16_t *)a], names[*(const uint16_t *)b]);
}

struct syscalls *syscalls_load(const char *tracefs)
{
	return syscalls_load_of(call_numbers_here(), tracefs);
}

struct syscalls *syscalls_load_of(const struct call_numbers *numbers, const char *tracefs)
{
	struct syscalls *syscalls = mem_zalloc(1, sizeof(*syscalls));

	tzset(); /* load the time zone of dates now, not while the first one is drawn */
	syscalls->numbers = numbers;
	syscalls->count = (uint32_t)numbers->count;
	for (uint32_t nr = 0; nr < SYSCALL_NR_MAX; nr++)
		fill_info(syscalls, nr);
	qsort_r(syscalls->by_name, syscalls->named, sizeof(syscalls->by_name[0]), compare_names,
		(void *)(uintptr_t)numbers->names);
	syscalls->other.name = "syscall_other";
	syscalls->other.nr = SYSCALL_NR_MAX;
	set_unknown_args(&syscalls->other);

	if (tracefs) {
		int root = open(tracefs, O_PATH | O_DIRECTORY | O_CLOEXEC);
		int events = -1;
		if (root >= 0) {
			events = openat(root, "events/syscalls", O_PATH | O_DIRECTORY | O_CLOEXEC);
			close(root);
		}
		if (events >= 0) {
			for (uint32_t i = 0; i < syscalls->named; i++)
				read_format(&syscalls->infos[syscalls->by_name[i]], events);
			close(events);
		}
	}
	syscalls->structs = kernel_structs_new();
	for (uint32_t i = 0; i < syscalls->named; i++)
		add_structs(syscalls, &syscalls->infos[syscalls->by_name[i]]);
	return syscalls;
}

void syscalls_free(struct syscalls *syscalls)
{
	if (!syscalls)
		return;
	kernel_structs_free(syscalls->structs);
	free(syscalls);
}

struct kernel_structs *syscalls_kernel_structs(const struct syscalls *syscalls)
{
	return syscalls->structs;
}

void syscalls_add_name(struct str *out, const struct syscalls *syscalls, uint32_t nr)
{
	if (nr < SYSCALL_NR_MAX) {
		str_add(out, syscalls_info(syscalls, nr)->name);
		return;
	}
	str_addf(out, "syscall_%#x%s", nr, nr == UINT16_MAX ? "+" : "");
}

const struct syscall_info *syscalls_info(const struct syscalls *syscalls, uint32_t nr)
{
	return nr < SYSCALL_NR_MAX ? &syscalls->infos[nr] : &syscalls->other;
}

bool syscalls_exists(const struct syscalls *syscalls, uint32_t nr)
{
	return nr < syscalls->count && syscalls->numbers->names[nr];
}

uint32_t syscalls_count(const struct syscalls *syscalls)
{
	return syscalls->count;
}

/* strcmp(a, b), where b has len bytes and no NUL. */
static int compare_bounded(const char *a, const char *b, size_t len)
{
	int order = strncmp(a, b, len);
	return order ? order : a[len] != '\0';
}

int syscalls_number(const struct syscalls *syscalls, const char *name, size_t len)
{
	uint32_t low = 0, high = syscalls->named;

	if (memchr(name, '\0', len))
		return -1;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint16_t nr = syscalls->by_name[middle];
		int order = compare_bounded(syscalls->infos[nr].name, name, len);
		if (!order)
			return nr;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

const char *syscalls_event_name(uint32_t nr)
{
	const struct call_numbers *numbers = call_numbers_here();
	const char *name = nr < numbers->count ? numbers->names[nr] : NULL;

	return name ? event_name(name) : NULL;
}

const char *syscalls_nearest(const struct syscalls *syscalls, const char *name, size_t len)
{
	struct words_nearest nearest = words_nearest_to(name, len);

	for (uint32_t i = 0; i < syscalls->named; i++)
		words_nearest_offer(&nearest, syscalls->infos[syscalls->by_name[i]].name);
	return nearest.found;
}

bool syscall_arg_is_given(const struct syscall_info *info, unsigned index)
{
	return !strncmp(info->args[index].type, "const ", 6) || strstr(info->name, "set");
}

const char *syscall_class_name(size_t index)
{
	return index < SYSCALL_CLASS_COUNT ? class_names[index] : NULL;
}

bool syscalls_class(const struct syscalls *syscalls, const char *name, size_t len,
		    struct kernel_filter *into)
{
	for (unsigned class = 0; class < SYSCALL_CLASS_COUNT; class ++) {
		if (strlen(class_names[class]) != len || memcmp(class_names[class], name, len) != 0)
			continue;
		for (uint32_t nr = 0; nr < syscalls->count; nr++)
			if (syscalls->infos[nr].classes >> class & 1)
				kernel_filter_allow(into, nr);
		return true;
	}
	return false;
}
