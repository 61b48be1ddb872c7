#ifndef CCAPABILITIES_H
#define CCAPABILITIES_H

/// Keeps what this process may do to itself: programs that it starts get none of its capabilities.
///
/// Clears the ambient and the inheritable set (capabilities(7)); returns 0, or -1 where the kernel refuses. Does nothing elsewhere than on Linux.
int capabilities_keep_to_process(void);

#endif
