"""Distribution functions are SciPy's own, had without its layer for other libraries."""

import subprocess
import sys

import pytest
import scipy.special

from judgebench.stats import special

ALONE = """
import sys
from judgebench.stats import special
unwanted = {"scipy.special", "numpy.f2py", "numpy.testing"} & set(sys.modules)
assert not unwanted, unwanted
import scipy.special, scipy.stats
assert scipy.special.stdtrit is special.stdtrit
assert abs(scipy.stats.t.ppf(0.975, 2) - special.stdtrit(2, 0.975)) < 1e-12
"""


def test_statistics_load_no_more_of_scipy_than_they_use() -> None:
    """The package is not begun, and whoever wants it later has it whole."""
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, check=False)
    assert done.stderr.decode() == ""
    assert done.returncode == 0


@pytest.mark.parametrize("name", special.__all__)
def test_a_function_is_the_package_s(name: str) -> None:
    """The same object: not a copy that could differ."""
    assert getattr(special, name) is getattr(scipy.special, name)


@pytest.mark.parametrize("begun", [True, False])
def test_the_package_serves_where_a_release_keeps_them_elsewhere(
    monkeypatch: pytest.MonkeyPatch, *, begun: bool
) -> None:
    """Begun already or not, it is found whole, and no empty one stays behind."""
    if not begun:
        for name in [one for one in sys.modules if one == "scipy.special"]:
            monkeypatch.delitem(sys.modules, name)
    found = special.alone("scipy.special._elsewhere")
    assert found.stdtrit is special.stdtrit
    assert sys.modules["scipy.special"] is found
