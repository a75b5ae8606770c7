"""Distribution functions of SciPy, without all that `scipy.special` loads beside them.

The package begins with a layer for other array libraries: it imports the whole of NumPy,
f2py and the tools for testing included, 200 modules and 20 MiB for which a table waits.
The compiled functions, the very same objects, are to be had alone. Where a release keeps
them elsewhere, the package serves.
"""

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import TYPE_CHECKING

_PACKAGE = "scipy.special"
_COMPILED = f"{_PACKAGE}._ufuncs"


def alone(name: str = _COMPILED) -> ModuleType:
    """A module of the package, which itself is not begun; the package where there is none."""
    spec = None if _PACKAGE in sys.modules else importlib.util.find_spec(_PACKAGE)
    if spec is not None:
        # An empty package in its place, as long as its module is looked up.
        sys.modules[_PACKAGE] = importlib.util.module_from_spec(spec)
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
        finally:
            del sys.modules[_PACKAGE]
    return importlib.import_module(_PACKAGE)


if TYPE_CHECKING:
    from scipy.special import (
        bdtr,
        bdtrc,
        betaincinv,
        chdtrc,
        chdtri,
        fdtri,
        gammaincinv,
        nctdtr,
        ndtr,
        ndtri,
        stdtr,
        stdtrit,
    )
else:
    _found = alone()
    bdtr, bdtrc, betaincinv = _found.bdtr, _found.bdtrc, _found.betaincinv
    chdtrc, chdtri, fdtri = _found.chdtrc, _found.chdtri, _found.fdtri
    gammaincinv, nctdtr = _found.gammaincinv, _found.nctdtr
    ndtr, ndtri, stdtr, stdtrit = _found.ndtr, _found.ndtri, _found.stdtr, _found.stdtrit

__all__ = [
    "bdtr",
    "bdtrc",
    "betaincinv",
    "chdtrc",
    "chdtri",
    "fdtri",
    "gammaincinv",
    "nctdtr",
    "ndtr",
    "ndtri",
    "stdtr",
    "stdtrit",
]
