"""SCORM packages: their structure, by the books of SCORM 1.2 and 2004 4th edition."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

import pytest

import murmurate as mm
from murmurate.classroom.scorm import package
from murmurate.classroom.task import parse_task
from murmurate.errors import OutputError, TaskError

TASK = parse_task(
    'title = "Fish & <chips>"\nmodel = "p5"\npassing = 65\n[[steps]]\nkind = "reach"\n'
    'question = "q"\nmeasure = "speed"\nmax = 1\n'
)
SPACES = {
    "1.2": ("http://www.imsproject.org/xsd/imscp_rootv1p1p2", "http://www.adlnet.org/xsd/adlcp_rootv1p2"),
    "2004": ("http://www.imsglobal.org/xsd/imscp_v1p1", "http://www.adlnet.org/xsd/adlcp_v1p3"),
}  # fmt: skip


@pytest.mark.parametrize("version", ["1.2", "2004"])
def test_the_manifest_names_one_sco(version) -> None:
    data = package("<p>é</p>", TASK, version)
    assert data == package("<p>é</p>", TASK, version)
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.namelist() == ["imsmanifest.xml", "index.html"]
    assert archive.read("index.html").decode() == "<p>é</p>"
    root = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    cp, adl = (f"{{{space}}}" for space in SPACES[version])
    assert root.tag == f"{cp}manifest"
    assert [child.tag for child in root] == [
        f"{cp}{x}" for x in ("metadata", "organizations", "resources")
    ]
    schema = [root.findtext(f"{cp}metadata/{cp}{x}") for x in ("schema", "schemaversion")]
    assert schema == ["ADL SCORM", "1.2" if version == "1.2" else "2004 4th Edition"]
    (organization,) = root.findall(f"{cp}organizations/{cp}organization")
    assert root.find(f"{cp}organizations").get("default") == organization.get("identifier")
    (item,) = organization.findall(f"{cp}item")
    assert item.findtext(f"{cp}title") == organization.findtext(f"{cp}title") == "Fish & <chips>"
    (resource,) = root.findall(f"{cp}resources/{cp}resource")
    assert item.get("identifierref") == resource.get("identifier")
    assert (resource.get("type"), resource.get("href")) == ("webcontent", "index.html")
    assert resource.get(f"{adl}{'scormtype' if version == '1.2' else 'scormType'}") == "sco"
    assert [file.get("href") for file in resource.findall(f"{cp}file")] == ["index.html"]
    ids = [one.get("identifier") for one in root.iter() if one.get("identifier")]
    assert len(ids) == len(set(ids)) and all(one[0].isalpha() for one in ids)
    if version == "1.2":
        assert item.findtext(f"{adl}masteryscore") == "65"
    else:
        ss = "{http://www.imsglobal.org/xsd/imsss}"
        objective = item.find(f"{ss}sequencing/{ss}objectives/{ss}primaryObjective")
        assert objective.get("satisfiedByMeasure") == "true"
        assert objective.findtext(f"{ss}minNormalizedMeasure") == "0.65"
        assert organization[-1].tag == f"{ss}sequencing"


def test_wrong_arguments_are_refused_before_anything_is_written(tmp_path) -> None:
    with pytest.raises(TaskError, match=r"scorm: got '1.3'; expected '1.2' or '2004'"):
        mm.task_page("p5", tmp_path / "a.zip", task=TASK, scorm="1.3")
    with pytest.raises(
        OutputError, match=r"got .html; expected .zip, the format of a SCORM package"
    ):
        mm.task_page("p5", tmp_path / "a.html", task=TASK, scorm="1.2")
    with pytest.raises(TaskError, match=r"task\.model: got 'p5'; expected 'ucl'"):
        mm.task_page("ucl", tmp_path / "a.html", task=TASK)
    assert not list(tmp_path.iterdir())
