#include "tui/command_output.h"

#include "engine/base/escape.h"
#include "engine/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES 16384
/* A command that writes faster than anyone reads must not hold up the keys. */
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

/* Tabs become blanks here: an escape would tear tables apart. */
static void add_shown(struct str *out, const char *bytes, size_t len)
{
	size_t start = 0, begin = out->len;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] != '\t')
			continue;
		str_add_escaped(out, bytes + start, i - start, ESCAPE_PLAIN);
		str_repeat(out, ' ', TAB_COLS - (out->len - begin) % TAB_COLS);
		start = i + 1;
	}
	if (len > start && bytes[len - 1] == '\r')
		len--;
	str_add_escaped(out, bytes + start, len - start, ESCAPE_PLAIN);
}

static void end_line(struct command_output *output)
{
	struct str shown = STR_INIT;

	add_shown(&shown, output->partial.data, output->partial.len);
	str_clear(&output->partial);
	while (output->count && (output->count == COMMAND_OUTPUT_LINES ||
				 output->bytes + shown.len + 1 > COMMAND_OUTPUT_BYTES))
		drop_oldest(output);
	output->bytes += shown.len + 1;
	*line_at(output, output->count++) = mem_strdup(shown.data);
	str_release(&shown);
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
		add_shown(out, output->partial.data, output->partial.len);
}
