#include "engine/stack/unwinder.h"

#include "engine/base/clock.h"
#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/stack/stacks.h"
#include "engine/stack/unwind_files.h"

#include <asm/perf_regs.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define RING_BYTES ((size_t)8 << 20)
#define TICKETS_MAX 4096u /* a power of two */
#define BATCH 64u
#define TRIES 3u /* maximum number per sample, if the worker fails on it */
#define ROUNDS 256u /* per batch of samples; each round adds one mapping per sample */
#define CODE_SEGMENT_32 0x23

/* A pending sample; its bytes are in the ring. */
struct ticket {
	struct unwind_space space;
	uint32_t tag;
	uint32_t tries;
	size_t at, bytes; /* place and size in the ring */
	bool replied;
};

struct unwinder {
	struct unwinder_options options;
	struct worker *worker;
	uint32_t serial; /* serial of the worker that has the ring */
	struct unwind_files *files;
	struct symbol_paths *places; /* NULL: options.places is used */
	unsigned char *ring;
	int ring_fd;

	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t work, settled;
	pthread_t thread;
	bool started, stopping, waiting;
	struct unwind_cache *memo;
	struct ticket tickets[TICKETS_MAX];
	uint32_t first, count; /* index of the oldest ticket; number of tickets */
	uint64_t dropped;
	/* Copy of a result for the collector, as the cache may move its own copy. */
	uint64_t found[STACK_FRAMES_MAX];
	struct unwound now; /* result of the last sample of a recording */
};

/* In the order of the DWARF register numbers. */
static const unsigned char perf_registers[WIRE_REGS] = {
	PERF_REG_X86_AX,  PERF_REG_X86_DX,  PERF_REG_X86_CX,  PERF_REG_X86_BX,  PERF_REG_X86_SI,
	PERF_REG_X86_DI,  PERF_REG_X86_BP,  PERF_REG_X86_SP,  PERF_REG_X86_R8,  PERF_REG_X86_R9,
	PERF_REG_X86_R10, PERF_REG_X86_R11, PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14,
	PERF_REG_X86_R15, PERF_REG_X86_IP,
};

static bool find_register(const struct record_stack *stack, unsigned int reg, uint64_t *value)
{
	uint64_t bit = 1ULL << reg;

	if (!(stack->user_regs_mask & bit))
		return false;
	*value = stack->user_regs[__builtin_popcountll(stack->user_regs_mask & (bit - 1))];
	return true;
}

bool unwinder_prepare(struct unwinder *unwinder, uint32_t pid, const struct record_stack *stack,
		      struct unwinder_sample *sample)
{
	uint64_t segment;

	if (!stack->user_regs || !stack->user_stack_bytes ||
	    stack->user_stack_bytes > RING_BYTES / 2)
		return false;
	if (find_register(stack, PERF_REG_X86_CS, &segment) && segment == CODE_SEGMENT_32)
		return false;
	memset(&sample->regs, 0, sizeof(sample->regs));
	for (unsigned int i = 0; i < WIRE_REGS; i++)
		if (find_register(stack, perf_registers[i], &sample->regs.regs[i]))
			sample->regs.known |= 1ULL << i;
	if (!(sample->regs.known >> WIRE_REG_SP & 1) || !(sample->regs.known >> WIRE_REG_IP & 1))
		return false;
	sample->regs.bytes = stack->user_stack_bytes;
	sample->stack = stack->user_stack;
	sample->space.pid = pid;
	sample->space.generation = spaces_current(unwinder->options.spaces, pid,
						  &sample->space.version);
	return true;
}

/* -- The ring ------------------------------------------------------------------------ */

