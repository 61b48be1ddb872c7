#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

// What Swift cannot say of ncurses: its macros, and its window that belongs to no thread.

#include <stdio.h>

#if __has_include(<ncursesw/curses.h>)
#include <ncursesw/curses.h>
#else
#include <curses.h>
#endif
#if __has_include(<ncursesw/term.h>)
#include <ncursesw/term.h>
#else
#include <term.h>
#endif

// Codes of pasted text, beyond those of ncurses, which keeps them in 16 bits.
#define CNCURSES_PASTE_BEGIN 0x1001
#define CNCURSES_PASTE_END 0x1002

#define CNCURSES_MOUSE (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED)

/// Whether the terminal that TERM names is described; nothing is sent to it.
static inline int cncurses_is_known(void) {
  int error;
  return setupterm(NULL, 1, &error) == OK;
}

/// Begins: raw mode, keys as codes, the mouse. Returns the window that keys are read from, or NULL.
static inline WINDOW *_Nullable cncurses_begin(void) {
  SCREEN *screen = newterm(NULL, stdout, stdin);
  if (!screen) return NULL;
  raw();
  noecho();
  nonl();
  set_escdelay(25);
  // Reading from a pad draws nothing: what is shown is the caller's.
  WINDOW *pad = newpad(1, 1);
  if (!pad) return NULL;
  keypad(pad, TRUE);
  nodelay(pad, TRUE);
  mousemask(CNCURSES_MOUSE, NULL);
  mouseinterval(150);
  // As terminals send them that do not switch to the mode that is asked for, or are not what TERM says.
  static const struct {
    const char *_Nonnull sequence;
    int code;
  } keys[] = {
      {"\033[A", KEY_UP},   {"\033OA", KEY_UP},   {"\033[B", KEY_DOWN}, {"\033OB", KEY_DOWN}, {"\033[C", KEY_RIGHT},
      {"\033OC", KEY_RIGHT}, {"\033[D", KEY_LEFT}, {"\033OD", KEY_LEFT}, {"\033[H", KEY_HOME}, {"\033OH", KEY_HOME},
      {"\033[1~", KEY_HOME}, {"\033[F", KEY_END},  {"\033OF", KEY_END},  {"\033[4~", KEY_END},
  };
  for (unsigned index = 0; index < sizeof keys / sizeof keys[0]; index++) define_key(keys[index].sequence, keys[index].code);
  define_key("\033[200~", CNCURSES_PASTE_BEGIN);
  define_key("\033[201~", CNCURSES_PASTE_END);
  return pad;
}

/// A string of the terminal's description, such as "rmkx"; NULL where it has none.
static inline const char *_Nullable cncurses_string(const char *_Nonnull name) {
  const char *text = tigetstr((char *)name);
  return text == (char *)-1 ? NULL : text;
}

/// The modes of the panel again, after the process was stopped and continued.
static inline void cncurses_resume(void) {
  reset_prog_mode();
  raw();
  // The terminal forgot the mouse when it was given back.
  mousemask(0, NULL);
  mousemask(CNCURSES_MOUSE, NULL);
}

/// The next byte of text or code of a key; ERR where nothing has come.
static inline int cncurses_read(WINDOW *_Nonnull pad) { return wgetch(pad); }

/// What the mouse did: 0 nothing, 1 press, 2 double press, 3 wheel up, 4 wheel down.
static inline int cncurses_mouse(int *_Nonnull column, int *_Nonnull row) {
  MEVENT event;
  if (getmouse(&event) != OK) return 0;
  *column = event.x;
  *row = event.y;
  if (event.bstate & BUTTON1_DOUBLE_CLICKED) return 2;
  if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) return 1;
  if (event.bstate & BUTTON4_PRESSED) return 3;
  if (event.bstate & BUTTON5_PRESSED) return 4;
  return 0;
}

#endif
