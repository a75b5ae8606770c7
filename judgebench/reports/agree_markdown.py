"""Agreement → agreement.md: everything that is known, the answer first."""

from judgebench.model.agreement import Agreement
from judgebench.reports.agree_sections import sections
from judgebench.reports.markdown import page


def render(found: Agreement) -> str:
    """Write the whole page; equal agreements give equal bytes."""
    return page(sections(found))
