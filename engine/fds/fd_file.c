#include "engine/fds/fd_file.h"

#include "engine/base/mem.h"
#include "engine/fds/fd_table_types.h"

#include <stdlib.h>
#include <string.h>

struct fd_file *fd_file_new(struct fd_table *table, const char *text, size_t len, bool vague)
{
	struct fd_file *file = mem_zalloc(1, sizeof(*file));

	file->refs = 1;
	file->vague = vague;
	table->bytes += sizeof(*file);
	if (text)
		fd_file_set_text(table, file, text, len, 0);
	return file;
}

static void free_texts(struct fd_table *table, struct fd_file *file)
{
	while (file->older) {
		struct fd_file_text *text = file->older;

		file->older = text->older;
		table->bytes -= sizeof(*text) + text->len;
		free(text);
	}
}

void fd_file_drop(struct fd_table *table, struct fd_file *file)
{
	if (!file || --file->refs)
		return;
	free_texts(table, file);
	if (file->text)
		table->bytes -= file->len;
	if (file->of_socket)
		table->bytes -= sizeof(*file->of_socket);
	table->bytes -= sizeof(*file);
	free(file->text);
	free(file->of_socket);
	free(file);
}

/* Maximum number of earlier texts. A text changes with the addresses of a socket, else rarely. */
#define TEXTS_MAX 8

static void store_text(struct fd_table *table, struct fd_file *file)
{
	struct fd_file_text *text = mem_alloc(sizeof(*text) + file->len);
	unsigned count = 0;

	for (struct fd_file_text *older = file->older; older; older = older->older)
		count++;
	if (count >= TEXTS_MAX)
		free_texts(table, file);
	text->since_ns = file->since_ns;
	text->len = file->len;
	memcpy(text->text, file->text, file->len);
	text->older = file->older;
	file->older = text;
	table->bytes += sizeof(*text) + text->len;
}

void fd_file_set_text(struct fd_table *table, struct fd_file *file, const char *text, size_t len,
		      uint64_t since_ns)
{
	if (len > FD_TEXT_MAX)
		len = FD_TEXT_MAX;
	if (file->text && file->len == len && !memcmp(file->text, text, len))
		return;
	if (file->text && since_ns) {
		store_text(table, file);
		file->since_ns = since_ns;
	} else if (since_ns) {
		file->since_ns = since_ns;
	}
	if (file->text)
		table->bytes -= file->len;
	file->text = mem_realloc(file->text, len + 1, 1);
	memcpy(file->text, text, len);
	file->text[len] = '\0';
	file->len = len;
	table->bytes += len;
}

void fd_file_begin_text(struct fd_table *table, struct fd_file *file, uint64_t since_ns)
{
	if (!file->text || file->since_ns >= since_ns)
		return;
	store_text(table, file);
	file->since_ns = since_ns;
}

void fd_file_set_socket(struct fd_table *table, struct fd_file *file,
			const struct fd_socket *socket)
{
	if (!file->of_socket) {
		file->of_socket = mem_alloc(sizeof(*file->of_socket));
		table->bytes += sizeof(*file->of_socket);
	}
	*file->of_socket = *socket;
}

const char *fd_file_text_at(const struct fd_file *file, uint64_t at_ns, size_t *len)
{
	*len = file->len;
	if (!file->text || file->since_ns <= at_ns)
		return file->text;
	for (const struct fd_file_text *text = file->older; text; text = text->older) {
		*len = text->len;
		if (text->since_ns <= at_ns || !text->older)
			return text->text;
	}
	/* No earlier text: unknown before since_ns. */
	return NULL;
}
