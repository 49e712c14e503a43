/* stuck.h as it is debugged. */
#pragma GCC optimize("O0", "no-omit-frame-pointer")
#include "stuck.h"
