"""Writes golden.json: values of SciPy and statsmodels that the tests of rollout/stats hold ours against.

Needs scipy and statsmodels, in any environment: python rollout/stats/golden/make_golden.py
"""

import json
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy.stats import fisher_exact
from statsmodels.stats.proportion import proportion_confint


def wilson() -> list[dict]:
    rows = []
    for n in (1, 2, 3, 10, 15, 50, 375, 10_000):
        for passed in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            low, high = proportion_confint(passed, n, alpha=0.05, method="wilson")
            rows.append({"passed": passed, "n": n, "low": low, "high": high})
    return rows


def fisher() -> list[dict]:
    tables = list(product((0, 3, 7, 15), repeat=4)) + [(0, 15, 15, 0), (40, 60, 55, 45), (300, 75, 120, 255)]
    return [
        {"table": table, "p": fisher_exact([table[:2], table[2:]]).pvalue}
        for table in tables
        if sum(table[:2]) > 0 and sum(table[2:]) > 0
    ]


def bootstrap() -> list[dict]:
    """Percentile intervals of 200,000 draws; ours agree within their Monte-Carlo error."""
    random = np.random.default_rng(7)
    cases = []
    for weight in ("episode", "stratum"):
        strata = [
            [{"sum": int(random.binomial(count, rate)), "count": count} for count in random.integers(1, 5, size=8).tolist()]
            for rate in (0.9, 0.5, 0.2)
        ]
        sums, counts = [], []
        for clusters in strata:
            picks = random.integers(0, len(clusters), size=(200_000, len(clusters)))
            sums.append(np.array([c["sum"] for c in clusters])[picks].sum(axis=1))
            counts.append(np.array([c["count"] for c in clusters])[picks].sum(axis=1))
        if weight == "episode":
            means = sum(sums) / sum(counts)
        else:
            means = np.mean([s / c for s, c in zip(sums, counts, strict=True)], axis=0)
        low, high = np.percentile(means, [2.5, 97.5])
        cases.append({"weight": weight, "strata": strata, "low": float(low), "high": float(high)})
    return cases


def pass_at_k() -> list[dict]:
    return [
        {"n": n, "passed": passed, "k": k, "value": 1 - comb(n - passed, k) / comb(n, k)}
        for n in (1, 4, 8, 100)
        for passed in sorted({0, 1, n // 2, n})
        for k in sorted({1, n // 2, n})
        if k >= 1
    ]


golden = {
    "versions": {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__},
    "wilson": wilson(),
    "fisher": fisher(),
    "bootstrap": bootstrap(),
    "passAtK": pass_at_k(),
}
Path(__file__).with_name("golden.json").write_text(json.dumps(golden, indent=1) + "\n")
