#include "tui/panes/overview.h"

#include "engine/decode/syscalls.h"
#include "engine/filter/filter_names.h"
#include "tests/unit/runner.h"

#include <string.h>

static struct syscalls *syscalls;
static struct filter_names names;
static struct session session;
static struct view view;
static struct canvas canvas;

/* A session whose engine is still starting: the panes show that and query nothing. */
static void setup(void)
{
	syscalls = syscalls_load(NULL);
	filter_names_init(&names, syscalls);
	memset(&session, 0, sizeof(session));
	filter_stack_init(&session.filter_stack, &names, NULL);
	str_init(&session.search);
	overview_init(&view);
	canvas_init(&canvas, 40, 120, false);
}

static void teardown(void)
{
	canvas_release(&canvas);
	view_release(&view);
	filter_stack_release(&session.filter_stack);
	syscalls_free(syscalls);
}

static int draw(int rows, int cols)
{
	int shown = 0;

	canvas_resize(&canvas, rows, cols);
	view_refresh(&view, &session);
	view_draw(&view, &session, &canvas, canvas_rect(&canvas));
	for (int i = 0; i < view.pane_count; i++)
		shown += layout_is_shown(&view.layout, i);
	return shown;
}

START_TEST(panes_fold_away_where_there_is_no_room)
{
	static const struct {
		int rows, cols, panes;
	} cases[] = {
		{ 38, 120, 3 }, { 22, 80, 3 }, { 118, 400, 3 }, { 12, 120, 3 },
		{ 8, 80, 2 },   { 4, 80, 1 },  { 3, 20, 1 },    { 1, 5, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int shown = draw(cases[i].rows, cases[i].cols);

		ck_assert_msg(shown == cases[i].panes, "%dx%d shows %d panes", cases[i].cols,
			      cases[i].rows, shown);
	}
}
END_TEST

START_TEST(processes_are_beside_calls_only_on_wide_screens)
{
	draw(38, 120);
	ck_assert_int_eq(layout_pane(&view.layout, 0).row, layout_pane(&view.layout, 1).row);
	ck_assert_int_gt(layout_pane(&view.layout, 1).col, 0);
	draw(22, 80);
	ck_assert_int_gt(layout_pane(&view.layout, 1).row, layout_pane(&view.layout, 0).row);
	ck_assert_int_eq(layout_pane(&view.layout, 1).col, 0);
}
END_TEST

START_TEST(the_focus_wraps_around_and_survives_another_layout)
{
	int focus;

	draw(38, 120);
	ck_assert_int_eq(view.layout.focus, 0);
	for (int i = 0; i < 3; i++) {
		int before = view.layout.focus;

		ck_assert(view_act(&view, &session, ACTION_NEXT_PANE));
		ck_assert_int_ne(view.layout.focus, before);
	}
	ck_assert_int_eq(view.layout.focus, 0);
	ck_assert(view_act(&view, &session, ACTION_NEXT_PANE));
	focus = view.layout.focus;
	ck_assert(view_act(&view, &session, ACTION_ZOOM_PANE));
	ck_assert_int_eq(draw(38, 120), 1);
	ck_assert_int_eq(draw(22, 80), 1);
	ck_assert_int_eq(view.layout.focus, focus);
	ck_assert(layout_is_shown(&view.layout, focus));
	ck_assert(view_act(&view, &session, ACTION_BACK));
	ck_assert_int_eq(draw(22, 80), 3);
	ck_assert(!view_act(&view, &session, ACTION_BACK));
}
END_TEST

START_TEST(panes_stay_visible_when_keys_resize_them)
{
	int cols;

	draw(38, 120);
	cols = layout_pane(&view.layout, 0).cols;
	for (int i = 0; i < 3; i++)
		view_act(&view, &session, ACTION_GROW_PANE);
	draw(38, 120);
	ck_assert_int_gt(layout_pane(&view.layout, 0).cols, cols);
	for (int i = 0; i < 6; i++)
		view_act(&view, &session, ACTION_SHRINK_PANE);
	draw(38, 120);
	ck_assert_int_lt(layout_pane(&view.layout, 0).cols, cols);
	for (int i = 0; i < 500; i++)
		view_act(&view, &session, i < 250 ? ACTION_SHRINK_PANE : ACTION_GROW_PANE);
	ck_assert_int_eq(draw(38, 120), 3);
}
END_TEST

START_TEST(borders_can_be_dragged)
{
	struct input_event event = { .kind = EVENT_MOUSE, .mouse = { .button = 1 } };
	int cols;

	draw(38, 120);
	cols = layout_pane(&view.layout, 0).cols;
	event.mouse.row = 5;
	event.mouse.col = cols; /* the border between the panes */
	event.mouse.action = MOUSE_PRESS;
	view_mouse(&view, &session, &event);
	event.mouse.col = cols - 10;
	event.mouse.action = MOUSE_DRAG;
	view_mouse(&view, &session, &event);
	event.mouse.action = MOUSE_RELEASE;
	view_mouse(&view, &session, &event);
	draw(38, 120);
	ck_assert_int_eq(layout_pane(&view.layout, 0).cols, cols - 10);
}
END_TEST

START_TEST(actions_of_one_pane_reach_it_from_any_pane)
{
	draw(38, 120);
	ck_assert(view_act(&view, &session, ACTION_FOLLOW));
	ck_assert(view_act(&view, &session, ACTION_STACK_ADDRESSES));
	ck_assert(session.addresses);
	view_act(&view, &session, ACTION_NEXT_PANE);
	ck_assert(view_act(&view, &session, ACTION_SORT_NEXT));
	/* Moving and folding apply only to the focused pane. */
	while (view.layout.focus != 0)
		view_act(&view, &session, ACTION_NEXT_PANE);
	ck_assert(!view_act(&view, &session, ACTION_FOLD_ALL));
	ck_assert(!view_act(&view, &session, ACTION_QUIT));
}
END_TEST

Suite *suite_overview(void);
Suite *suite_overview(void)
{
	Suite *suite = suite_create("overview");
	TCase *tests = tcase_create("overview");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, panes_fold_away_where_there_is_no_room);
	tcase_add_test(tests, processes_are_beside_calls_only_on_wide_screens);
	tcase_add_test(tests, the_focus_wraps_around_and_survives_another_layout);
	tcase_add_test(tests, panes_stay_visible_when_keys_resize_them);
	tcase_add_test(tests, borders_can_be_dragged);
	tcase_add_test(tests, actions_of_one_pane_reach_it_from_any_pane);
	suite_add_tcase(suite, tests);
	return suite;
}
