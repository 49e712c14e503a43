/*
 * symbols_kernel - finds the symbols of a recorded kernel, and looks up addresses in them.
 */
#include "engine/base/mem.h"
#include "engine/process/kernel_build_id.h"
#include "engine/stack/file_probe.h"
#include "engine/stack/symbols_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void symbols_set_recorded_kernel(struct symbols *symbols, const struct recorded_kernel *kernel)
{
	pthread_mutex_lock(&symbols->lock);
	if (kernel->build_id && kernel->build_id_bytes <= sizeof(symbols->kernel.build_id)) {
		symbols->kernel.build_id_bytes = kernel->build_id_bytes;
		memcpy(symbols->kernel.build_id, kernel->build_id, kernel->build_id_bytes);
	}
	symbols->kernel.text = kernel->text;
	snprintf(symbols->kernel.release, sizeof(symbols->kernel.release), "%s",
		 kernel->release ? kernel->release : "");
	if (kernel->kallsyms_len) {
		free(symbols->kernel.kallsyms);
		symbols->kernel.kallsyms = mem_alloc(kernel->kallsyms_len + 1);
		memcpy(symbols->kernel.kallsyms, kernel->kallsyms, kernel->kallsyms_len);
		symbols->kernel.kallsyms[kernel->kallsyms_len] = '\0';
		symbols->kernel.kallsyms_len = kernel->kallsyms_len;
	}
	pthread_mutex_unlock(&symbols->lock);
}

/* -- Finding the symbols --------------------------------------------------------------------- */

static void add_kernel(struct symbols *symbols, const char *path, const struct wire_file *file,
		       int fd)
{
	struct mapping mapping = {
		.start = symbols->kernel.text,
		.end = symbols->kernel.text + file->code_bytes,
		.file_offset = file->code_offset,
	};
	struct dso *dso;

	pthread_mutex_lock(&symbols->lock);
	mapping.path = names_add(symbols->names, path, strlen(path));
	dso = dso_new((uint32_t)symbols->dsos_len + 1, 0, &mapping, DSO_FILE);
	symbols->dsos = mem_grow(symbols->dsos, &symbols->dsos_cap, symbols->dsos_len + 1,
				 sizeof(*symbols->dsos));
	symbols->dsos[symbols->dsos_len++] = dso;
	dso->shown = "[kernel]";
	dso->fd = fd;
	symbols->kernel_file = dso;
	pthread_mutex_unlock(&symbols->lock);
}

static bool has_recorded_id(const struct symbols *symbols, const struct wire_file *file)
{
	return symbols->kernel.build_id_bytes == file->build_id_bytes &&
	       !memcmp(symbols->kernel.build_id, file->build_id, file->build_id_bytes);
}

/* Return -EKEYREJECTED if the file belongs to another kernel. */
static int try_vmlinux(struct symbols *symbols, const char *path, bool named)
{
	struct wire_file file;
	int fd = file_probe_debug(symbols->reader, path), code;

	if (fd < 0)
		return fd;
	code = worker_start(symbols->names_worker, NULL);
	/* An unused number: the file gets its own number once its build-id matches. */
	if (!code)
		code = worker_open(symbols->names_worker, UINT32_MAX, WIRE_MAIN, fd, &file);
	if (!code && !has_recorded_id(symbols, &file) && (!named || symbols->kernel.build_id_bytes))
		code = -EKEYREJECTED;
	if (!code && (!file.code_bytes || !(file.flags & WIRE_HAS_SYMTAB)))
		code = -ENODATA;
	if (code) {
		close(fd);
		return code;
	}
	add_kernel(symbols, path, &file, fd);
	return 0;
}

static int find_vmlinux(struct symbols *symbols, struct err *err)
{
	bool named = symbol_paths_names_vmlinux(symbols->places);
	int code = -ENOENT;
	char *path;

	if (!symbols->kernel.text)
		return named ? err_set(err, -ENODATA,
				       "--vmlinux: the recording lacks the address of its kernel; "
				       "record it as root")
			     : -ENODATA;
	for (unsigned int i = 0;
	     code && (path = symbol_paths_vmlinux(symbols->places, symbols->kernel.build_id,
						  symbols->kernel.build_id_bytes,
						  symbols->kernel.release, i));
	     i++) {
		code = try_vmlinux(symbols, path, named);
		free(path);
	}
	if (code && named)
		err_set(err, code, "no kernel symbols: the file of --vmlinux %s",
			code == -EKEYREJECTED ? "has another build-id than the recorded kernel"
			: code == -ENODATA    ? "has no symbol table"
					      : "cannot be read");
	return code;
}

/* Read a kallsyms file, and relocate it to the recorded address of the kernel text. */
static int read_list(struct symbols *symbols, const char *path, struct kallsyms **kallsyms,
		     struct err *err)
{
	int code = kallsyms_read_file(kallsyms, path, err);

