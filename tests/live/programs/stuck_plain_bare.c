/* stuck.h, not optimized, without frame pointers. */
#pragma GCC optimize("O0", "omit-frame-pointer")
#include "stuck.h"
