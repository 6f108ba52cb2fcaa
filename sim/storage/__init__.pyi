from . import (
    descriptions as descriptions,
    files as files,
    parquet_input as parquet_input,
    provenance as provenance,
    schema as schema,
)
from .checkpoints import (
    load_checkpoint as load_checkpoint,
    save_checkpoint as save_checkpoint,
)
from .errors import (
    ManifestError as ManifestError,
    OtherVersionError as OtherVersionError,
    RunError as RunError,
)
from .input_files import (
    require_file as require_file,
)
from .manifest import (
    PartEntry as PartEntry,
    PartNote as PartNote,
    RunManifest as RunManifest,
    Stage as Stage,
    read_manifest as read_manifest,
)
from .snapshots import (
    Snapshot as Snapshot,
    read_snapshots as read_snapshots,
    write_snapshot as write_snapshot,
)
