/*
 * fork_server - a small process that forks workers and readers on demand.
 *
 * Forked once, before stxtop has threads, probes and a terminal, so that a worker that is forked
 * hours later inherits none of them. It only forks, kills and waits. Its socket is its only
 * descriptor. It ends with stxtop. Any thread; locks internally.
 */
#ifndef HELPER_FORK_SERVER_H
#define HELPER_FORK_SERVER_H

#include "engine/base/err.h"

#include <sys/types.h>

struct fork_server;

/* Each worker runs `serve` on its socket and ends when `serve` returns. */
int fork_server_new(struct fork_server **fork_server, void (*serve)(int socket_fd),
		    struct err *err);
/* End the fork server and its workers. */
void fork_server_free(struct fork_server *fork_server);
/*
 * Set the time limit for a fork or a reap, after which the fork server is killed; default 10 s.
 * Call before other threads use the fork server.
 */
void fork_server_set_reply_ms(struct fork_server *fork_server, int reply_ms);
pid_t fork_server_pid(const struct fork_server *fork_server);

/* Fork a worker. *socket_fd is stxtop's end; the caller closes it. 0 or -errno. */
int fork_server_fork(struct fork_server *fork_server, pid_t *pid, int *socket_fd);
/* As fork_server_fork(), for a child with another `serve`. */
int fork_server_fork_as(struct fork_server *fork_server, void (*serve)(int socket_fd), pid_t *pid,
			int *socket_fd);
/*
 * Fork a reader (engine/helper/reader.h), which retains stxtop's privileges. The caller does not
 * reap it: the fork server reaps ended readers on a later request.
 */
int fork_server_fork_reader(struct fork_server *fork_server, void (*serve)(int socket_fd),
			    pid_t *pid, int *socket_fd);
/* Kill a worker if it is alive. Return its wait status; -1: unknown. */
int fork_server_reap(struct fork_server *fork_server, pid_t pid);

#endif
