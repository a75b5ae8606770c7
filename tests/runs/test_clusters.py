"""Clusters of items in run.yaml: what is read, and each fault with its place."""

from pathlib import Path

import pytest

from judgebench.errors import RunError
from judgebench.pipeline.setting.facts import facts_of, read_facts
from judgebench.pipeline.setting.units import cluster_codes, counted
from judgebench.runs.load import load_run
from judgebench.runs.schema import json_schema
from tests.runs.helpers import RUN_YAML, put


def _declare(run: Path, clusters: str) -> None:
    put(run / "run.yaml", RUN_YAML + clusters)


def test_clusters_reach_run_and_facts(notice: Path) -> None:
    """By name, items in the order given; they come back from what is stored."""
    _declare(notice, "clusters:\n  may: [n2, n1]\n")
    run = load_run(notice)
    assert run.clusters == {"may": ("n2", "n1")}
    facts = facts_of(run)
    assert read_facts(facts.as_dict()) == facts
    assert facts.as_dict()["clusters"] == {"may": ("n2", "n1")}


def test_without_clusters_the_facts_are_what_they_were(notice: Path) -> None:
    """No key of its own: what is stored of other runs stays as it is."""
    assert "clusters" not in facts_of(load_run(notice)).as_dict()


@pytest.mark.parametrize(
    ("clusters", "said"),
    [
        (
            "  \u00e9: [n1]\n  e\u0301: [n2]\n",
            ":13: clusters.e\u0301 is e\u0301, which another cluster is called; write its",
        ),
        ("  may: [n1, n3]\n", ":12: clusters.may.2 is n3, which is no item of the run; did you"),
        ("  may: [n1]\n  june: [n2, n1]\n", ":13: clusters.june.2 is n1, which is in may too; "),
        ("  may: [n1, n1]\n", ":12: clusters.may.2 is n1, which stands there twice; name each"),
        ("  may: []\n", ":12: clusters.may is empty; write 1 or more entries"),
        ("  may: n1\n", ':12: clusters.may is "n1"; write a list'),
    ],
)
def test_a_fault_of_clusters_has_its_place(notice: Path, clusters: str, said: str) -> None:
    """File, line and key; exit 2 as every fault of run.yaml."""
    _declare(notice, f"clusters:\n{clusters}")
    with pytest.raises(RunError) as caught:
        load_run(notice)
    assert str(caught.value).startswith(f"{notice / 'run.yaml'}{said}")
    assert caught.value.exit_code == 2


def test_the_schema_knows_clusters() -> None:
    """A map from a name to a list that is not empty."""
    found = json_schema()["properties"]["clusters"]
    assert (found["type"], found["additionalProperties"]["minItems"]) == ("object", 1)


def test_codes_of_clusters() -> None:
    """An item in none is its own, also under the name of a cluster; single ones are none."""
    items = ("a", "b", "c", "d")
    codes = cluster_codes({"d": ("a", "c")}, items)
    assert codes is not None
    assert codes.tolist() == [0, 1, 0, 2]
    found = counted(codes)
    assert found is not None
    assert (found.count, found.items, found.smallest, found.largest) == (3, 4, 1, 2)
    assert cluster_codes({"x": ("a",), "y": ("b",)}, items) is None
    assert cluster_codes({}, items) is None
    assert counted(None) is None
