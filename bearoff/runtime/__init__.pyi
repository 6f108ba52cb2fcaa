from .compiled import (
    compile_seconds as compile_seconds,
    njit as njit,
)
from .compiled_code import (
    code_cache as code_cache,
    remove_compiled_code as remove_compiled_code,
)
from .locks import (
    kept_locked as kept_locked,
    locked as locked,
)
from .machine import (
    check_memory as check_memory,
    cores as cores,
    format_bytes as format_bytes,
    give_back_memory as give_back_memory,
    limit_memory as limit_memory,
    memory_available as memory_available,
    memory_taken as memory_taken,
    parse_bytes as parse_bytes,
    processor as processor,
    return_freed_memory as return_freed_memory,
)
from .threads import (
    in_threads as in_threads,
    start_threads as start_threads,
)
