# The whole run's result, then those of sampled runs of the same trace (results of locus have a member a line): a row of
# the table of scripts/sampling, and into the file `misses` a row for each metric that more than half of them miss.
# Launches are rounded one by one, a run once: a true value may be 1e-5 of itself, or half of one, outside.
function number(line) { sub(/^[^:]*: */, "", line); return line + 0 }
function key(line) { sub(/^ *"/, "", line); sub(/".*/, "", line); return line }
function abs(v) { return v < 0 ? -v : v }

FNR == 1 { file++ }
/^  "/ { part = key($0) }
file == 1 && part == "stats" && /^    "/ { truth[key($0)] = number($0); counted[key($0)] = $0 ~ /: -?[0-9]+,?$/ }
file > 1 && part == "sample" && /^    "(launches|warp_insts|simulated_warp_insts)"/ { of[key($0)] = number($0); sum[key($0)] += number($0) }
file > 1 && part == "estimates" && /^    "/ { metric = key($0) }
file > 1 && part == "estimates" && /^      "value"/ { value = number($0) }
file > 1 && part == "estimates" && /^      "low"/ { low = number($0) }
file > 1 && part == "estimates" && /^      "high"/ {
	high = number($0)
	t = truth[metric]
	slack = 1e-5 * abs(t) + (counted[metric] ? 0.5 : 0)
	inside = low - slack <= t && t <= high + slack
	hit += inside
	all++
	miss[metric] += !inside
	off[metric] += value - t
	half[metric] += high - value
	if (metric == "cycles") {
		cycles += inside
		if (abs(value / t - 1) > worst) worst = abs(value / t - 1)
	}
}
END {
	n = file - 1
	printf "| %s | %.1f | %d | %.1f %% | %.2f %% | %.2f %% | %d of %d | %d of %d | %.1f |\n", name, of["warp_insts"] / 1e6,
		of["launches"], 100 * sum["simulated_warp_insts"] / sum["warp_insts"], 100 * worst, 100 * half["cycles"] / n / truth["cycles"],
		cycles, n, hit, all, (sampled > 0 ? whole * n / sampled : 0)
	printf "" >misses
	for (m in miss)
		if (2 * miss[m] > n)
			printf "| %s | `%s` | %d of %d | %.6g | %s | %s |\n", name, m, miss[m], n, truth[m],
				(truth[m] ? sprintf("%.2f %%", 100 * off[m] / n / truth[m]) : "-"),
				(truth[m] ? sprintf("%.2f %%", 100 * half[m] / n / truth[m]) : "-") | "sort >>" misses
}
