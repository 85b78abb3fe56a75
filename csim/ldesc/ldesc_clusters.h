/* Clusters of CTAs that are to run on one SM: Algorithm 1 (ldesc, section 4.3).
 *
 * A cluster is a box of CTAs; all have the same dimensions, but where the grid ends. C-tiles are split until every
 * descriptor has as many as there are SMs, the first descriptor's become the clusters, and those of lower priority
 * merge them as long as there are enough for all SMs. A tile is halved upward, along its largest dimension; of equal
 * ones X goes before Y before Z.
 *
 * In a NUMA system the algorithm runs inside each zone: only tiles with a CTA of the zone count.
 */
#ifndef CSIM_LDESC_LDESC_CLUSTERS_H
#define CSIM_LDESC_LDESC_CLUSTERS_H

#include "ldesc/ldesc.h"

/* CTAs of a grid: all, or one zone's. CTA x + grid[0] * (y + grid[1] * z). */
struct ldesc_ctas {
	uint32_t grid[3];
	const uint16_t *zone; /* of each CTA; NULL: all CTAs are meant */
	uint16_t of;
};

struct ldesc_dims {
	uint32_t of[3];
};

/* Halves the largest dimension. False: it is (1, 1, 1) already. */
bool ldesc_halve(uint32_t tile[3]);
/* Tiles with at least one of the CTAs. */
uint32_t ldesc_clusters(const struct ldesc_ctas *c, const uint32_t tile[3]);
/* Algorithm 1 for n >= 1 C-tiles in CTAs, highest priority first. */
void ldesc_cluster(const struct ldesc_ctas *c, const struct ldesc_dims *c_tile, uint32_t n, uint32_t sms, uint32_t cluster[3]);

/* Deals the clusters to SMs in turn, in X, Y, Z order; the CTAs of the last one go one by one to the SMs that have no
 * cluster in the last turn. order: the CTAs, cluster after cluster; sm: of each, 0 to sms - 1. Both have room for all
 * CTAs. Returns how many. */
uint32_t ldesc_deal(const struct ldesc_ctas *c, const uint32_t cluster[3], uint32_t sms, uint32_t *order, uint32_t *sm);

#endif
