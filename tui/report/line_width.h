/*
 * line_width - how long lines of a report may be.
 */
#ifndef REPORT_LINE_WIDTH_H
#define REPORT_LINE_WIDTH_H

/* COLUMNS, or that of the terminal that fd is; 0: any. */
int line_width(int fd);

#endif
