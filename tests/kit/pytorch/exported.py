"""Exported programs, changed: what is in their JSON or in their records is replaced."""

import io
import json
import zipfile


def records(path):
    """Return the records of an archive: {name: bytes}."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(found, method=zipfile.ZIP_STORED):
    """Return an archive of records."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in found.items():
            archive.writestr(name, data)
    return file.getvalue()


def changed(path, change, ending="models/model.json"):
    """Return an archive, one JSON of which was changed. change: is given the decoded value."""
    found = records(path)
    (name,) = [name for name in found if name.endswith(ending)]
    value = json.loads(found[name])
    change(value)
    found[name] = json.dumps(value).encode()
    return packed(found)
