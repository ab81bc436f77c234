"""SCORM packages: ZIP files with a page and the manifest by which a learning platform runs it.

Every page of a task looks for the platform's interface (viewer/src/tasks/scorm.ts).
"""

from __future__ import annotations

import io
import zipfile
from typing import Literal
from xml.sax.saxutils import escape

from murmurate.classroom.task import Task, text_in

Version = Literal["1.2", "2004"]
PAGE, MANIFEST = "index.html", "imsmanifest.xml"
_TIME = (2026, 1, 1, 0, 0, 0)  # of files, so that equal pages have equal bytes
_MANIFEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="murmurate-{identifier}" version="1.0"
    xmlns="{imscp}"
    xmlns:adlcp="{adlcp}"{imsss}>
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>{version}</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>{title}</title>
      <item identifier="task" identifierref="page">
        <title>{title}</title>
        {passing}
      </item>{control}
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:{type}="sco" href="{page}">
      <file href="{page}"/>
    </resource>
  </resources>
</manifest>
"""
_PASSING_2004 = """<imsss:sequencing>
          <imsss:objectives>
            <imsss:primaryObjective objectiveID="score" satisfiedByMeasure="true">
              <imsss:minNormalizedMeasure>{share:g}</imsss:minNormalizedMeasure>
            </imsss:primaryObjective>
          </imsss:objectives>
          <imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>
        </imsss:sequencing>"""
_CONTROL_2004 = """
      <imsss:sequencing>
        <imsss:controlMode choice="true" flow="true"/>
      </imsss:sequencing>"""


def manifest(task: Task, version: Version, language: str = "") -> str:
    """Return the manifest of a package with the page of a task."""
    shared = {
        "identifier": task.digest.hex()[:16],
        "title": escape(text_in(task.title, language or "en")),
        "page": PAGE,
    }
    if version == "1.2":
        return _MANIFEST.format(
            **shared, version="1.2", type="scormtype", imsss="", control="",
            imscp="http://www.imsproject.org/xsd/imscp_rootv1p1p2",
            adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2",
            passing=f"<adlcp:masteryscore>{task.passing}</adlcp:masteryscore>",
        )  # fmt: skip
    return _MANIFEST.format(
        **shared, version="2004 4th Edition", type="scormType", control=_CONTROL_2004,
        imscp="http://www.imsglobal.org/xsd/imscp_v1p1",
        adlcp="http://www.adlnet.org/xsd/adlcp_v1p3",
        imsss='\n    xmlns:imsss="http://www.imsglobal.org/xsd/imsss"',
        passing=_PASSING_2004.format(share=task.passing / 100),
    )  # fmt: skip


def package(html: str, task: Task, version: Version, language: str = "") -> bytes:
    """Return the bytes of a package with the page of a task."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in ((MANIFEST, manifest(task, version, language)), (PAGE, html)):
            archive.writestr(zipfile.ZipInfo(name, _TIME), text, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()
