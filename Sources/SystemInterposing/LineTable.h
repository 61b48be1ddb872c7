#ifndef LINETABLE_H
#define LINETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The sections of a program by which the lines of its source are found.
struct line_sections {
  const uint8_t *lines, *line_texts, *texts;
  size_t lines_size, line_texts_size, texts_size;
};

/// A line of source; the texts point into the sections. The folder of a file is empty where its path says it.
struct source_line {
  const char *folder, *file;
  unsigned line;
};

/// Finds the lines of addresses, all in one pass; `file` is `NULL` where there is none.
///
/// The line is that of the code, also where it was inlined into another function. What the compiler made, or was
/// inlined from a library, has none: then it is the line of what is before it in the same function, which begins at one
/// of `starts`.
void find_lines(
    const struct line_sections *sections, const uint64_t *addresses, const uint64_t *starts, int count, struct source_line *found);

#endif
