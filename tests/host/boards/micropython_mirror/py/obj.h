// What a frozen blob uses of MicroPython's types: the same names and the same layout in memory, and no more.
#ifndef MIRROR_PY_OBJ_H
#define MIRROR_PY_OBJ_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned char byte;
typedef void *mp_obj_t;
typedef const void *mp_rom_obj_t;

typedef struct {
    int kind;
} mp_obj_type_t;

extern const mp_obj_type_t mp_type_bytes;
extern const mp_obj_type_t mp_type_module;
extern const mp_obj_type_t mp_type_dict;

typedef struct {
    const mp_obj_type_t *type;
} mp_obj_base_t;

typedef struct {
    mp_rom_obj_t key;
    mp_rom_obj_t value;
} mp_rom_map_elem_t;

typedef struct {
    mp_obj_base_t base;
    size_t used;
    const mp_rom_map_elem_t *table;
} mp_obj_dict_t;

typedef struct {
    mp_obj_base_t base;
    mp_obj_dict_t *globals;
} mp_obj_module_t;

// The compiler's words define each MP_QSTR_ as a number.
#define MP_ROM_QSTR(number) ((mp_rom_obj_t)((uintptr_t)(number) << 3 | 2))
#define MP_ROM_PTR(pointer) ((mp_rom_obj_t)(pointer))
#define MP_DEFINE_CONST_DICT(name, elements) \
    const mp_obj_dict_t name = {{&mp_type_dict}, sizeof(elements) / sizeof((elements)[0]), elements}
#define MP_REGISTER_MODULE(name, module) \
    extern const mp_obj_module_t *const registered_module; \
    const mp_obj_module_t *const registered_module = &(module)

#endif
