#ifndef CCAPABILITIES_H
#define CCAPABILITIES_H

// This target declares nothing. In every program that links it, a constructor keeps the program's capabilities to
// itself: before anything of Swift runs, it clears the ambient and the inheritable set (capabilities(7)), and ends the
// program with status 77 where the ambient set stays.

#endif
