#ifndef CSECRETS_H
#define CSECRETS_H

/// Protects secrets in the memory of this process from now on: no core is written of it, other processes of its user
/// cannot read it (PR_SET_DUMPABLE of prctl(2)), and memory that is given back is overwritten with zeros.
///
/// The last one needs a release build for Linux, which links `free` and `realloc` through this target (STATIC_FLAGS in
/// the Makefile).
void secrets_protect(void);

#endif
