#ifndef SYSTEMINTERPOSING_H
#define SYSTEMINTERPOSING_H
// Linked, it is at work: there is nothing to call.
#endif
