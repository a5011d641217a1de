#ifndef PAYLENS_BENCH_DRIVER_H
#define PAYLENS_BENCH_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* One encrypted swipe. */
struct swipe {
	const uint8_t *ksn;
	const uint8_t *tracks[2];
	size_t lengths[2];
};

/*
 * From the BDK and the KSN to the plaintexts of both tracks, one behind the other. Nothing is kept
 * between two calls. Returns 0, or anything else on failure.
 */
int decrypt_swipe(const struct swipe *swipe, uint8_t *plain);

#endif
