/*
 * tracer - runs a program under ptrace and prints its system calls as the decoder formats them.
 *
 *	tracer OUTPUT PROGRAM [ARG...]
 *
 * For tests only. Stops the program at each call and can read every byte that an argument points
 * to, so a line that differs from the line of strace shows a fault of the decoder. Input bytes are
 * read at enter and stored until the call returns, like captured bytes.
 */
#include "engine/base/mem.h"
#include "engine/decode/call_text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASKS 4096
#define CHUNKS 512
#define ARENA (1 << 20)

struct chunk {
	uint64_t address;
	uint32_t len, wanted, offset;
};

struct task {
	pid_t tid;
	bool inside;
	struct call call;
	struct chunk chunks[CHUNKS];
	unsigned chunk_count;
	uint32_t used;
	uint8_t *arena;
	char *begun; /* the line formatted at enter */
};

static struct task *tasks[TASKS];
static struct syscalls *syscalls;
static FILE *output;
static bool entering;

static struct task *task_of(pid_t tid)
{
	for (unsigned i = 0; i < TASKS; i++) {
		if (!tasks[i]) {
			tasks[i] = mem_zalloc(1, sizeof(*tasks[i]));
			tasks[i]->tid = tid;
			tasks[i]->arena = mem_alloc(ARENA);
			return tasks[i];
		}
		if (tasks[i]->tid == tid)
			return tasks[i];
	}
	abort();
}

/* Read up to the first inaccessible page; return the number of bytes. */
static uint32_t read_live(pid_t tid, uint64_t address, void *to, uint32_t len)
{
	uint32_t done = 0;

	while (done < len) {
		uint64_t at = address + done, room = 4096 - at % 4096;
		uint32_t want = len - done < room ? len - done : (uint32_t)room;
		struct iovec local = { (char *)to + done, want };
		struct iovec remote = { (void *)(uintptr_t)at, want };
		ssize_t got = process_vm_readv(tid, &local, 1, &remote, 1, 0);

		if (got <= 0)
			break;
		done += (uint32_t)got;
		if ((uint32_t)got < want)
			break;
	}
	return done;
}

static bool read_kept(const struct task *task, const struct bytes_ask *ask, void *to,
		      struct bytes_answer *answer)
{
	for (unsigned i = 0; i < task->chunk_count; i++) {
		const struct chunk *chunk = &task->chunks[i];
		uint64_t skip = ask->address - chunk->address;

		if (ask->address < chunk->address || skip > chunk->wanted ||
		    chunk->wanted - skip < ask->len)
			continue;
		answer->len = skip > chunk->len ? 0 : chunk->len - (uint32_t)skip;
		if (answer->len > ask->len)
			answer->len = ask->len;
		memcpy(to, task->arena + chunk->offset + skip, answer->len);
		return true;
	}
	return false;
}

static void read_bytes(void *ctx, const struct call *call, const struct bytes_ask *ask, void *to,
		       struct bytes_answer *answer)
{
	struct task *task = ctx;

	(void)call;
	answer->origin = BYTES_KERNEL;
	answer->cut = false;
	if (ask->when == BYTES_AT_ENTER && read_kept(task, ask, to, answer))
		return;
	answer->len = read_live(task->tid, ask->address, to, ask->len);
	if (!entering || ask->when != BYTES_AT_ENTER || task->chunk_count == CHUNKS ||
	    task->used + answer->len > ARENA)
		return;
	task->chunks[task->chunk_count++] = (struct chunk){ ask->address, answer->len, ask->len,
							    task->used };
	memcpy(task->arena + task->used, to, answer->len);
	task->used += answer->len;
}

static void print_call(struct task *task, bool returned)
{
	struct call_bytes bytes = { read_bytes, task };
	struct call_text_options options = { .bytes = &bytes };
	struct str line = STR_INIT;

	call_text(&line, syscalls, &task->call, &options);
	if (!returned) {
		/* Also format the result now, to store the input bytes that it needs. */
		task->call.state = CALL_DONE;
		task->call.ret = 0;
		call_text_result(&line, syscalls, &task->call, &options);
		str_clear(&line);
		task->call.state = CALL_IN_FLIGHT;
		call_text(&line, syscalls, &task->call, &options);
		free(task->begun);
		task->begun = str_steal(&line);
		return;
	}
	str_add(&line, " = ");
	call_text_result(&line, syscalls, &task->call, &options);
	fprintf(output, "%d %s\n", (int)task->tid, line.data);
	str_release(&line);
}

static void enter(struct task *task, const struct user_regs_struct *regs)
{
	const uint64_t args[] = { regs->rdi, regs->rsi, regs->rdx, regs->r10, regs->r8, regs->r9 };

	memset(&task->call, 0, sizeof(task->call));
	memcpy(task->call.args, args, sizeof(args));
	task->call.nr = (uint16_t)(regs->orig_rax > 65535 ? 65535 : regs->orig_rax);
	if (regs->orig_rax == SYS_rt_sigreturn)
		task->call.args[0] = regs->rsp;
	task->call.pid = task->call.tid = (uint32_t)task->tid;
	task->call.state = CALL_IN_FLIGHT;
	task->chunk_count = 0;
	task->used = 0;
	entering = true;
	print_call(task, false);
	entering = false;
}

static void stopped(struct task *task)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, task->tid, NULL, &regs))
		return;
	task->inside = !task->inside;
	if (task->inside) {
		enter(task, &regs);
		return;
	}
	task->call.state = CALL_DONE;
	task->call.ret = (int64_t)regs.rax;
	print_call(task, true);
}

static void ended(struct task *task)
{
	if (task->inside)
		fprintf(output, "%d %s = ?\n", (int)task->tid, task->begun);
	task->inside = false;
	task->tid = -1;
}

static void follow(void)
{
	int status;
	pid_t tid;

	while ((tid = waitpid(-1, &status, __WALL)) > 0) {
		struct task *task = task_of(tid);
		int signal = 0;

		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			ended(task);
			continue;
		}
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			stopped(task);
		} else if (status >> 16 == PTRACE_EVENT_EXEC) {
			unsigned long former = 0;

			/* A thread that calls execve becomes the main thread. */
			ptrace(PTRACE_GETEVENTMSG, tid, NULL, &former);
		} else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP) {
			signal = WSTOPSIG(status);
		}
		ptrace(PTRACE_SYSCALL, tid, NULL, (void *)(long)signal);
	}
}

int main(int argc, char **argv)
{
	int status;
	pid_t child;

	if (argc < 3 || !(output = fopen(argv[1], "we"))) {
		fprintf(stderr, "usage: tracer OUTPUT PROGRAM [ARG...]\n");
		return 2;
	}
	syscalls = syscalls_load(NULL);
	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(child, &status, 0);
	ptrace(PTRACE_SETOPTIONS, child, NULL,
	       (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
			PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL));
	task_of(child);
	ptrace(PTRACE_SYSCALL, child, NULL, NULL);
	follow();
	syscalls_free(syscalls);
	return fclose(output) ? 1 : 0;
}
