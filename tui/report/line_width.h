/* line_width - maximum width of the lines of a report. */
#ifndef REPORT_LINE_WIDTH_H
#define REPORT_LINE_WIDTH_H

/* Return COLUMNS, or the width of the terminal fd; 0: unlimited. */
int line_width(int fd);

#endif
