#include "engine/recording/perfdata_input.h"

#include "engine/base/mem.h"
#include "engine/recording/perfdata_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALIGNMENT 8
/* Minimum number of free bytes at the end of a block for another read into it. */
#define READ_BYTES_MIN PERFDATA_INPUT_MAX

struct perfdata_input {
	int fd;
	bool owns_fd, pipe, ended;
	int error;
	uint64_t size;
	uint64_t next; /* file: offset of the next read */
	uint64_t stop; /* file: end of the requested range */
	uint64_t skip; /* number of bytes still to skip, after those in the buffer */
	uint64_t at; /* offset of the first byte in the buffer that was not taken */
	uint64_t base; /* offset from which alignment is counted */
	size_t begin, end; /* range of the bytes in the buffer */
	struct perfdata_blocks blocks;
	struct perf_block *block;
	char *buffer; /* the block, including its head */
};

/*
 * `perf record --threads` creates a directory: a header in one file, records in one file per CPU.
 */
static bool is_of_threads(int fd)
{
	struct stat status;

	return fstatat(fd, "data", &status, 0) == 0 && S_ISREG(status.st_mode) &&
	       fstatat(fd, "data.0", &status, 0) == 0 && S_ISREG(status.st_mode);
}

static int check_kind(struct perfdata_input *input, const char *path, struct err *err)
{
	struct stat status;

	if (fstat(input->fd, &status) < 0)
		return err_set(err, -errno, "cannot read the recording %s: %s", path,
			       strerror(errno));
	if (S_ISDIR(status.st_mode) && is_of_threads(input->fd))
		return err_set(err, -EISDIR,
			       "%s is a directory of `perf record --threads`, which stxtop cannot "
			       "read; record without --threads",
			       path);
	if (S_ISDIR(status.st_mode))
		return err_set(err, -EISDIR,
			       "%s is a directory; give the name of a recording in it", path);
	input->pipe = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
	if (!input->pipe && !S_ISREG(status.st_mode))
		return err_set(err, -EINVAL, "%s is neither a regular file nor a pipe", path);
	input->size = input->pipe ? 0 : (uint64_t)status.st_size;
	return 0;
}

static void begin_block(struct perfdata_input *input)
{
	input->block = perfdata_blocks_take(&input->blocks);
	input->buffer = (char *)input->block;
}

/* Discard the buffered bytes. If the block has live records, leave it and begin another one. */
static void empty(struct perfdata_input *input)
{
	if (input->block->live) {
		perf_block_filled(input->block);
		begin_block(input);
	}
	input->begin = input->end = PERF_BLOCK_HEAD;
}

int perfdata_input_open(struct perfdata_input **out, const char *path, int fd, struct err *err)
{
	struct perfdata_input *input = mem_zalloc(1, sizeof(*input));
	int rc;

	/* O_NONBLOCK: the open of a FIFO does not wait for its writer. */
	input->owns_fd = fd <= 0;
	input->fd = fd > 0 ? fd : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (input->fd < 0) {
		rc = err_set(err, -errno, "cannot open the recording %s: %s", path,
			     strerror(errno));
		free(input);
		return rc;
	}
	rc = check_kind(input, path, err);
	if (rc) {
		perfdata_input_close(input);
		return rc;
	}
	input->stop = input->pipe ? UINT64_MAX : input->size;
	begin_block(input);
	input->begin = input->end = PERF_BLOCK_HEAD;
	*out = input;
	return 0;
}

void perfdata_input_close(struct perfdata_input *input)
{
	if (!input)
		return;
	if (input->owns_fd)
		close(input->fd);
	if (input->block)
		perf_block_filled(input->block);
	perfdata_blocks_release(&input->blocks);
	free(input);
}

int perfdata_input_fd(const struct perfdata_input *input)
{
	return input->fd;
}

bool perfdata_input_is_pipe(const struct perfdata_input *input)
{
	return input->pipe;
}

uint64_t perfdata_input_size(const struct perfdata_input *input)
{
	return input->size;
}

void perfdata_input_update_size(struct perfdata_input *input)
{
	struct stat status;

	if (!input->pipe && fstat(input->fd, &status) == 0)
		input->size = (uint64_t)status.st_size;
}

int perfdata_input_errno(const struct perfdata_input *input)
{
	return input->error;
}

bool perfdata_input_was_cut(const struct perfdata_input *input)
{
	return !input->pipe && input->ended && !input->error && input->next < input->stop;
}

uint64_t perfdata_input_left(const struct perfdata_input *input)
{
	return input->pipe ? UINT64_MAX : input->stop - input->at;
}

uint64_t perfdata_input_at(const struct perfdata_input *input)
{
	return input->at;
}

char *perfdata_input_section(struct perfdata_input *input, uint64_t offset, uint64_t size,
			     uint64_t max)
{
	char *bytes;
	size_t got = 0;

	if (input->pipe || size > max || offset > input->size || size > input->size - offset)
		return NULL;
	bytes = mem_alloc(size + 1);
	while (got < size) {
		ssize_t count = pread(input->fd, bytes + got, size - got, (off_t)(offset + got));

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			free(bytes);
			return NULL;
		}
		got += (size_t)count;
	}
	bytes[size] = '\0';
	return bytes;
}

