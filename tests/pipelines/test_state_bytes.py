"""Bytes of states: every change of a single byte is refused, and so are other versions."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import polyroc as pr
import pytest

from given.shards import softmax_rows
from pipelines.test_state import MEASURES, state_of, weights_of

CHANGED = "changed or cut off on the way"


def blobs() -> list[bytes]:
    rows = softmax_rows(60, 3, "moderate", 1)
    weighted = rows._replace(w=weights_of("real", 60, 1))
    counts = np.bincount(rows.y)
    return [
        pr.State(["a", "b"], "auc").to_bytes(),
        state_of(rows, "hand_till", max_bins=8).to_bytes(),
        state_of(weighted, MEASURES, max_bins=4).to_bytes(),
        state_of(rows, "hand_till", max_bins=8, class_counts=counts).to_bytes(),
    ]


@pytest.mark.parametrize("blob", blobs(), ids=["empty", "bins", "weights", "class_counts"])
def test_every_changed_byte_is_refused(blob: bytes) -> None:
    state = pr.State.from_bytes(blob)
    assert state.to_bytes() == blob
    for at in range(len(blob)):
        for change in (1, 0x80, 0xFF):
            broken = bytearray(blob)
            broken[at] ^= change
            with pytest.raises(ValueError, match=f"{CHANGED}|not the bytes of a polyroc state"):
                pr.State.from_bytes(broken)


@pytest.mark.parametrize("blob", blobs(), ids=["empty", "bins", "weights", "class_counts"])
def test_bytes_cut_off_or_added_are_refused(blob: bytes) -> None:
    for end in range(len(blob)):
        with pytest.raises(ValueError, match=f"{CHANGED}|not the bytes of a polyroc state"):
            pr.State.from_bytes(blob[:end])
    with pytest.raises(ValueError, match=CHANGED):
        pr.State.from_bytes(blob + b"\0")


def sealed(body: bytes) -> bytes:
    return body + zlib.crc32(body).to_bytes(4, "little")


def test_another_version_is_named() -> None:
    blob = blobs()[1]
    body = bytearray(blob[:-4])
    body[len("polyroc state")] = 9
    with pytest.raises(ValueError, match="state of version 9; this polyroc reads version 1"):
        pr.State.from_bytes(sealed(bytes(body)))


def test_bytes_that_contradict_themselves_are_refused() -> None:
    """With a checksum that fits: nothing is believed, and nothing hangs or fails otherwise."""
    for blob in blobs():
        body, start = blob[:-4], len("polyroc state") + 1
        refused = 0
        for at in range(start, len(body)):
            for change in (1, 0x7F):
                broken = bytearray(body)
                broken[at] ^= change
                try:
                    pr.State.from_bytes(sealed(bytes(broken)))
                except ValueError:
                    refused += 1
        assert refused > 0
    with pytest.raises(ValueError, match="contradict themselves"):
        pr.State.from_bytes(sealed(blobs()[1][:-20]))


@pytest.mark.parametrize("data", ["text", 3, None])
def test_what_is_no_bytes(data: Any) -> None:
    with pytest.raises(TypeError, match="pass the bytes of a state"):
        pr.State.from_bytes(data)


def test_other_forms_of_bytes() -> None:
    blob = blobs()[1]
    assert pr.State.from_bytes(memoryview(blob)) == pr.State.from_bytes(bytearray(blob))


def test_ten_classes_travel_in_little_room() -> None:
    rows = softmax_rows(125_000, 10, "confident", 2)
    state = state_of(rows, "hand_till", max_bins=4096)
    assert not state.exact
    assert len(state.to_bytes()) <= 150_000
