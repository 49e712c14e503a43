/*
 * data_offset - how an address of data is asked about, beside the offsets of code.
 *
 * Only executable mappings are known (spaces.h), and what has no bytes in the file (.bss)
 * has no offset in it. So data is counted from the executable mapping below it as if
 * that went on: offset = file_offset + (address - start), with this bit set to keep
 * it apart from a function's. Whether anything is there, the program headers tell.
 */
#ifndef HELPER_DATA_OFFSET_H
#define HELPER_DATA_OFFSET_H

#define DATA_OFFSET (1ULL << 63)

#endif
