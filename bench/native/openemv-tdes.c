#include "driver.h"

#include <dukpt_tdes.h>

/* The public test BDK of ANSI X9.24-1. */
static const uint8_t BDK[] = {
	0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
};

int decrypt_swipe(const struct swipe *swipe, uint8_t *plain)
{
	static const uint8_t iv[8];
	uint8_t ik[16], key[16];
	if (dukpt_tdes_derive_ik(BDK, swipe->ksn, ik) != 0) return 1;
	if (dukpt_tdes_derive_txn_key(ik, swipe->ksn, key) != 0) return 1;
	for (int i = 0; i < 2; plain += swipe->lengths[i++])
		if (dukpt_tdes_decrypt_request(key, iv, swipe->tracks[i], swipe->lengths[i], plain) != 0) return 1;
	return 0;
}
