// MicroPython's str and bytes: the hash counts as not computed where it is 0.
#ifndef MIRROR_PY_OBJSTR_H
#define MIRROR_PY_OBJSTR_H

#include "py/obj.h"

typedef struct {
    mp_obj_base_t base;
    size_t hash;
    size_t len;
    const byte *data;
} mp_obj_str_t;

#endif
