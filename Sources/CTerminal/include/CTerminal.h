#ifndef CTERMINAL_H
#define CTERMINAL_H

// What has to happen in a signal handler: give the terminal back, whatever ends the process.

/// Keeps the modes of the terminal as they are and what to write to give it back, and takes it. Returns a descriptor
/// that one byte comes from whenever the size changed or the process was continued, or -1.
int cterminal_begin(const char *_Nonnull enter, const char *_Nonnull leave);

/// Sets the bytes that take the terminal again and give it back from now on, in place of those of `cterminal_begin`; at
/// most 256 bytes each.
void cterminal_describe(const char *_Nonnull enter, const char *_Nonnull leave);

/// Handles the signals that end or stop the process, in place of the earlier handlers; the modes that the terminal has
/// now are those to return to when the process is continued.
void cterminal_handle_signals(void);

/// Says that this thread begins to write to the terminal, or has ended that.
void cterminal_writes(int begins);

/// Writes what gives the terminal back and restores its modes, once.
void cterminal_end(void);

/// Gives the terminal back, stops the process, and takes the terminal again when it is continued.
void cterminal_stop(void);

#endif
