#include "tui/dialogs/engine_starter.h"

#include "tui/compare/counterpart.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void *run(void *data)
{
	struct engine_starter *engine_starter = data;
	uint64_t one = 1;

	if (engine_starter->before)
		counterpart_wait_open(engine_starter->before);
	engine_starter->rc = engine_start(engine_starter->engine, &engine_starter->options,
					  &engine_starter->err);
	if (!engine_starter->rc && engine_starter->command)
		engine_starter->rc = command_go(engine_starter->command, &engine_starter->err);
	/* The write cannot fail, because the counter is 0. */
	if (write(engine_starter->fd, &one, sizeof(one)) < 0)
		engine_starter->rc = engine_starter->rc ? engine_starter->rc : -errno;
	return NULL;
}

int engine_starter_begin(struct engine_starter *engine_starter, struct engine *engine,
			 const struct engine_options *options, struct command *command,
			 struct counterpart *before, struct err *err)
{
	int rc;

	memset(engine_starter, 0, sizeof(*engine_starter));
	engine_starter->engine = engine;
	engine_starter->command = command;
	engine_starter->before = before;
	engine_starter->options = *options;
	engine_starter->options.interactive = true;
	engine_starter->options.cancel_fd = engine_starter->cancel_fd = eventfd(0, EFD_CLOEXEC);
	engine_starter->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (engine_starter->fd < 0 || engine_starter->cancel_fd < 0)
		return err_set(err, -errno, "cannot start the engine: %s", strerror(errno));
	rc = pthread_create(&engine_starter->thread, NULL, run, engine_starter);
	if (!rc)
		return 0;
	close(engine_starter->fd);
	close(engine_starter->cancel_fd);
	return err_set(err, -rc, "cannot start the engine: %s", strerror(rc));
}

void engine_starter_end(struct engine_starter *engine_starter)
{
	const uint64_t one = 1;

	if (engine_starter->joined)
		return;
	/* Without this, the start of a recording from a pipe can block until the header arrives. */
	(void)!write(engine_starter->cancel_fd, &one, sizeof(one));
	if (engine_starter->before)
		counterpart_cancel(engine_starter->before);
	pthread_join(engine_starter->thread, NULL);
	close(engine_starter->fd);
	close(engine_starter->cancel_fd);
	engine_starter->fd = -1;
	engine_starter->joined = true;
}
