"""Names that MicroPython does not have, or has with another meaning, and the modules it does have."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What every supported build brings. A file may import others where it also handles their absence.
MODULES = _words("""
    array asyncio binascii builtins cmath collections deflate errno gc hashlib heapq io json machine math
    micropython os platform random re select struct sys time uctypes vfs
""")
OURS = _words("burnpack burnrt")

# What CPython never has: where their import fails, the code that follows is CPython's own.
BOARD_MODULES = _words("machine micropython uctypes vfs")

# Methods that only CPython's world calls.
CPYTHON_METHODS = _words("__array__ __array_interface__ __buffer__ __fspath__")

ABSENT_FROM_MODULE = {
    "array": _words("typecodes"),
    "asyncio": _words("Queue TaskGroup timeout to_thread"),
    "collections": _words("ChainMap Counter UserDict UserList abc defaultdict"),
    "hashlib": _words("file_digest new sha512"),
    "json": _words("JSONDecodeError JSONDecoder JSONEncoder"),
    "math": _words("cbrt comb dist exp2 fsum gcd hypot isqrt lcm nextafter perm prod ulp"),
    "os": _words("environ fsync makedirs path replace scandir walk"),
    "re": _words("I IGNORECASE M MULTILINE S VERBOSE escape findall finditer fullmatch"),
    "struct": _words("Struct error iter_unpack"),
    "sys": _words("float_info getrecursionlimit getsizeof int_info setrecursionlimit"),
    "time": _words("monotonic perf_counter process_time strftime"),
}

# Methods whose names only such types have as lack them in MicroPython, so that the name alone tells.
ABSENT_METHODS = (
    _words("byteswap cast frombytes tobytes tolist toreadonly")  # memoryview and array
    | _words("capitalize casefold format_map isalnum isidentifier isprintable ljust maketrans")  # str, bytes
    | _words("removeprefix removesuffix rjust swapcase title translate zfill")
    | _words("as_integer_ratio bit_count bit_length is_integer")  # int, float
    | _words("_asdict _replace move_to_end")  # namedtuple, OrderedDict
    | _words("add_note with_traceback")  # exceptions
    | _words("findall finditer fullmatch getbuffer hexdigest iter_unpack")  # patterns, streams, hashes
)

ABSENT_ATTRIBUTES = _words("""
    __annotations__ __cause__ __code__ __context__ __defaults__ __doc__ __kwdefaults__ __module__ __mro__
    __qualname__ __slots__ __subclasses__ __traceback__ c_contiguous itemsize readonly st_size typecode
""")

ABSENT_NAMES = _words("""
    __doc__ ascii format vars
    BlockingIOError BrokenPipeError BufferError ConnectionError EncodingWarning ExceptionGroup FileExistsError
    FileNotFoundError FloatingPointError InterruptedError IsADirectoryError ModuleNotFoundError
    NotADirectoryError PermissionError ProcessLookupError RecursionError ReferenceError TimeoutError
    UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError UserWarning Warning
""")

# Methods that the interpreter never calls, whatever a class defines.
IGNORED_METHODS = _words("""
    __bytes__ __class_getitem__ __format__ __getattribute__ __index__ __init_subclass__ __missing__
    __prepare__ __set_name__
""")

# The last name of what is called: keywords that it does not take.
ABSENT_KEYWORDS = {
    "dumps": _words("indent sort_keys"),
    "from_bytes": _words("signed"),
    "loads": _words("object_hook object_pairs_hook parse_float parse_int"),
    "namedtuple": _words("defaults rename"),
    "pack_into": _words("offset"),
    "popitem": _words("last"),
    "print": _words("flush"),
    "rsplit": _words("maxsplit sep"),
    "split": _words("maxsplit sep"),
    "to_bytes": _words("signed"),
    "unpack_from": _words("offset"),
    "zip": _words("strict"),
}