static int make_ring(struct unwinder *unwinder, struct err *err)
{
	int fd = memfd_create("stxtop-stacks", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	/*
	 * The worker can write into the ring, but must not shrink it: a read of the removed part
	 * would raise SIGBUS here.
	 */
	if (fd < 0 || ftruncate(fd, RING_BYTES) < 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		goto fail;
	unwinder->ring = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (unwinder->ring == MAP_FAILED)
		goto fail;
	unwinder->ring_fd = fd;
	return 0;
fail:
	unwinder->ring = NULL;
	err_set(err, -errno, "no memory to pass stacks to the unwinder: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -ENOMEM;
}

static size_t bytes_in_ring(const struct unwinder_sample *sample)
{
	return (sizeof(sample->regs) + sample->regs.bytes + 7) & ~(size_t)7;
}

/* Return a place for `bytes` bytes after the newest sample; 0: no room. Call with the lock. */
static size_t place_in_ring(const struct unwinder *unwinder, size_t bytes)
{
	const struct ticket *oldest, *newest;
	size_t end;

	if (!unwinder->count)
		return WIRE_RING_FIRST;
	oldest = &unwinder->tickets[unwinder->first % TICKETS_MAX];
	newest = &unwinder->tickets[(unwinder->first + unwinder->count - 1) % TICKETS_MAX];
	end = newest->at + newest->bytes;
	if (newest->at >= oldest->at) {
		if (RING_BYTES - end >= bytes)
			return end;
		return oldest->at - WIRE_RING_FIRST >= bytes ? WIRE_RING_FIRST : 0;
	}
	return oldest->at - end >= bytes ? end : 0;
}

static struct ticket *add_ticket(struct unwinder *unwinder, const struct unwinder_sample *sample,
				 uint32_t tag)
{
	struct ticket *ticket =
		&unwinder->tickets[(unwinder->first + unwinder->count) % TICKETS_MAX];
	size_t bytes = bytes_in_ring(sample), at = place_in_ring(unwinder, bytes);

	memcpy(unwinder->ring + at, &sample->regs, sizeof(sample->regs));
	memcpy(unwinder->ring + at + sizeof(sample->regs), sample->stack, sample->regs.bytes);
	*ticket = (struct ticket){
		.space = sample->space,
		.tag = tag,
		.at = at,
		.bytes = bytes,
	};
	unwinder->count++;
	return ticket;
}

/* -- Requests to the worker ------------------------------------------------------------ */

static int start_worker(struct unwinder *unwinder)
{
	struct wire_request request = { .kind = WIRE_RING, .count = 1 };
	const unsigned char *data;
	struct wire_reply reply;
	int code = worker_start(unwinder->worker, NULL);

	if (code || unwinder->serial == worker_serial(unwinder->worker))
		return code;
	request.offsets[0] = RING_BYTES;
	code = worker_ask(unwinder->worker, &request, unwinder->ring_fd, &reply, &data);
	if (!code && reply.error)
		code = -EPROTO;
	if (!code)
		unwinder->serial = worker_serial(unwinder->worker);
	return code;
}

static struct wire_sample *sample_of(const struct unwinder *unwinder, const struct ticket *ticket)
{
	return (struct wire_sample *)(void *)(unwinder->ring + ticket->at);
}

/* True if the walk ended in a file that is no longer read. */
static bool ends_in_failed_file(struct unwinder *unwinder, const struct ticket *ticket,
				const struct wire_unwound *reply, const uint64_t *ips)
{
	uint64_t last;

	if (reply->state == WIRE_CUT)
		return false;
	last = reply->frames ? ips[reply->frames - 1] - (reply->frames > 1)
			     : sample_of(unwinder, ticket)->regs[WIRE_REG_IP];
	return unwind_files_has_failed(unwinder->files, &ticket->space, last);
}

static void give_reply(struct unwinder *unwinder, struct ticket *ticket,
		       const struct wire_unwound *reply, const uint64_t *ips,
		       const struct wire_read *reads)
{
	struct unwound unwound = { .ips = ips, .count = reply->frames };
	struct wire_sample sample = *sample_of(unwinder, ticket);
	uint32_t version, generation;

	unwound.flags = STACK_USER_DWARF;
	if (reply->state == WIRE_STOPPED)
		unwound.flags |= STACK_USER_STOPPED;
	else if (reply->state == WIRE_CUT)
		unwound.flags |= STACK_USER_CUT;
	if (ends_in_failed_file(unwinder, ticket, reply, ips))
		unwound.flags |= STACK_USER_FILE_FAILED;
	if (reply->guessed < reply->frames)
		unwound.flags |= stack_flags_guessed_from(reply->guessed);
	ticket->replied = true;
	/*
	 * The walk used the current mappings: cache the result only if the sample had the same
	 * ones.
	 */
	generation = spaces_current(unwinder->options.spaces, ticket->space.pid, &version);
	sample.bytes = (uint32_t)(ticket->bytes - sizeof(sample) < sample.bytes
					  ? ticket->bytes - sizeof(sample)
					  : sample.bytes);
	pthread_mutex_lock(&unwinder->lock);
	if (reply->reads && generation == ticket->space.generation &&
	    version == ticket->space.version)
		unwind_cache_add(unwinder->memo, &ticket->space, &sample,
				 unwinder->ring + ticket->at + sizeof(sample), reads, reply->reads,
				 &unwound);
	if (unwinder->options.recorded) {
		memcpy(unwinder->found, ips, unwound.count * sizeof(*ips));
		unwinder->now = unwound;
		unwinder->now.ips = unwinder->found;
	}
	pthread_mutex_unlock(&unwinder->lock);
	if (!unwinder->options.recorded)
		unwinder->options.done(unwinder->options.ctx, ticket->tag, &unwound);
}

static void give_up(struct unwinder *unwinder, struct ticket *ticket)
{
	const struct wire_unwound nothing = { .state = WIRE_STOPPED };
	const uint64_t no_ips[1] = { 0 };

	give_reply(unwinder, ticket, &nothing, no_ips, NULL);
}

/* An address with unknown mapping, reached by the walk of a ticket. */
struct need {
	const struct ticket *ticket;
	uint64_t address;
};

static int read_replies(struct unwinder *unwinder, struct ticket **asked,
			const struct wire_reply *reply, const unsigned char *data,
			struct need *needs, size_t *needs_len)
{
	struct wire_reader reader = { data, data + reply->bytes };

	for (uint32_t i = 0; i < reply->count; i++) {
		const struct wire_read *reads;
		struct wire_unwound unwound;
		const uint64_t *ips;

		if (!wire_read_unwound(&reader, &unwound, &ips, &reads))
			return -EPROTO;
		if (unwound.state == WIRE_NEEDS_MAP)
			needs[(*needs_len)++] = (struct need){ asked[i], unwound.address };
		else
			give_reply(unwinder, asked[i], &unwound, ips, reads);
	}
	return 0;
}

/*
 * Return the space of a sample in its current version. If each sample kept its own version, samples
 * from before and after a change would discard each other's mappings in every round.
 */
static struct unwind_space space_now(const struct unwinder *unwinder, const struct ticket *ticket)
{
	struct unwind_space space = ticket->space;
	uint32_t version;

	if (spaces_current(unwinder->options.spaces, space.pid, &version) == space.generation)
		space.version = version;
	return space;
}

/*
 * Query the worker about up to `max` unresolved tickets; send the mappings that their walks lack.
 */
static int ask_round(struct unwinder *unwinder, struct ticket *tickets, size_t count, size_t max)
{
	struct wire_request request = { .kind = WIRE_UNWIND };
	struct ticket *asked[BATCH];
	struct need needs[BATCH];
	const unsigned char *data;
	struct wire_reply reply;
	size_t needs_len = 0;
	int code = start_worker(unwinder);

	for (size_t i = 0; !code && i < count && request.count < max; i++) {
		struct unwind_space space;

		if (tickets[i].replied)
			continue;
		space = space_now(unwinder, &tickets[i]);
		code = unwind_files_space(unwinder->files, &space,
					  &sample_of(unwinder, &tickets[i])->space);
		asked[request.count] = &tickets[i];
		request.offsets[request.count++] = tickets[i].at;
	}
	if (code)
		return code;
	code = worker_ask(unwinder->worker, &request, -1, &reply, &data);
	if (!code && (reply.error || !reply.count ||
		      read_replies(unwinder, asked, &reply, data, needs, &needs_len))) {
		worker_stop(unwinder->worker);
		code = -EPROTO;
	}
	for (size_t i = 0; !code && i < needs_len; i++) {
		if (i && needs[i].address == needs[i - 1].address &&
		    sample_of(unwinder, needs[i].ticket)->space ==
			    sample_of(unwinder, needs[i - 1].ticket)->space)
			continue;
		code = unwind_files_map(unwinder->files, &needs[i].ticket->space,
					sample_of(unwinder, needs[i].ticket)->space,
					needs[i].address);
		if (code == -EBADMSG)
			code = 0;
	}
	return code;
}

/* Resolve every ticket of the batch. */
static void unwind_batch(struct unwinder *unwinder, struct ticket *tickets, size_t count)
{
	struct wire_blame *blame = (struct wire_blame *)(void *)unwinder->ring;
	size_t max = count;

	for (unsigned int round = 0; round < ROUNDS + count * TRIES; round++) {
		struct ticket *next = tickets;
		int code;

		while (next < tickets + count && next->replied)
			next++;
		if (next == tickets + count)
			return;
		code = ask_round(unwinder, tickets, count, max);
		if (!code)
			continue;
		unwind_files_blame(unwinder->files, atomic_exchange(&blame->file, 0), code);
		/* Continue one by one, to find the sample on which the worker fails. */
		max = 1;
		if (code != -ESTALE && ++next->tries >= TRIES && !next->replied)
			give_up(unwinder, next);
	}
	for (size_t i = 0; i < count; i++)
		if (!tickets[i].replied)
			give_up(unwinder, &tickets[i]);
}

static void *unwinder_main(void *arg)
{
	struct unwinder *unwinder = arg;
	struct ticket batch[BATCH];

	prctl(PR_SET_NAME, "stxtop-unwind", 0, 0, 0);
	pthread_mutex_lock(&unwinder->lock);
	while (!unwinder->stopping) {
		size_t count = unwinder->count < BATCH ? unwinder->count : BATCH;

		if (!count) {
			pthread_cond_broadcast(&unwinder->settled);
			unwinder->waiting = true;
			pthread_cond_wait(&unwinder->work, &unwinder->lock);
			unwinder->waiting = false;
			continue;
		}
		for (size_t i = 0; i < count; i++)
			batch[i] = unwinder->tickets[(unwinder->first + i) % TICKETS_MAX];
		pthread_mutex_unlock(&unwinder->lock);
		unwind_batch(unwinder, batch, count);
		pthread_mutex_lock(&unwinder->lock);
		unwinder->first = (unwinder->first + (uint32_t)count) % TICKETS_MAX;
		unwinder->count -= (uint32_t)count;
	}
	pthread_mutex_unlock(&unwinder->lock);
	return NULL;
}

/* -- For the collector ---------------------------------------------------------------- */

bool unwinder_find(struct unwinder *unwinder, const struct unwinder_sample *sample,
		   struct unwound *unwound)
{
	struct ticket *ticket;
	bool found;

	pthread_mutex_lock(&unwinder->lock);
	found = unwind_cache_find(unwinder->memo, &sample->space, &sample->regs, sample->stack,
				  unwound);
	if (found) {
		memcpy(unwinder->found, unwound->ips, unwound->count * sizeof(*unwound->ips));
		unwound->ips = unwinder->found;
	}
	pthread_mutex_unlock(&unwinder->lock);
	if (found || !unwinder->options.recorded)
		return found;
	ticket = add_ticket(unwinder, sample, 0);
	unwind_batch(unwinder, ticket, 1);
	unwinder->count = 0;
	*unwound = unwinder->now;
	return true;
}

bool unwinder_has_room(struct unwinder *unwinder, const struct unwinder_sample *sample)
{
	bool has_room;

	pthread_mutex_lock(&unwinder->lock);
	has_room = unwinder->count < TICKETS_MAX && place_in_ring(unwinder, bytes_in_ring(sample));
	unwinder->dropped += !has_room;
	pthread_mutex_unlock(&unwinder->lock);
	return has_room;
}

bool unwinder_is_busy(struct unwinder *unwinder)
{
	bool is_busy;

	pthread_mutex_lock(&unwinder->lock);
	is_busy = unwinder->count > TICKETS_MAX / 2 || !place_in_ring(unwinder, RING_BYTES / 2);
	pthread_mutex_unlock(&unwinder->lock);
	return is_busy;
}

void unwinder_push(struct unwinder *unwinder, const struct unwinder_sample *sample, uint32_t tag)
{
	pthread_mutex_lock(&unwinder->lock);
	add_ticket(unwinder, sample, tag);
	/* Signal only once until the thread has run, to save system calls. */
	if (unwinder->waiting) {
		unwinder->waiting = false;
		pthread_cond_signal(&unwinder->work);
	}
	pthread_mutex_unlock(&unwinder->lock);
}

int unwinder_new(struct unwinder **unwinder, const struct unwinder_options *options,
		 struct err *err)
{
	struct unwinder *u = mem_zalloc(1, sizeof(*u));
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int code = make_ring(u, err);

	if (code) {
		free(u);
		return code;
	}
	u->options = *options;
	u->worker = worker_new(options->fork_server);
	worker_set_reader(u->worker, options->reader);
	if (options->recorded)
		worker_set_recorded(u->worker);
	if (!options->places)
		u->places = symbol_paths_new(&(struct symbol_paths_options){ .symfs = NULL });
	u->files = unwind_files_new(u->worker, options->spaces,
				    u->places ? u->places : options->places, options->reader,
				    options->recorded);
	u->memo = unwind_cache_new();
	lock_init(&u->lock);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&u->work, &monotonic);
	pthread_cond_init(&u->settled, &monotonic);
	pthread_condattr_destroy(&monotonic);
	code = worker_start(u->worker, err);
	if (!code && !options->recorded) {
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, &old);
		code = -pthread_create(&u->thread, NULL, unwinder_main, u);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
		u->started = !code;
		if (code)
			err_set(err, code, "cannot start the thread that unwinds stacks: %s",
				strerror(-code));
	}
	if (code) {
		unwinder_free(u);
		return code;
	}
	*unwinder = u;
	return 0;
}

void unwinder_stop(struct unwinder *unwinder)
{
	if (!unwinder || !unwinder->started)
		return;
	pthread_mutex_lock(&unwinder->lock);
	unwinder->stopping = true;
	pthread_cond_broadcast(&unwinder->work);
	pthread_mutex_unlock(&unwinder->lock);
	worker_cancel(unwinder->worker);
	pthread_join(unwinder->thread, NULL);
	unwinder->started = false;
}

void unwinder_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	unwinder_stop(unwinder);
	worker_free(unwinder->worker);
	unwind_files_free(unwinder->files);
	symbol_paths_free(unwinder->places);
	unwind_cache_free(unwinder->memo);
	munmap(unwinder->ring, RING_BYTES);
	close(unwinder->ring_fd);
	pthread_cond_destroy(&unwinder->work);
	pthread_cond_destroy(&unwinder->settled);
	pthread_mutex_destroy(&unwinder->lock);
	free(unwinder);
}

