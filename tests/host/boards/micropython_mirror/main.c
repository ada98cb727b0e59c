// Imports the module that it is linked with, as MicroPython would: prints where its DATA is, its hash and its
// length, then its bytes.
#include <stdio.h>

#include "py/objstr.h"

const mp_obj_type_t mp_type_bytes = {1};
const mp_obj_type_t mp_type_module = {2};
const mp_obj_type_t mp_type_dict = {3};

extern const mp_obj_module_t *const registered_module;

int main(void) {
    const mp_obj_dict_t *globals = registered_module->globals;
    for (size_t index = 0; index < globals->used; ++index) {
        if (globals->table[index].key == MP_ROM_QSTR(MP_QSTR_DATA)) {
            const mp_obj_str_t *data = globals->table[index].value;
            if (data->base.type != &mp_type_bytes) {
                return 1;
            }
            printf("%d %d %zu\n", (int)((uintptr_t)data->data % 256), (int)data->hash, data->len);
            fwrite(data->data, 1, data->len + 1, stdout);
            return 0;
        }
    }
    return 2;
}
