#include "tui/dialogs/engine_starter.h"

#include "tui/compare/counterpart.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void *run(void *data)
{
	struct starter *starter = data;
	uint64_t one = 1;

	if (starter->before)
		counterpart_wait_open(starter->before);
	starter->rc = engine_start(starter->engine, &starter->options, &starter->err);
	if (!starter->rc && starter->command)
		starter->rc = command_go(starter->command, &starter->err);
	/* Cannot fail: the counter is 0 before. */
	if (write(starter->fd, &one, sizeof(one)) < 0)
		starter->rc = starter->rc ? starter->rc : -errno;
	return NULL;
}

int starter_begin(struct starter *starter, struct engine *engine,
		  const struct engine_options *options, struct command *command,
		  struct counterpart *before, struct err *err)
{
	int rc;

	memset(starter, 0, sizeof(*starter));
	starter->engine = engine;
	starter->command = command;
	starter->before = before;
	starter->options = *options;
	starter->options.interactive = true;
	starter->options.cancel_fd = starter->cancel_fd = eventfd(0, EFD_CLOEXEC);
	starter->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (starter->fd < 0 || starter->cancel_fd < 0)
		return err_set(err, -errno, "the engine cannot be started: %s", strerror(errno));
	rc = pthread_create(&starter->thread, NULL, run, starter);
	if (!rc)
		return 0;
	close(starter->fd);
	close(starter->cancel_fd);
	return err_set(err, -rc, "the engine cannot be started: %s", strerror(rc));
}

void starter_end(struct starter *starter)
{
	const uint64_t one = 1;

	if (starter->joined)
		return;
	/* The start of a pipe may be long in coming. */
	(void)!write(starter->cancel_fd, &one, sizeof(one));
	if (starter->before)
		counterpart_cancel(starter->before);
	pthread_join(starter->thread, NULL);
	close(starter->fd);
	close(starter->cancel_fd);
	starter->fd = -1;
	starter->joined = true;
}
