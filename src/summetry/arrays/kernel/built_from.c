/* Which sources this library is built from: the number that the build made of them (built_from.py),
   or 0 where somebody compiled it by hand. */
#include "kernel.h"

#ifndef SUMMETRY_SOURCES
#define SUMMETRY_SOURCES 0
#endif

API Int built_from(void) { return SUMMETRY_SOURCES; }
