#include "tui/shell/shell_state.h"

/* Keys act on the open detail page: the selected row can have changed since the page was opened. */
const struct call *shell_subject_call(const struct shell *shell)
{
	const struct detail_page *detail = &shell->page.detail;

	if (shell->page.open)
		return shell->page.is_detail && detail->kind == DETAIL_CALL ? &detail->call : NULL;
	return shell->session.has_subject_call ? &shell->session.subject_call : NULL;
}

void shell_say_keymap(struct shell *shell)
{
	const char *problem = bindings_problem(shell->bindings, 0);
	const struct key f1 = { KEYS_F1, 0 };
	char help[KEYSTROKES_BYTES];
	size_t more = 0;

	if (!problem)
		return;
	while (bindings_problem(shell->bindings, more + 1))
		more++;
	if (more)
		status_line_set(&shell->session.message, ROLE_WARN, 0, 0, "%s (and %zu more: %s)",
				problem, more,
				bindings_name(help, shell->bindings, ACTION_HELP, f1));
	else
		status_line_set(&shell->session.message, ROLE_WARN, 0, 0, "%s", problem);
}