	if (!code)
		kallsyms_move(*kallsyms, symbols->kernel.text);
	return code;
}

/* Use the running kernel's symbols if its build-id and the address of _text are as recorded. */
static int read_running(struct symbols *symbols, struct kallsyms **kallsyms)
{
	struct err err;

	if (!symbols->kernel.text ||
	    !kernel_id_is_running(symbols->kernel.build_id, symbols->kernel.build_id_bytes))
		return -ENOENT;
	if (kallsyms_read(kallsyms, &err))
		return -ENOENT;
	if (kallsyms_text(*kallsyms) == symbols->kernel.text)
		return 0;
	kallsyms_free(*kallsyms);
	*kallsyms = NULL;
	return -ENOENT;
}

static int read_recorded(struct symbols *symbols, struct kallsyms **kallsyms)
{
	char *text = symbols->kernel.kallsyms;
	struct err err;
	int code;

	symbols->kernel.kallsyms = NULL;
	if (!text)
		return -ENOENT;
	code = kallsyms_parse(kallsyms, text, symbols->kernel.kallsyms_len, &err);
	if (!code)
		kallsyms_move(*kallsyms, symbols->kernel.text);
	return code;
}

int symbols_find_kernel(struct symbols *symbols, struct kallsyms **kallsyms, struct err *err)
{
	bool named = symbol_paths_names_kallsyms(symbols->places);
	char *list = symbol_paths_kallsyms(symbols->places, symbols->kernel.build_id,
					   symbols->kernel.build_id_bytes);
	struct err ignored;
	int code = -ENOENT;

	if (named)
		code = read_list(symbols, list, kallsyms, err);
	else if (symbol_paths_names_vmlinux(symbols->places))
		code = find_vmlinux(symbols, err);
	else if (read_recorded(symbols, kallsyms) && read_running(symbols, kallsyms) &&
		 (!list || read_list(symbols, list, kallsyms, &ignored)) &&
		 symbols->kernel.build_id_bytes)
		code = find_vmlinux(symbols, &ignored);
	else
		code = *kallsyms ? 0 : -ENOENT;
	free(list);
	return code;
}

/* -- Lookups --------------------------------------------------------------------------------- */

bool symbols_kernel_offset(const struct symbols *symbols, uint64_t address, uint64_t *offset)
{
	const struct dso *file = symbols->kernel_file;

	if (!file || address < file->mapping.start || address >= file->mapping.end)
		return false;
	*offset = address - file->mapping.start + file->mapping.file_offset;
	return true;
}

void symbols_ask_kernel_lookups(struct symbols *symbols)
{
	const struct stack stack = { .pid = 0 };
	struct idmap_slot *slot;
	size_t cursor = 0;
	uint64_t offset;

	while ((slot = idmap_next(&symbols->kernel_lookups, &cursor)))
		if (symbols_kernel_offset(symbols, slot->key, &offset))
			symbols_ask(symbols, symbols->kernel_file, &stack, offset);
	idmap_clear(&symbols->kernel_lookups);
}

bool symbols_kernel_find_embedded(const struct symbols *symbols, uint64_t address,
				  struct kernel_name *name)
{
	const struct embedded_file *kernel = embedded_names_kernel(symbols->kept);
	const struct embedded_reply *reply =
		kernel ? embedded_names_find(symbols->kept, kernel, address) : NULL;
	const struct embedded_frame *frame;

	if (!reply)
		return false;
	frame = embedded_names_frames(symbols->kept, reply);
	name->symbol = embedded_names_text(symbols->kept, frame->symbol);
	name->module = embedded_names_text(symbols->kept, frame->file);
	name->start = address - frame->offset;
	return name->symbol && name->module;
}

/* Find the function at an address in vmlinux; no source lines or inlined functions. */
static bool find_in_file(const struct symbols *symbols, uint64_t address, struct kernel_name *name)
{
	const struct reply_frame *frame;
	const struct reply *reply;
	uint64_t offset;

	if (!symbols_kernel_offset(symbols, address, &offset))
		return false;
	reply = idmap_get(&symbols->kernel_file->replies, offset);
	if (!reply || !reply->frames)
		return false;
	frame = &reply->frames[reply->count - 1];
	*name = (struct kernel_name){ frame->symbol, "[kernel]", address - frame->offset };
	return name->symbol;
}

bool symbols_kernel_find(const struct symbols *symbols, uint64_t address, struct kernel_name *name)
{
	return symbols_kernel_find_embedded(symbols, address, name) ||
	       find_in_file(symbols, address, name) ||
	       (symbols->kernels_len &&
		kallsyms_find(symbols->kernels[symbols->kernels_len - 1], address, &name->symbol,
			      &name->start, &name->module));
}
