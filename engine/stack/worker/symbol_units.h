/*
 * symbol_units - compilation unit and function that contain an address.
 *
 * Uses the address ranges of units and functions, because compilers omit .debug_aranges or
 * leave it incomplete. Worker process only.
 */
#ifndef WORKER_SYMBOL_UNITS_H
#define WORKER_SYMBOL_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct symbol_units;

struct symbol_units *symbol_units_new(Dwarf *dwarf);
void symbol_units_free(struct symbol_units *units);

/*
 * Find the unit and the function at an address. False: no unit. *has_function: a function was
 * found.
 */
bool symbol_units_find(struct symbol_units *units, uint64_t address, Dwarf_Die *unit,
		       Dwarf_Die *function, bool *has_function);

#endif
