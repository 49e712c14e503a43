/* stuck.h, optimized with frame pointers. */
#pragma GCC optimize("O2", "no-omit-frame-pointer")
#include "stuck.h"