pid_t unwinder_worker_pid(const struct unwinder *unwinder)
{
	return worker_pid(unwinder->worker);
}

size_t unwinder_pending(struct unwinder *unwinder)
{
	size_t count;

	pthread_mutex_lock(&unwinder->lock);
	count = unwinder->count;
	pthread_mutex_unlock(&unwinder->lock);
	return count;
}

uint64_t unwinder_dropped(struct unwinder *unwinder)
{
	uint64_t dropped;

	pthread_mutex_lock(&unwinder->lock);
	dropped = unwinder->dropped;
	pthread_mutex_unlock(&unwinder->lock);
	return dropped;
}

bool unwinder_settle(struct unwinder *unwinder, int timeout_ms)
{
	struct timespec end = clock_deadline(clock_now_ns() + (uint64_t)timeout_ms * NS_PER_MS);
	bool settled;

	pthread_mutex_lock(&unwinder->lock);
	while (unwinder->count && unwinder->started)
		if (pthread_cond_timedwait(&unwinder->settled, &unwinder->lock, &end) == ETIMEDOUT)
			break;
	settled = !unwinder->count;
	pthread_mutex_unlock(&unwinder->lock);
	return settled;
}

size_t unwinder_bytes(struct unwinder *unwinder)
{
	size_t bytes;

	pthread_mutex_lock(&unwinder->lock);
	bytes = unwind_cache_bytes(unwinder->memo) + sizeof(*unwinder) + RING_BYTES;
	pthread_mutex_unlock(&unwinder->lock);
	return bytes;
}
