/* messages_page - page of the messages shown so far. UI thread only. */
#ifndef DIALOGS_MESSAGES_PAGE_H
#define DIALOGS_MESSAGES_PAGE_H

#include "widgets/help.h"
#include "widgets/toast.h"

void messages_page_fill(struct help *help, const struct toast *toast, uint64_t now_ns);

#endif
