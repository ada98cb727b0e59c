"""A blob as a user C module: a bytes object in the firmware, whose data never leaves flash."""

from collections.abc import Iterable, Iterator

from burnstore.io.files import Buffer

ALIGNMENT = 256  # bytes, as tensors lie in a Burnpack

_ROW = 32  # numbers in a line of a C array
_PIECE = 1 << 16  # bytes of the blob that become text at a time

# The blob is found through -I, which compilers hand on to their assembler. "%progbits" is understood for
# every processor: "@" begins a comment on ARM. A zero follows, as after all of MicroPython's strings.
_INCLUDED = """\
__asm__(
    ".section .rodata.%(name)s_blob,\\"a\\",%%progbits\\n"
    ".balign %(alignment)d\\n"
    ".global %(name)s_blob\\n"
    "%(name)s_blob:\\n"
    ".incbin \\"%(name)s.bpk\\"\\n"
    ".byte 0\\n"
    ".previous\\n");

extern const byte %(name)s_blob[];
"""

_ARRAY_START = """\
#if defined(_MSC_VER)
__declspec(align(%(alignment)d))
#else
__attribute__((aligned(%(alignment)d)))
#endif
static const byte %(name)s_blob[%(size)d + 1] = {
"""
_ARRAY_END = "0};\n"

_HEAD = """\
// Made by `burnstore freeze`: `import %(name)s; %(name)s.DATA` is a bytes object of %(size)d bytes in flash.

#include "py/obj.h"
#include "py/objstr.h"

"""

_MODULE = """
// A hash of 0 means that it has not been computed.
static const mp_obj_str_t %(name)s_data_obj = {{&mp_type_bytes}, 0, %(size)d, %(name)s_blob};

static const mp_rom_map_elem_t %(name)s_globals_table[] = {
    {MP_ROM_QSTR(MP_QSTR___name__), MP_ROM_QSTR(MP_QSTR_%(name)s)},
    {MP_ROM_QSTR(MP_QSTR_DATA), MP_ROM_PTR(&%(name)s_data_obj)},
};
static MP_DEFINE_CONST_DICT(%(name)s_globals, %(name)s_globals_table);

const mp_obj_module_t %(name)s_user_cmodule = {
    .base = {&mp_type_module},
    .globals = (mp_obj_dict_t *)&%(name)s_globals,
};

MP_REGISTER_MODULE(MP_QSTR_%(name)s, %(name)s_user_cmodule);
"""

_MAKE = """\
# For the ports that are built with make.
SRC_USERMOD += $(USERMOD_DIR)/%(name)s.c
CFLAGS_USERMOD += -I$(USERMOD_DIR)
"""

_DEPENDENCY = """
# The compiler does not see what the assembler includes: a new blob makes the object anew.
$(BUILD)/$(notdir $(USERMOD_DIR))/%(name)s.o: $(USERMOD_DIR)/%(name)s.bpk
"""

_CMAKE = """\
# For the ports that are built with CMake.
add_library(usermod_%(name)s INTERFACE)
target_sources(usermod_%(name)s INTERFACE ${CMAKE_CURRENT_LIST_DIR}/%(name)s.c)
target_include_directories(usermod_%(name)s INTERFACE ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(usermod INTERFACE usermod_%(name)s)
"""

_CMAKE_DEPENDENCY = """
# The compiler does not see what the assembler includes: a new blob makes the object anew.
set_property(SOURCE ${CMAKE_CURRENT_LIST_DIR}/%(name)s.c
    APPEND PROPERTY OBJECT_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/%(name)s.bpk)
"""


def cmake_of(names: Iterable[str]) -> str:
    """Return what includes the modules of these names, each in a folder of its own, on ports with CMake."""
    return "".join(f"include(${{CMAKE_CURRENT_LIST_DIR}}/{name}/micropython.cmake)\n" for name in names)


def files(name: str, blob: memoryview) -> Iterator[tuple[str, Iterator[Buffer]]]:
    """Yield the module's files, as (name in its folder, content): the assembler includes the blob."""
    yield f"{name}.bpk", iter([blob])
    yield f"{name}.c", _encoded(_filled(_HEAD + _INCLUDED + _MODULE, name, len(blob)))
    yield "micropython.mk", _encoded(_filled(_MAKE + _DEPENDENCY, name, len(blob)))
    yield "micropython.cmake", _encoded(_filled(_CMAKE + _CMAKE_DEPENDENCY, name, len(blob)))


def portable_files(name: str, blob: memoryview) -> Iterator[tuple[str, Iterator[Buffer]]]:
    """Yield the module's files for compilers without such an assembler: the blob is a C array."""
    yield f"{name}.c", _array_source(name, blob)
    yield "micropython.mk", _encoded(_filled(_MAKE, name, len(blob)))
    yield "micropython.cmake", _encoded(_filled(_CMAKE, name, len(blob)))


def _array_source(name: str, blob: memoryview) -> Iterator[bytes]:
    yield from _encoded(_filled(_HEAD + _ARRAY_START, name, len(blob)))
    for start in range(0, len(blob), _PIECE):
        piece = blob[start : start + _PIECE]
        rows = (piece[at : at + _ROW] for at in range(0, len(piece), _ROW))
        yield "".join(",".join(map(str, row)) + ",\n" for row in rows).encode()
    yield from _encoded(_ARRAY_END + _filled(_MODULE, name, len(blob)))


def _filled(template: str, name: str, size: int) -> str:
    return template % {"name": name, "size": size, "alignment": ALIGNMENT}


def _encoded(text: str) -> Iterator[bytes]:
    yield text.encode()