void perfdata_input_go(struct perfdata_input *input, uint64_t offset, uint64_t end)
{
	input->next = input->at = input->base = offset;
	input->stop = end;
	empty(input);
	input->skip = 0;
	input->ended = false;
}

/* -- Reading ----------------------------------------------------------------------------- */

static ssize_t read_some(struct perfdata_input *input, char *to, size_t bytes)
{
	ssize_t count;

	do
		count = input->pipe ? read(input->fd, to, bytes)
				    : pread(input->fd, to, bytes, (off_t)input->next);
	while (count < 0 && errno == EINTR);
	return count;
}

/* If a FIFO never had a writer, poll() reports no input; read() would return 0, as at its end. */
static bool pipe_is_empty(struct perfdata_input *input)
{
	struct pollfd poll_fd = { .fd = input->fd, .events = POLLIN };

	return input->pipe && poll(&poll_fd, 1, 0) == 0;
}

/* Read once, as much as there is room for. */
static enum perfdata_input_state fill(struct perfdata_input *input)
{
	uint64_t left = input->stop - input->next;
	size_t room = PERF_BLOCK_BYTES - input->end;
	ssize_t count;

	if (input->ended || !left)
		return PERFDATA_INPUT_END;
	/*
	 * Reads of standard input can block, as O_NONBLOCK would affect other processes that share
	 * it. So call poll() before read().
	 */
	if (pipe_is_empty(input))
		return PERFDATA_INPUT_WAIT;
	count = read_some(input, input->buffer + input->end, room < left ? room : (size_t)left);
	if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return PERFDATA_INPUT_WAIT;
	if (count <= 0) {
		input->error = count < 0 ? errno : 0;
		input->ended = true;
		return PERFDATA_INPUT_END;
	}
	input->next += (uint64_t)count;
	input->end += (size_t)count;
	return PERFDATA_INPUT_READY;
}

static size_t alignment(const struct perfdata_input *input)
{
	return (input->at - input->base) % ALIGNMENT;
}

/* Move the bytes not taken yet to the start of the block; of a new one if a record is live. */
static void move(struct perfdata_input *input)
{
	size_t front = PERF_BLOCK_HEAD + alignment(input), bytes = input->end - input->begin;
	const char *from = input->buffer + input->begin;
	struct perf_block *block = input->block;

	if (block->live)
		begin_block(input);
	memmove(input->buffer + front, from, bytes);
	if (input->block != block)
		perf_block_filled(block);
	input->begin = front;
	input->end = front + bytes;
}

/* Make room for `bytes` bytes in one aligned piece. */
static void make_room(struct perfdata_input *input, size_t bytes)
{
	size_t front = PERF_BLOCK_HEAD + alignment(input);

	if (input->begin == front)
		return;
	if (input->begin % ALIGNMENT == alignment(input) &&
	    input->begin + bytes <= PERF_BLOCK_BYTES &&
	    input->end + READ_BYTES_MIN <= PERF_BLOCK_BYTES)
		return;
	move(input);
}

static void take_skip(struct perfdata_input *input)
{
	size_t ready = input->end - input->begin;
	size_t bytes = input->skip < ready ? (size_t)input->skip : ready;

	input->begin += bytes;
	input->at += bytes;
	input->skip -= bytes;
	/* In a file, unread bytes are skipped without a read. */
	if (input->skip && !input->pipe) {
		uint64_t left = input->stop - input->next;

		bytes = input->skip;
		if (input->skip > left)
			bytes = left;
		input->next += bytes;
		input->at += bytes;
		input->skip = 0;
		empty(input);
	}
}

enum perfdata_input_state perfdata_input_need(struct perfdata_input *input, size_t bytes,
					      const char **at)
{
	enum perfdata_input_state state;

	for (;;) {
		if (input->skip)
			take_skip(input);
		if (!input->skip && input->begin % ALIGNMENT != alignment(input))
			move(input);
		if (!input->skip && input->end - input->begin >= bytes) {
			*at = input->buffer + input->begin;
			return PERFDATA_INPUT_READY;
		}
		make_room(input, bytes);
		state = fill(input);
		if (state != PERFDATA_INPUT_READY)
			return state;
	}
}

const char *perfdata_input_ready(struct perfdata_input *input, size_t passed, size_t *bytes)
{
	input->begin += passed;
	input->at += passed;
	*bytes = input->skip || input->begin % ALIGNMENT != alignment(input)
			 ? 0
			 : input->end - input->begin;
	return input->buffer + input->begin;
}

void perfdata_input_align(struct perfdata_input *input)
{
	input->base = input->at + input->skip;
}

void perfdata_input_skip(struct perfdata_input *input, uint64_t bytes)
{
	input->skip += bytes;
	take_skip(input);
}

int perfdata_input_wait(struct perfdata_input *input, int wake_fd, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = input->pipe ? input->fd : -1, .events = POLLIN },
		{ .fd = wake_fd, .events = POLLIN },
	};
	int rc;

	if (!input->pipe)
		return 1;
	rc = poll(fds, 2, timeout_ms);
	if (rc < 0)
		return errno == EINTR ? 0 : -errno;
	return fds[0].revents != 0;
}
