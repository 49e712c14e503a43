/* stuck.h as distributions build it. */
#pragma GCC optimize("O2", "omit-frame-pointer")
#include "stuck.h"
