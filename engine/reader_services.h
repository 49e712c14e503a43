/*
 * reader_services - all that readers of this program can be asked for.
 */
#ifndef ENGINE_READER_SERVICES_H
#define ENGINE_READER_SERVICES_H

/* What a reader's process runs, see engine/helper/reader.h: with this program's rights ... */
void readers_serve_raised(int socket_fd);
/* ... or with its user's. */
void readers_serve(int socket_fd);

#endif
