"""The source of a library, as far as it was read, for claims about what it has."""

from dataclasses import field
from pathlib import Path

from judgebench.model.projects import Project
from judgebench.records import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LibraryPlace:
    """Where a library's source lies: one of both."""

    folder: Path | None = None
    package: str | None = None
    """Name of an installed package."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Library:
    """A library's own source."""

    name: str
    version: str = ""
    """Empty where it is not known."""
    source: Project = field(repr=False)
    """Its files, and what of it was not read."""

    @property
    def words(self) -> str:
        """Name and version, for reports."""
        return f"{self.name} {self.version}".strip()
