#include "tui/session/command_output.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES 16384
/* Maximum number of reads per call: a fast writer must not delay the handling of keys. */
#define READS_MAX 16
#define TAB_COLS 8

void command_output_init(struct command_output *output, int fd)
{
	memset(output, 0, sizeof(*output));
	output->fd = fd;
	str_init(&output->partial);
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static char **line_at(struct command_output *output, size_t index)
{
	return &output->lines[(output->head + index) % COMMAND_OUTPUT_LINES];
}

static void drop_oldest(struct command_output *output)
{
	char **line = line_at(output, 0);

	output->bytes -= strlen(*line) + 1;
	free(*line);
	*line = NULL;
	output->head = (output->head + 1) % COMMAND_OUTPUT_LINES;
	output->count--;
	output->dropped++;
}

void command_output_release(struct command_output *output)
{
	while (output->count)
		drop_oldest(output);
	str_release(&output->partial);
}

/* Escape all except tabs: an escaped tab would break the alignment of tables. */
static void add_escaped(struct str *out, const char *bytes, size_t len)
{
	const char *end = bytes + len, *tab;

	while ((tab = memchr(bytes, '\t', (size_t)(end - bytes)))) {
		str_add_escaped(out, bytes, (size_t)(tab - bytes), ESCAPE_PLAIN);
		str_addc(out, '\t');
		bytes = tab + 1;
	}
	if (end > bytes && end[-1] == '\r')
		end--;
	str_add_escaped(out, bytes, (size_t)(end - bytes), ESCAPE_PLAIN);
}

static void end_line(struct command_output *output)
{
	struct str line = STR_INIT;

	add_escaped(&line, output->partial.data, output->partial.len);
	str_clear(&output->partial);
	while (output->count && (output->count == COMMAND_OUTPUT_LINES ||
				 output->bytes + line.len + 1 > COMMAND_OUTPUT_BYTES))
		drop_oldest(output);
	output->bytes += line.len + 1;
	*line_at(output, output->count++) = mem_strdup(line.data);
	str_release(&line);
}

static void take(struct command_output *output, const char *bytes, size_t len)
{
	while (len) {
		const char *end = memchr(bytes, '\n', len);
		size_t part = end ? (size_t)(end - bytes) : len;
		size_t room = COMMAND_OUTPUT_LINE_BYTES - output->partial.len;

		str_addn(&output->partial, bytes, part < room ? part : room);
		if (!end)
			return;
		end_line(output);
		bytes += part + 1;
		len -= part + 1;
	}
}

bool command_output_read(struct command_output *output)
{
	char bytes[READ_BYTES];
	bool any = false;

	for (int i = 0; i < READS_MAX && output->fd >= 0; i++) {
		ssize_t got = read(output->fd, bytes, sizeof(bytes));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			break;
		if (got <= 0) {
			output->fd = -1;
			return true;
		}
		take(output, bytes, (size_t)got);
		any = true;
	}
	return any;
}

size_t command_output_lines(const struct command_output *output)
{
	return output->count + (output->partial.len ? 1 : 0);
}

void command_output_line(const struct command_output *output, size_t index, struct str *out)
{
	if (index < output->count)
		str_add(out, output->lines[(output->head + index) % COMMAND_OUTPUT_LINES]);
	else
		add_escaped(out, output->partial.data, output->partial.len);
}

void command_output_shown(const struct command_output *output, size_t index, struct str *out)
{
	struct str line = STR_INIT;
	size_t begin = out->len;
	const char *at, *tab;

	command_output_line(output, index, &line);
	for (at = line.data; (tab = strchr(at, '\t')); at = tab + 1) {
		str_addn(out, at, (size_t)(tab - at));
		str_repeat(out, ' ', TAB_COLS - (out->len - begin) % TAB_COLS);
	}
	str_add(out, at);
	str_release(&line);
}
