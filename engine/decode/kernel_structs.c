#include "engine/decode/kernel_structs.h"

#include "engine/base/lock.h"
#include "engine/base/mem.h"
#include "engine/decode/btf.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define STRUCTS 64

struct kernel_structs {
	char names[STRUCTS][BTF_NAME_BYTES];
	unsigned count;
	pthread_mutex_t lock; /* protects the start and the join of the thread */
	pthread_t thread;
	bool started, joined;
	atomic_bool done;
	struct btf_layouts *layouts; /* set when done; NULL: the kernel has no readable BTF */
};

struct kernel_structs *kernel_structs_new(void)
{
	struct kernel_structs *structs = mem_zalloc(1, sizeof(*structs));

	lock_init(&structs->lock);
	return structs;
}

void kernel_structs_free(struct kernel_structs *structs)
{
	if (!structs)
		return;
	if (structs->started && !structs->joined)
		pthread_join(structs->thread, NULL);
	btf_layouts_free(structs->layouts);
	pthread_mutex_destroy(&structs->lock);
	free(structs);
}

unsigned kernel_structs_add(struct kernel_structs *structs, const char *type)
{
	const char *name = strstr(type, "struct ");
	size_t len;

	if (!name)
		return 0;
	name += strlen("struct ");
	len = strcspn(name, " *");
	/* A pointer to a pointer does not point to a struct. */
	if (!len || len >= BTF_NAME_BYTES || strcmp(name + len, " *"))
		return 0;
	for (unsigned i = 0; i < structs->count; i++)
		if (strlen(structs->names[i]) == len && !memcmp(structs->names[i], name, len))
			return i + 1;
	if (structs->count == STRUCTS)
		return 0;
	memcpy(structs->names[structs->count], name, len);
	return ++structs->count;
}

static void *read_structs(void *arg)
{
	struct kernel_structs *structs = arg;

	structs->layouts = btf_layouts_read(NULL, (const char(*)[BTF_NAME_BYTES])structs->names,
					    structs->count);
	atomic_store_explicit(&structs->done, true, memory_order_release);
	return NULL;
}

static void start(struct kernel_structs *structs)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	structs->joined = pthread_create(&structs->thread, NULL, read_structs, structs) != 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	structs->started = true;
}

static void begin(struct kernel_structs *structs, bool wait)
{
	pthread_mutex_lock(&structs->lock);
	if (!structs->started)
		start(structs);
	if (wait && !structs->joined) {
		pthread_join(structs->thread, NULL);
		structs->joined = true;
	}
	pthread_mutex_unlock(&structs->lock);
}

const struct layout *kernel_structs_layout(struct kernel_structs *structs, unsigned number,
					   bool wait)
{
	if (!number || number > structs->count)
		return NULL;
	if (!atomic_load_explicit(&structs->done, memory_order_acquire)) {
		begin(structs, wait);
		if (!atomic_load_explicit(&structs->done, memory_order_acquire))
			return NULL;
	}
	return structs->layouts ? btf_layout_at(structs->layouts, number - 1) : NULL;
}
