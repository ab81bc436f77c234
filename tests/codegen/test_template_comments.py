"""Names in comments of templates exist in the templates."""

import re

from murmurate.codegen.arguments import BY_NAME
from murmurate.codegen.code_digest import PACKAGE

COMMENT = re.compile(r"\{#.*?#\}|#[^\n]*", re.DOTALL)


def test_names_in_comments_exist() -> None:
    unknown = []
    for file in sorted((PACKAGE / "codegen").rglob("*.j2")):
        text = file.read_text()
        words = {*re.findall(r"\w+", COMMENT.sub("", text)), *BY_NAME}
        for comment in COMMENT.findall(text):
            for quoted in re.findall(r"`([^`]+)`", comment):
                missing = set(re.findall(r"[A-Za-z_]\w*", quoted)) - words
                unknown += [f"{file.name}: `{quoted}`"] if missing else []
    assert not unknown
