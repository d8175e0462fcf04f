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
from scipy.stats import fisher_exact, multinomial, norm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint, samplesize_proportions_2indep_onetail


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


def pass_hat_k() -> list[dict]:
    return [
        {"n": n, "passed": passed, "k": k, "value": comb(passed, k) / comb(n, k)}
        for n in (1, 4, 8, 100)
        for passed in sorted({0, 1, n // 2, n})
        for k in sorted({1, n // 2, n})
        if k >= 1
    ]


def paired() -> list[dict]:
    """Differences of two policies on the same tasks: percentile intervals of 200,000 draws of whole pairs."""
    random = np.random.default_rng(11)
    cases = []
    for strata_rates in (((0.3, 0.7), (0.9, 0.8)), ((0.5, 0.5), (0.2, 0.4), (0.0, 0.6))):
        strata = []
        for rates in strata_rates:
            counts = random.integers(1, 4, size=12).tolist()
            strata.append(
                [
                    {
                        "a": {"sum": int(random.binomial(count, rates[0])), "count": count},
                        "b": {"sum": int(random.binomial(count, rates[1])), "count": count},
                    }
                    for count in counts
                ]
            )
        totals = np.zeros((200_000, 4))
        observed = np.zeros(4)
        for pairs in strata:
            rows = np.array([[p["a"]["sum"], p["a"]["count"], p["b"]["sum"], p["b"]["count"]] for p in pairs])
            picks = random.integers(0, len(rows), size=(200_000, len(rows)))
            totals += rows[picks].sum(axis=1)
            observed += rows.sum(axis=0)
        low, high = np.percentile(totals[:, 2] / totals[:, 3] - totals[:, 0] / totals[:, 1], [2.5, 97.5])
        difference = observed[2] / observed[3] - observed[0] / observed[1]
        cases.append({"strata": strata, "difference": float(difference), "low": float(low), "high": float(high)})
    return cases


def mcnemar_exact() -> list[dict]:
    pairs = list(product((0, 1, 2, 5, 9, 15), repeat=2)) + [(40, 61), (300, 350), (0, 1000)]
    return [{"onlyA": a, "onlyB": b, "p": float(mcnemar([[3, a], [b, 4]], exact=True).pvalue)} for a, b in pairs]


def holm() -> list[dict]:
    families = ([0.01], [0.04, 0.01, 0.03, 0.005], [0.5, 0.5, 0.9], [1.0, 1e-8, 0.02, 0.02, 0.0], [0.2] * 6)
    return [{"values": values, "adjusted": multipletests(values, method="holm")[1].tolist()} for values in families]


def normal_quantile() -> list[dict]:
    points = (1e-300, 1e-20, 1e-9, 1e-4, 0.01, 0.0749, 0.075, 0.2, 0.4999, 0.5, 0.6, 0.925, 0.9251, 0.975, 0.999999)
    return [{"p": p, "z": float(norm.ppf(p))} for p in points]


def d_prime() -> list[dict]:
    cases = ((10, 10, 0, 10), (0, 10, 0, 10), (18, 25, 3, 25), (1, 3, 3, 3), (90, 100, 10, 400))
    return [
        {
            "counts": counts,
            "value": float(
                norm.ppf((counts[0] + 0.5) / (counts[1] + 1)) - norm.ppf((counts[2] + 0.5) / (counts[3] + 1))
            ),
        }
        for counts in cases
    ]


def power() -> list[dict]:
    """Unrounded sample sizes of each group, at 80 % power and a two-sided 5 %."""
    return [
        {
            "rate": rate,
            "difference": difference,
            "n": float(
                samplesize_proportions_2indep_onetail(difference, rate, 0.8, alpha=0.05, alternative="two-sided")
            ),
        }
        for rate in (0.0, 0.1, 0.3, 0.5, 0.7)
        for difference in (0.03, 0.1, 0.3)
    ]


def paired_power() -> list[dict]:
    """The power that McNemar's test without correction has at the size given, by enumeration of all outcomes."""
    cases = []
    for discordant, difference, n in ((0.3, 0.15, 103), (0.5, 0.3, 42), (0.2, 0.1, 155)):
        shares = ((discordant + difference) / 2, (discordant - difference) / 2, 1 - discordant)
        power = 0.0
        for gained in range(n + 1):
            for lost in range(n - gained + 1):
                if gained + lost and abs(gained - lost) / (gained + lost) ** 0.5 > norm.ppf(0.975):
                    power += multinomial.pmf((gained, lost, n - gained - lost), n, shares)
        cases.append({"discordant": discordant, "difference": difference, "n": n, "power": float(power)})
    return cases


golden = {
    "versions": {"scipy": scipy.__version__, "statsmodels": statsmodels.__version__, "numpy": np.__version__},
    "wilson": wilson(),
    "fisher": fisher(),
    "bootstrap": bootstrap(),
    "passAtK": pass_at_k(),
    "passHatK": pass_hat_k(),
    "paired": paired(),
    "mcnemar": mcnemar_exact(),
    "holm": holm(),
    "normalQuantile": normal_quantile(),
    "dPrime": d_prime(),
    "power": power(),
    "pairedPower": paired_power(),
}
Path(__file__).with_name("golden.json").write_text(json.dumps(golden, indent=1) + "\n")
