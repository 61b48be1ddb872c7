#ifndef CRUNTIMEHOOKS_H
#define CRUNTIMEHOOKS_H
// Linked, it is at work: there is nothing to call.
#endif
