#include "engine/export/call_tree.h"

#include "engine/base/str.h"
#include "tests/unit/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Add a stack: "c b a" has the innermost frame first, one letter or word per frame. */
static void add(struct call_tree *tree, const char *stack, uint64_t weight)
{
	static char names[64][16];
	struct frame frames[64];
	size_t count = 0;

	for (const char *at = stack; *at; at += strcspn(at, " "), at += *at == ' ') {
		memset(&frames[count], 0, sizeof(frames[count]));
		snprintf(names[count], sizeof(names[count]), "%.*s", (int)strcspn(at, " "), at);
		frames[count].kind = FRAME_USER;
		frames[count].symbol = names[count];
		frames[count].dso = "/bin/x";
		frames[count].ip = 0x1000 + count;
		frames[count].line = 7;
		count++;
	}
	call_tree_add(tree, frames, count, weight, 1);
}

static void print_node(const struct call_tree *tree, uint32_t index, struct str *out)
{
	for (; index != UINT32_MAX; index = call_tree_node(tree, index)->next_sibling) {
		const struct call_tree_node *node = call_tree_node(tree, index);

		/* The address encodes the letter. */
		str_addf(out, "%u%c%u/%u ", node->depth, (char)('a' + node->frame->ip - 0x1000),
			 (unsigned int)node->weight, (unsigned int)node->calls);
		print_node(tree, node->first_child, out);
	}
}

START_TEST(weights_add_up_and_siblings_are_sorted)
{
	static const struct frame f[] = {
		{ .ip = 0x1000, .kind = FRAME_USER, .symbol = "a", .dso = "/x" },
		{ .ip = 0x1001, .kind = FRAME_USER, .symbol = "b", .dso = "/x" },
		{ .ip = 0x1002, .kind = FRAME_USER, .symbol = "c", .dso = "/x" },
		{ .ip = 0x1003, .kind = FRAME_USER, .symbol = "d", .dso = "/x" },
	};
	static const struct {
		bool outermost_first;
		const char *expected;
	} cases[] = {
		{ false, "0c9/1 1a9/1 0b8/2 1d5/1 1a3/1 " },
		{ true, "0a12/2 1c9/1 1b3/1 0d5/1 1b5/1 " },
	};

	for (size_t i = 0; i < 2; i++) {
		struct call_tree *tree = call_tree_new(cases[i].outermost_first);
		const struct frame ba[] = { f[1], f[0] }, ca[] = { f[2], f[0] };
		const struct frame bd[] = { f[1], f[3] };
		struct str out = STR_INIT;

		call_tree_add(tree, ba, 2, 3, 1);
		call_tree_add(tree, ca, 2, 9, 1);
		call_tree_add(tree, bd, 2, 5, 1);
		call_tree_add(tree, NULL, 0, 100, 1);
		for (int again = 0; again < 2; again++) { /* finishing twice changes nothing */
			call_tree_finish(tree);
			str_clear(&out);
			print_node(tree, call_tree_first(tree), &out);
			ck_assert_str_eq(out.data, cases[i].expected);
		}
		ck_assert_uint_eq(call_tree_weight(tree), 17);
		call_tree_clear(tree);
		call_tree_finish(tree);
		ck_assert_uint_eq(call_tree_first(tree), UINT32_MAX);
		ck_assert_uint_eq(call_tree_weight(tree), 0);
		str_release(&out);
		call_tree_free(tree);
	}
}
END_TEST

