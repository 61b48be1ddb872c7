#ifndef CRUNTIMEHOOKS_H
#define CRUNTIMEHOOKS_H

#include <stdbool.h>

/// Gives a job that is for the global pool to the simulation whose it is; false where it is of none.
bool runtime_hooks_take(void *_Nonnull job);

/// Whether a job is a task without a parent, if the layout is the expected one.
bool runtime_hooks_is_root(const void *_Nonnull job);

/// Finds out where the runtime keeps whether a task has ended, by tasks of which it is known, and registers it where
/// that is sure.
///
/// Two tasks that wait and two that have ended; of each two the second was cancelled.
void runtime_hooks_learn_tasks(const void *_Nonnull const *_Nonnull waiting, const void *_Nonnull const *_Nonnull complete);

/// Finds out where the runtime keeps the names of tasks, by one that waits and has this name; after the tasks were
/// learned.
void runtime_hooks_learn_names(const void *_Nonnull waiting, const char *_Nonnull name);

/// Finds out where a continuation that is checked has its task, and where that says that it does not wait yet, by one
/// of them; before the tasks are learned.
void runtime_hooks_learn_continuation(const void *_Nonnull continuation, const void *_Nonnull task);

#endif
