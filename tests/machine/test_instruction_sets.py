"""Every instruction set gives the same bits: there is one body, compiled several times."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# Prints the exact bits of every measure over sizes that take every path of the core.
PROGRAM = """
import numpy as np
import polyroc as pr

rng = np.random.default_rng(5)
for n, k in [(40, 3), (3000, 5), (60_000, 3), (300_000, 2)]:
    y = rng.integers(0, k, n)
    p = rng.random((n, k)) ** 4
    p[np.arange(n), y] += 0.2
    weight = rng.random(n)
    for scores in (p, p.astype(np.float32), np.round(p, 2)):
        for w in (None, weight, np.ceil(3 * weight)):
            values = [
                pr.hand_till(y, scores, sample_weight=w),
                pr.auc_mu(y, scores, sample_weight=w),
                pr.auc_mu(y, scores, sample_weight=w, partition=1 + np.arange(k) - np.diag(
                    1 + np.arange(k))),
                pr.one_vs_rest(y, scores, sample_weight=w, average="micro"),
                *pr.one_vs_rest(y, scores, sample_weight=w, average=None),
            ]
            if k == 2:
                values += [pr.auc(y, scores, sample_weight=w), pr.auc(y, scores[:, 1])]
            print(n, k, *(float(value).hex() for value in values))
            # Of many rows every weight and every kind of score, but not all of both.
            if n > 100_000 or (n > 10_000 and scores is not p and w is not None):
                continue
            measures = ["hand_till", "auc_mu", "one_vs_rest"] if k > 2 else ["auc"]
            for scheme in ("multinomial", "poisson", "bayesian"):
                drawn = pr.bootstrap(y, scores, measures, sample_weight=w, scheme=scheme, seed=n,
                                     n_resamples=40, method="percentile")
                for result in drawn.values():
                    print(*(value.hex() for value in result.replicates.tolist()))
n = 2**20 + 1000  # weights are drawn again
y, s = rng.integers(0, 2, n), rng.random(n)
print(*(v.hex() for v in pr.bootstrap(y, s, "auc", n_resamples=70, seed=1).replicates.tolist()))
"""


def run(level: str) -> str:
    environment = {**os.environ, "POLYROC_SIMD": level}
    program = [sys.executable, "-c", PROGRAM]
    return subprocess.run(
        program, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_lower_levels_give_the_same_bits() -> None:
    best = run("")
    for level in ("plain", "avx2", "avx512"):
        assert run(level) == best, level
