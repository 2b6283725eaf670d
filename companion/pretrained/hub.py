"""Getting a model's folder from the Hugging Face Hub, when ``huggingface_hub`` is installed."""

import re
from pathlib import Path

from companion.pretrained.errors import PretrainedError
from companion.pretrained.files import CONFIG, INDEX, WEIGHTS

# "gpt2" or "owner/name", as the Hub spells repositories.
REPO_ID = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
WANTED = [CONFIG, WEIGHTS, INDEX, "model-*.safetensors"]


def find_folder(source: str | Path) -> Path:
    """The folder ``source``, or the downloaded repository of that name.

    Raises:
        PretrainedError: if it is neither, or the download fails: in one sentence.
    """
    folder = Path(source).expanduser()
    if folder.is_dir():
        return folder
    if not isinstance(source, str) or not REPO_ID.fullmatch(source):
        raise PretrainedError(f"there is no folder {source}")
    return _download(source)


def _download(repo_id: str) -> Path:
    try:
        import huggingface_hub  # optional: folders need no network
    except ImportError:
        raise PretrainedError(
            f"there is no folder {repo_id!r} here, and downloading it from the Hugging Face Hub "
            "needs the package huggingface_hub: pip install huggingface_hub"
        ) from None
    try:
        # It shows a progress bar for each file, and keeps what it has in its cache.
        return Path(huggingface_hub.snapshot_download(repo_id, allow_patterns=WANTED))
    except Exception as error:
        # Being offline, a misspelt name and a closed repository raise classes that differ between
        # versions of the package and of what it builds on; all of them mean "not to be had".
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise PretrainedError(
            f"there is no folder {repo_id!r} here, and the Hugging Face Hub could not give it "
            f"either (is this machine online, and the name right?): {reason}"
        ) from error
