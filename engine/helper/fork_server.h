/*
 * fork_server - a small process that forks workers on demand.
 *
 * Forked once, before there are threads, probes and a terminal, so that a
 * worker that is replaced hours later inherits none of them. It does nothing
 * but fork, kill and wait; it holds no descriptor but its socket, and ends
 * with the program. Any thread; a lock inside.
 */
#ifndef HELPER_FORK_SERVER_H
#define HELPER_FORK_SERVER_H

#include "engine/base/err.h"

#include <sys/types.h>

struct fork_server;

/* `serve` is run by each worker on its socket; the worker ends when it returns. */
int fork_server_new(struct fork_server **fork_server, void (*serve)(int socket_fd),
		    struct err *err);
/* Ends the workers too. */
void fork_server_free(struct fork_server *fork_server);
/*
 * How long the fork server may take to fork or to reap before it is killed; default 10 s. Before
 * other threads use it.
 */
void fork_server_set_reply_ms(struct fork_server *fork_server, int reply_ms);
pid_t fork_server_pid(const struct fork_server *fork_server);

/* A new worker; *socket_fd is the program's end, to be closed by the caller. 0 or -errno. */
int fork_server_fork(struct fork_server *fork_server, pid_t *pid, int *socket_fd);
/* The same for a child that does something else. */
int fork_server_fork_as(struct fork_server *fork_server, void (*serve)(int socket_fd), pid_t *pid,
			int *socket_fd);
/*
 * A reader of what belongs to others (engine/helper/reader.h), which keeps this program's rights.
 * It is not reaped by its caller: once it has ended, it is when the next one is forked.
 */
int fork_server_fork_reader(struct fork_server *fork_server, void (*serve)(int socket_fd),
			    pid_t *pid, int *socket_fd);
/* Kills a worker if it still lives. Returns its wait status, or -1 if that is not known. */
int fork_server_reap(struct fork_server *fork_server, pid_t pid);

#endif
