"""What makes two judges the same judge: whatever can change its marks, and nothing else."""

from urllib.parse import urlsplit

from judgebench.judges import wire
from judgebench.model.nouns import Judge
from judgebench.text import digest


def judge_sha256(judge: Judge) -> str:
    """Hash of model, endpoint, parameters and mode.

    Keys, prices, rates, time and token limits and the user's name for the judge are
    left out: a limit that was raised ends fewer replies and changes none.
    """
    return digest(
        {
            "model": judge.model,
            "provider": judge.provider,
            "endpoint": _endpoint(judge.base_url),
            "mode": judge.wire_mode,
            "params": {k: v for k, v in judge.params.items() if k not in wire.LIMITS},
        }
    )


def _endpoint(base_url: str | None) -> str | None:
    if base_url is None:
        return None
    parts = urlsplit(base_url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path.rstrip('/')}".lower()