/* The tree is the same with stacks from an event or from /proc. */
START_TEST(frames_of_the_scheduler_are_dropped)
{
	static const struct frame frames[] = {
		{ .ip = 0xffffffff81000200, .kind = FRAME_KERNEL, .symbol = "__schedule" },
		{ .ip = 0xffffffff81000300, .kind = FRAME_KERNEL, .symbol = "do_nanosleep" },
		{ .ip = 0xffffffff81000400, .kind = FRAME_KERNEL, .symbol = "hrtimer_nanosleep" },
		{ .ip = 0x1000, .kind = FRAME_USER, .symbol = "__schedule_of_its_own" },
	};
	struct call_tree *tree = call_tree_new(false);
	const struct call_tree_node *node;

	call_tree_add(tree, frames, 4, 8, 1);
	call_tree_add(tree, frames + 2, 2, 4, 1);
	call_tree_finish(tree);
	node = call_tree_node(tree, call_tree_first(tree));
	ck_assert_str_eq(node->frame->symbol, "hrtimer_nanosleep");
	ck_assert_uint_eq(node->weight, 12);
	ck_assert_uint_eq(node->next_sibling, UINT32_MAX);
	node = call_tree_node(tree, node->first_child);
	ck_assert_str_eq(node->frame->symbol, "__schedule_of_its_own");
	ck_assert_uint_eq(call_tree_weight(tree), 12);
	call_tree_free(tree);
}
END_TEST

/* A cut stack begins with "[cut]" in an inverted tree, never with the frame that was cut. */
START_TEST(cut_stacks_have_a_root_of_their_own)
{
	static const struct frame whole[] = {
		{ .ip = 1, .kind = FRAME_USER, .symbol = "f" },
		{ .ip = 2, .kind = FRAME_USER, .symbol = "main" },
	};
	static const struct frame cut = {
		.ip = 1, .kind = FRAME_USER, .symbol = "f", .cut = true, .note = "deep"
	};

	for (int inverted = 0; inverted < 2; inverted++) {
		struct call_tree *tree = call_tree_new(inverted);
		struct str out = STR_INIT;

		call_tree_add(tree, whole, 2, 5, 1);
		call_tree_add(tree, &cut, 1, 3, 1);
		call_tree_finish(tree);
		for (uint32_t i = call_tree_first(tree); i != UINT32_MAX;
		     i = call_tree_node(tree, i)->next_sibling) {
			const struct call_tree_node *node = call_tree_node(tree, i);

			str_addf(&out, "%s %d:", node->frame->symbol, (int)node->weight);
			for (uint32_t j = node->first_child; j != UINT32_MAX;
			     j = call_tree_node(tree, j)->next_sibling)
				str_addf(&out, "[%s %d]", call_tree_node(tree, j)->frame->symbol,
					 (int)call_tree_node(tree, j)->weight);
		}
		ck_assert_str_eq(out.data,
				 inverted ? "main 5:[f 5][cut] 3:[f 3]" : "f 8:[main 5][[cut] 3]");
		str_release(&out);
		call_tree_free(tree);
	}
}
END_TEST

START_TEST(one_function_is_one_node)
{
	struct frame frame = {
		.ip = 0x1000,
		.kind = FRAME_USER,
		.symbol = "f",
		.dso = "/x",
		.offset = 1,
		.file = "a.c",
		.line = 10,
	};
	struct call_tree *tree = call_tree_new(false);
	const struct call_tree_node *node;
	char copy[] = "f";

	call_tree_add(tree, &frame, 1, 5, 1);
	call_tree_finish(tree);
	node = call_tree_node(tree, call_tree_first(tree));
	ck_assert_uint_eq(node->frame->line, 10);
	frame.ip = 0x1004;
	frame.offset = 5;
	frame.line = 11;
	frame.symbol = copy; /* compared as text, not by address */
	call_tree_add(tree, &frame, 1, 5, 1);
	call_tree_finish(tree);
	node = call_tree_node(tree, call_tree_first(tree));
	ck_assert_uint_eq(node->weight, 10);
	ck_assert_uint_eq(node->next_sibling, UINT32_MAX);
	/* The calls are in two lines of the function: neither line is shown. */
	ck_assert_uint_eq(node->frame->line, 0);
	/* A kernel function, an inlined copy and a function of another file get their own nodes. */
	frame.kind = FRAME_KERNEL;
	call_tree_add(tree, &frame, 1, 1, 1);
	frame.kind = FRAME_USER;
	frame.inlined = true;
	call_tree_add(tree, &frame, 1, 1, 1);
	frame.inlined = false;
	frame.dso = "/y";
	call_tree_add(tree, &frame, 1, 1, 1);
	frame.symbol = NULL;
	call_tree_add(tree, &frame, 1, 1, 1);
	frame.dso_offset = 99;
	call_tree_add(tree, &frame, 1, 1, 1);
	call_tree_finish(tree);
	ck_assert_ptr_nonnull(call_tree_node(tree, 5));
	ck_assert_ptr_null(call_tree_node(tree, 6));
	call_tree_free(tree);
}
END_TEST

