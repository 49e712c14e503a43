/*
 * reader_services - the requests that reader processes of this program serve.
 */
#ifndef ENGINE_READER_SERVICES_H
#define ENGINE_READER_SERVICES_H

/* Main function of a reader process, see engine/helper/reader.h. Runs with raised privileges. */
void readers_serve_raised(int socket_fd);
/* As readers_serve_raised(), but runs with the privileges of the user. */
void readers_serve(int socket_fd);

#endif
