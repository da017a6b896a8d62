"""The bytes of a state that samples rows: those of its counts, then those of its sample.

::

    "polyroc sampled state", version   1 byte
    length of the counts               8 bytes, the lowest first
    counts, sample                     as they are by themselves
    CRC-32 of it all                   4 bytes, the lowest first
"""

from __future__ import annotations

import zlib

_NAME = b"polyroc sampled state"
_VERSION = 1
_HEAD = len(_NAME) + 1 + 8


def is_sampled(data: bytes) -> bool:
    """Tell whether bytes begin as those of a state with a sample."""
    return data.startswith(_NAME)


def seal(counts: bytes, sample: bytes) -> bytes:
    """Return the bytes of counts and sample as one."""
    body = _NAME + bytes([_VERSION]) + len(counts).to_bytes(8, "little") + counts + sample
    return body + zlib.crc32(body).to_bytes(4, "little")


def unseal(data: bytes) -> tuple[bytes, bytes]:
    """Return the bytes of counts and sample; raise ValueError if they were changed on the way."""
    body = data[:-4]
    if len(body) < _HEAD or zlib.crc32(body).to_bytes(4, "little") != data[-4:]:
        raise ValueError(
            "the bytes of the polyroc sampled state were changed or cut off on the way (their "
            "checksum is wrong); send them again"
        )
    version = body[len(_NAME)]
    if version != _VERSION:
        raise ValueError(
            f"the bytes are a polyroc sampled state of version {version}; this polyroc reads "
            f"version {_VERSION}: use one polyroc for all shards"
        )
    end = _HEAD + int.from_bytes(body[len(_NAME) + 1 : _HEAD], "little")
    return body[_HEAD:end], body[end:]
