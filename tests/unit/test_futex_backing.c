#include "engine/late/futex_backing.h"

#include "engine/late/late_probe.h"
#include "tests/unit/runner.h"
#include "tests/unit/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return a reader without its own process; it lasts as long as the test. */
static struct reader *here(void)
{
	static struct reader *reader;

	if (!reader)
		reader = late_probe_new_here();
	return reader;
}

#define BYTES 8192

START_TEST(the_same_memory_is_one_place)
{
	int fd = memfd_create("place", 0);
	struct futex_place one, other;
	struct stat stat;
	char *at[2];

	ck_assert_int_eq(ftruncate(fd, 2 * BYTES), 0);
	at[0] = mmap(NULL, 2 * BYTES, PROT_READ, MAP_SHARED, fd, 0);
	at[1] = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, BYTES);
	ck_assert_ptr_ne(at[0], MAP_FAILED);
	ck_assert_ptr_ne(at[1], MAP_FAILED);
	ck_assert(futex_backing_find(here(), &one, (uint32_t)getpid(),
				     (uintptr_t)at[0] + BYTES + 64));
	ck_assert(futex_backing_find(here(), &other, (uint32_t)getpid(), (uintptr_t)at[1] + 64));
	ck_assert_uint_eq(one.device, other.device);
	ck_assert_uint_eq(one.inode, other.inode);
	ck_assert_uint_eq(one.offset, BYTES + 64);
	ck_assert_uint_eq(other.offset, BYTES + 64);
	ck_assert_int_eq(fstat(fd, &stat), 0);
	ck_assert_uint_eq(one.inode, stat.st_ino);
	munmap(at[0], 2 * BYTES);
	munmap(at[1], BYTES);
	close(fd);
}
END_TEST

START_TEST(two_anonymous_mappings_are_two_places)
{
	struct futex_place one, other;
	char *a = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *b = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert(futex_backing_find(here(), &one, (uint32_t)getpid(), (uintptr_t)a));
	ck_assert(futex_backing_find(here(), &other, (uint32_t)getpid(), (uintptr_t)b));
	ck_assert(one.inode != other.inode || one.device != other.device);
	munmap(a, BYTES);
	munmap(b, BYTES);
}
END_TEST

START_TEST(private_memory_is_not_shared)
{
	struct futex_place place;
	char *own = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert(futex_backing_find(here(), &place, (uint32_t)getpid(), (uintptr_t)own));
	ck_assert(!place.shared);
	munmap(own, BYTES);
	ck_assert(!futex_backing_find(here(), &place, (uint32_t)getpid(), (uintptr_t)own));
	ck_assert(!futex_backing_find(here(), &place, (uint32_t)getpid(), 64));
	ck_assert(!futex_backing_find(here(), &place, 0x3ffffff0, (uintptr_t)&place));
}
END_TEST

static const char *label_of(const void *address)
{
	static struct futex_place place;

	if (!futex_backing_find(here(), &place, (uint32_t)getpid(), (uintptr_t)address))
		return "none";
	return place.label;
}

START_TEST(places_have_labels)
{
	static int in_file = 1;
	char *heap_start = sbrk(0);
	int fd = memfd_create("a\nb", 0), on_stack = 0;
	char *shared = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *file, path[TEMPORARY_PATH_MAX], label[128];

	ck_assert_ptr_ne(sbrk(BYTES), (void *)-1);
	ck_assert_int_eq(strncmp(label_of(heap_start + 16), "[heap]+0x", 9), 0);
	ck_assert_str_eq(label_of(&on_stack), "[stack]");
	ck_assert_str_eq(label_of(shared + 64), "[shared]+0x40");
	/* The file name of the program, without directories. */
	snprintf(label, sizeof(label), "%s+0x", program_invocation_short_name);
	ck_assert_int_eq(strncmp(label_of(&in_file), label, strlen(label)), 0);
	ck_assert_int_eq(ftruncate(fd, BYTES), 0);
	file = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
	ck_assert_str_eq(label_of(file + 4), "/memfd:a\\nb+0x4");
	close(fd);
	fd = temporary_file(path, "label");
	ck_assert_int_eq(ftruncate(fd, 2 * BYTES), 0);
	file = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, BYTES);
	snprintf(label, sizeof(label), "%s+0x2008", path);
	ck_assert_str_eq(label_of(file + 8), label);
	unlink(path);
	close(fd);
}
END_TEST

Suite *suite_futex_backing(void);
Suite *suite_futex_backing(void)
{
	Suite *suite = suite_create("futex_backing");
	TCase *tcase = tcase_create("futex_backing");

	tcase_add_test(tcase, the_same_memory_is_one_place);
	tcase_add_test(tcase, two_anonymous_mappings_are_two_places);
	tcase_add_test(tcase, private_memory_is_not_shared);
	tcase_add_test(tcase, places_have_labels);
	suite_add_tcase(suite, tcase);
	return suite;
}
