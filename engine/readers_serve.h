/*
 * readers_serve - all that readers of this program can be asked for.
 */
#ifndef ENGINE_READERS_SERVE_H
#define ENGINE_READERS_SERVE_H

/* What a reader's process runs, see process/reader.h. */
void readers_serve(int socket_fd);

#endif
