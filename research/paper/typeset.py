"""Typesetting of the paper: it writes facts and figures to a folder, and runs typst."""

import json
import shutil
import tempfile
from pathlib import Path

from bearoff import BearoffError
from bearoff.storage import write_atomic
from research.paper.facts import Facts
from research.paper.gather import gather_facts, note_files
from research.paper.results import Results

TEXT = Path(__file__).parent / "text"
"""Folder of the paper's text, in typst's markup."""


def write_paper(results: str | Path, path: str | Path, *, short: bool = False) -> Facts:
    """Read all results, and write the paper as PDF.

    Parameters
    ----------
    results : str or Path
        Folder of results.
    path : str or Path
        Path of the PDF; after an error there is no incomplete file.
    short : bool
        Whether to write the short form, with the abstract and the main tables but without
        figures.

    Returns
    -------
    Facts
        Facts that the text of the paper uses.

    Raises
    ------
    BearoffError
        If a result is missing, typst is not installed, or the text uses an unknown fact.
    """
    held = Results(results)
    facts = gather_facts(held)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(TEXT, folder, dirs_exist_ok=True)
        if not short:
            from research.paper.figures import draw_figures

            draw_figures(held, folder)
        note_files(held, facts)
        (folder / "facts.json").write_text(json.dumps(facts.as_json()), encoding="utf-8")
        write_atomic(Path(path), _compiled(folder, short))
    return facts


def _compiled(folder: Path, short: bool) -> bytes:
    try:
        import typst
    except ModuleNotFoundError:
        raise BearoffError(
            'the paper is set by typst, which is not installed; pip install ".[paper]"'
        ) from None
    try:
        pdf: bytes = typst.compile(
            str(folder / "paper.typ"),
            root=str(folder),
            sys_inputs={"short": "yes" if short else "no"},
            ignore_system_fonts=True,
        )
    except typst.TypstError as error:
        first = str(error).strip().splitlines()[0]
        raise BearoffError(
            f"the text of the paper could not be set: {first}; see research/paper/text"
        ) from None
    return pdf
