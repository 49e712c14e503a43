#include "engine/futex_backing.h"

#include "tests/unit/runner.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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
	ck_assert(futex_backing_find(&one, (uint32_t)getpid(), (uintptr_t)at[0] + BYTES + 64));
	ck_assert(futex_backing_find(&other, (uint32_t)getpid(), (uintptr_t)at[1] + 64));
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

START_TEST(two_unnamed_shares_are_two_places)
{
	struct futex_place one, other;
	char *a = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *b = mmap(NULL, BYTES, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert(futex_backing_find(&one, (uint32_t)getpid(), (uintptr_t)a));
	ck_assert(futex_backing_find(&other, (uint32_t)getpid(), (uintptr_t)b));
	ck_assert(one.inode != other.inode || one.device != other.device);
	munmap(a, BYTES);
	munmap(b, BYTES);
}
END_TEST

START_TEST(own_memory_is_no_place)
{
	struct futex_place place;
	char *own = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert(!futex_backing_find(&place, (uint32_t)getpid(), (uintptr_t)own));
	munmap(own, BYTES);
	ck_assert(!futex_backing_find(&place, (uint32_t)getpid(), (uintptr_t)own));
	ck_assert(!futex_backing_find(&place, (uint32_t)getpid(), 64));
	ck_assert(!futex_backing_find(&place, 0x3ffffff0, (uintptr_t)&place));
}
END_TEST

Suite *suite_futex_backing(void);
Suite *suite_futex_backing(void)
{
	Suite *suite = suite_create("futex_backing");
	TCase *tcase = tcase_create("futex_backing");

	tcase_add_test(tcase, the_same_memory_is_one_place);
	tcase_add_test(tcase, two_unnamed_shares_are_two_places);
	tcase_add_test(tcase, own_memory_is_no_place);
	suite_add_tcase(suite, tcase);
	return suite;
}
