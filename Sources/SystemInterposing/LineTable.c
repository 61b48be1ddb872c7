// The line tables of DWARF, versions 2 to 5 (section 6.2 of either standard), as far as it takes to find the line of an
// address.
#if defined(__linux__)
#include "LineTable.h"

#include <string.h>

/// A part of a section that is read from its beginning; what is behind its end reads as zero.
struct reader {
  const uint8_t *next, *end;
};

static uint64_t fixed(struct reader *reader, size_t size) {
  uint64_t value = 0;
  if ((size_t)(reader->end - reader->next) < size) {
    reader->next = reader->end;
    return 0;
  }
  memcpy(&value, reader->next, size < sizeof value ? size : sizeof value);
  reader->next += size;
  return value;
}

static uint64_t unsigned_number(struct reader *reader) {
  uint64_t value = 0;
  for (unsigned shift = 0; reader->next < reader->end; shift += 7) {
    uint8_t byte = *reader->next++;
    if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
    if (!(byte & 0x80)) break;
  }
  return value;
}

static int64_t signed_number(struct reader *reader) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte = 0;
  while (reader->next < reader->end) {
    byte = *reader->next++;
    if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
    shift += 7;
    if (!(byte & 0x80)) break;
  }
  if (shift < 64 && byte & 0x40) value |= ~UINT64_C(0) << shift;
  return (int64_t)value;
}

static const char *text(struct reader *reader) {
  const void *end = memchr(reader->next, 0, (size_t)(reader->end - reader->next));
  const char *start = (const char *)reader->next;
  reader->next = end ? (const uint8_t *)end + 1 : reader->end;
  return end ? start : "";
}

static void skip(struct reader *reader, uint64_t size) {
  uint64_t left = (uint64_t)(reader->end - reader->next);
  reader->next += size < left ? size : left;
}

static const char *text_at(const uint8_t *section, size_t size, uint64_t offset) {
  return offset < size && memchr(section + offset, 0, size - offset) ? (const char *)section + offset : "";
}

// MARK: Tables of files

enum { form_block2 = 3, form_block4, form_data2, form_data4, form_data8, form_string, form_block, form_block1, form_data1 };
enum { form_strp = 0x0E, form_udata = 0x0F, form_data16 = 0x1E, form_line_strp = 0x1F };
enum { content_path = 1, content_folder };

struct unit {
  const struct line_sections *sections;
  uint8_t offset_size;
  uint16_t version;
  /// Behind the table of operations: where the table of folders begins.
  struct reader tables;
};

/// Reads a value of a table of version 5; its text, or the number that it is.
static const char *form_value(const struct unit *unit, struct reader *reader, uint64_t form, uint64_t *number) {
  switch (form) {
    case form_string: return text(reader);
    case form_line_strp: return text_at(unit->sections->line_texts, unit->sections->line_texts_size, fixed(reader, unit->offset_size));
    case form_strp: return text_at(unit->sections->texts, unit->sections->texts_size, fixed(reader, unit->offset_size));
    case form_data1: *number = fixed(reader, 1); break;
    case form_data2: *number = fixed(reader, 2); break;
    case form_data4: skip(reader, 4); break;
    case form_data8: skip(reader, 8); break;
    case form_data16: skip(reader, 16); break;
    case form_udata: *number = unsigned_number(reader); break;
    case form_block: skip(reader, unsigned_number(reader)); break;
    case form_block1: skip(reader, fixed(reader, 1)); break;
    case form_block2: skip(reader, fixed(reader, 2)); break;
    case form_block4: skip(reader, fixed(reader, 4)); break;
    // One that is not known: what follows cannot be read.
    default: reader->next = reader->end;
  }
  return NULL;
}

/// Reads a table of version 5, of folders or of files; the path of the entry of a number, and the number of its folder.
static const char *entry(const struct unit *unit, struct reader *reader, uint64_t number, uint64_t *folder) {
  uint8_t formats = (uint8_t)fixed(reader, 1);
  uint64_t contents[16], forms[16];
  if (formats > 16) return NULL;
  for (int index = 0; index < formats; index++) {
    contents[index] = unsigned_number(reader);
    forms[index] = unsigned_number(reader);
  }
  uint64_t count = unsigned_number(reader);
  const char *found = NULL;
  for (uint64_t at = 0; at < count && reader->next < reader->end; at++) {
    for (int index = 0; index < formats; index++) {
      uint64_t value = 0;
      const char *path = form_value(unit, reader, forms[index], &value);
      if (at == number && contents[index] == content_path) found = path;
      if (at == number && contents[index] == content_folder) *folder = value;
    }
  }
  return found;
}

/// The folder and the file of a number in the program of lines.
static struct source_line file_of(const struct unit *unit, uint64_t number) {
  struct source_line found = {"", NULL, 0};
  struct reader reader = unit->tables;
  uint64_t folder = 0;
  if (unit->version >= 5) {
    uint64_t none;
    struct reader folders = reader;
    // The folders, which come first, are skipped.
    entry(unit, &reader, UINT64_MAX, &none);
    found.file = entry(unit, &reader, number, &folder);
    const char *path = found.file ? entry(unit, &folders, folder, &none) : NULL;
    if (path) found.folder = path;
    return found;
  }
  struct reader folders = reader;
  while (reader.next < reader.end && *text(&reader)) {}
  for (uint64_t at = 1; reader.next < reader.end && !found.file; at++) {
    const char *path = text(&reader);
    if (!*path) break;
    folder = unsigned_number(&reader);
    for (int index = 0; index < 2; index++) unsigned_number(&reader);
    if (at == number) found.file = path;
  }
  // The folder of number 0, in which the compiler ran, is not in the table.
  for (uint64_t at = 1; found.file && at <= folder; at++) {
    const char *path = text(&folders);
    if (!*path) break;
    if (at == folder) found.folder = path;
  }
  return found;
}

