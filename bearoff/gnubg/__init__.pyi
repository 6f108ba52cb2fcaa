from .compare import (
    Difference as Difference,
    compare_one_sided as compare_one_sided,
    compare_two_sided as compare_two_sided,
)
from .header import (
    Header as Header,
)
from .one_sided import (
    OneSidedFile as OneSidedFile,
    one_sided_header as one_sided_header,
    write_one_sided as write_one_sided,
)
from .read import (
    open_file as open_file,
)
from .two_sided import (
    TwoSidedFile as TwoSidedFile,
    two_sided_header as two_sided_header,
    write_two_sided as write_two_sided,
)
