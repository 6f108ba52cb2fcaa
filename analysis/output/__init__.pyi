from . import (
    pages as pages,
    text_layout as text_layout,
)
from .drawing import (
    ACCENT as ACCENT,
    GREY as GREY,
    INK as INK,
    SHADES as SHADES,
    add_caption as add_caption,
    save as save,
    style as style,
    write_table as write_table,
    write_text as write_text,
)
from .folders import (
    WrittenReport as WrittenReport,
    report_folder as report_folder,
    write_report_files as write_report_files,
    writing_to as writing_to,
)
from .markdown import (
    markdown_page as markdown_page,
    markdown_table as markdown_table,
)