// MARK: The program of lines

struct row {
  uint64_t address, file, line;
};

/// What is asked for, and what is found.
struct search {
  const uint64_t *addresses, *starts;
  int count;
  struct source_line *found;
};

/// The rows from one address to the next say where what is between them is from; `known` is the last of them that has a
/// line.
static void look(
    const struct unit *unit, const struct row *row, uint64_t end, const struct row *known, const struct search *search) {
  struct source_line *found = search->found;
  for (int index = 0; index < search->count; index++) {
    if (found[index].file || search->addresses[index] < row->address || search->addresses[index] >= end) continue;
    if (known->line == 0 || known->address < search->starts[index]) continue;
    struct source_line line = file_of(unit, known->file);
    line.line = (unsigned)known->line;
    if (line.file && *line.file) found[index] = line;
  }
}

enum { copy_op = 1, advance_pc, advance_line, set_file, set_column, negate_statement, set_block, const_add_pc, fixed_advance_pc };
enum { end_sequence = 1, set_address = 2 };

static void run(
    const struct unit *unit, struct reader program, uint8_t least, int8_t line_base, uint8_t line_range, uint8_t opcode_base,
    const uint8_t *lengths, const struct search *search) {
  struct row row = {0, 1, 1}, last = row, known = {0, 0, 0};
  bool has_last = false;
#define EMIT                                                                          \
  do {                                                                                \
    if (has_last && row.address > last.address) look(unit, &last, row.address, &known, search); \
    last = row;                                                                       \
    if (row.line != 0) known = row;                                                   \
    has_last = true;                                                                  \
  } while (0)
  while (program.next < program.end) {
    uint8_t opcode = *program.next++;
    if (opcode >= opcode_base) {
      unsigned adjusted = opcode - opcode_base;
      row.address += (uint64_t)(adjusted / line_range) * least;
      row.line += (uint64_t)(int64_t)(line_base + (int)(adjusted % line_range));
      EMIT;
      continue;
    }
    switch (opcode) {
      case 0: {
        uint64_t size = unsigned_number(&program);
        if (size == 0) break;
        struct reader extended = program;
        skip(&program, size);
        extended.end = program.next;
        uint8_t kind = (uint8_t)fixed(&extended, 1);
        if (kind == end_sequence) {
          EMIT;
          row = (struct row){0, 1, 1};
          known = (struct row){0, 0, 0};
          has_last = false;
        } else if (kind == set_address) {
          row.address = fixed(&extended, size - 1);
        }
        break;
      }
      case copy_op: EMIT; break;
      case advance_pc: row.address += unsigned_number(&program) * least; break;
      case advance_line: row.line += (uint64_t)signed_number(&program); break;
      case set_file: row.file = unsigned_number(&program); break;
      case const_add_pc: row.address += (uint64_t)((255 - opcode_base) / line_range) * least; break;
      case fixed_advance_pc: row.address += fixed(&program, 2); break;
      default:
        for (int index = 0; index < lengths[opcode - 1]; index++) unsigned_number(&program);
    }
  }
#undef EMIT
}

void find_lines(
    const struct line_sections *sections, const uint64_t *addresses, const uint64_t *starts, int count, struct source_line *found) {
  struct search search = {addresses, starts, count, found};
  for (int index = 0; index < count; index++) found[index] = (struct source_line){"", NULL, 0};
  struct reader all = {sections->lines, sections->lines + sections->lines_size};
  while (all.next < all.end) {
    struct unit unit = {.sections = sections, .offset_size = 4};
    uint64_t length = fixed(&all, 4);
    if (length == 0xFFFFFFFF) {
      unit.offset_size = 8;
      length = fixed(&all, 8);
    }
    struct reader reader = all;
    skip(&all, length);
    reader.end = all.next;
    unit.version = (uint16_t)fixed(&reader, 2);
    if (unit.version < 2 || unit.version > 5) continue;
    if (unit.version >= 5) skip(&reader, 2);
    uint64_t header = fixed(&reader, unit.offset_size);
    struct reader program = reader;
    skip(&program, header);
    uint8_t least = (uint8_t)fixed(&reader, 1);
    if (unit.version >= 4) skip(&reader, 1);
    skip(&reader, 1);
    int8_t line_base = (int8_t)fixed(&reader, 1);
    uint8_t line_range = (uint8_t)fixed(&reader, 1);
    uint8_t opcode_base = (uint8_t)fixed(&reader, 1);
    const uint8_t *lengths = reader.next;
    if (line_range == 0 || opcode_base == 0) continue;
    skip(&reader, opcode_base - 1u);
    unit.tables = (struct reader){reader.next, program.next};
    run(&unit, program, least, line_base, line_range, opcode_base, lengths, &search);
  }
}
#endif