START_TEST(a_note_is_kept_from_any_caller)
{
	struct frame frame = { .ip = 0x1000, .kind = FRAME_USER, .symbol = "f", .dso = "/x" };
	struct call_tree *tree = call_tree_new(false);

	call_tree_add(tree, &frame, 1, 5, 1);
	frame.note = "cannot unwind further";
	call_tree_add(tree, &frame, 1, 5, 1);
	frame.note = NULL;
	call_tree_add(tree, &frame, 1, 5, 1);
	call_tree_finish(tree);
	ck_assert_ptr_null(call_tree_node(tree, 1));
	ck_assert_pstr_eq(call_tree_node(tree, 0)->frame->note, "cannot unwind further");
	call_tree_free(tree);
}
END_TEST

/* Return the id of the node at the end of this path of symbols. */
static uint64_t id_of(const struct call_tree *tree, const char *const *path, size_t count)
{
	uint32_t index = call_tree_first(tree);
	uint64_t id = 0;

	for (size_t i = 0; i < count; i++) {
		while (index != UINT32_MAX &&
		       strcmp(call_tree_node(tree, index)->frame->symbol, path[i]) != 0)
			index = call_tree_node(tree, index)->next_sibling;
		ck_assert_uint_ne(index, UINT32_MAX);
		id = call_tree_node(tree, index)->id;
		index = call_tree_node(tree, index)->first_child;
	}
	return id;
}

START_TEST(ids_depend_on_the_path_only)
{
	static const char *const path[] = { "a" };
	struct call_tree *first = call_tree_new(false), *second = call_tree_new(false);
	uint64_t id;

	add(first, "a", 5);
	call_tree_finish(first);
	id = id_of(first, path, 1);
	add(second, "z", 50);
	call_tree_clear(second);
	add(second, "b", 1);
	call_tree_finish(second);
	ck_assert_uint_ne(call_tree_node(second, 0)->id, id);
	add(second, "a", 7);
	ck_assert_uint_eq(call_tree_node(second, 1)->id, id);
	call_tree_free(first);
	call_tree_free(second);
}
END_TEST

START_TEST(recursion_is_nested)
{
	struct call_tree *tree = call_tree_new(true);
	const struct call_tree_node *node;

	add(tree, "f f f f", 2);
	add(tree, "f f", 3);
	call_tree_finish(tree);
	node = call_tree_node(tree, call_tree_first(tree));
	for (unsigned int depth = 0; depth < 4; depth++) {
		ck_assert_uint_eq(node->depth, depth);
		ck_assert_uint_eq(node->weight, depth < 2 ? 5 : 2);
		if (depth < 3)
			node = call_tree_node(tree, node->first_child);
	}
	ck_assert_uint_eq(node->first_child, UINT32_MAX);
	call_tree_free(tree);
}
END_TEST

Suite *suite_call_tree(void);
Suite *suite_call_tree(void)
{
	Suite *suite = suite_create("call_tree");
	TCase *tests = tcase_create("call_tree");

	tcase_add_test(tests, weights_add_up_and_siblings_are_sorted);
	tcase_add_test(tests, frames_of_the_scheduler_are_dropped);
	tcase_add_test(tests, cut_stacks_have_a_root_of_their_own);
	tcase_add_test(tests, one_function_is_one_node);
	tcase_add_test(tests, a_note_is_kept_from_any_caller);
	tcase_add_test(tests, ids_depend_on_the_path_only);
	tcase_add_test(tests, recursion_is_nested);
	suite_add_tcase(suite, tests);
	return suite;
}
