#include "driver.h"

#include <dukpt.h>

/* The public test BDK of ANSI X9.24-1. */
static const dukpt_key_t BDK = {
	0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
};

int decrypt_swipe(const struct swipe *swipe, uint8_t *plain)
{
	const dukpt_ksn_t *ksn = (const dukpt_ksn_t *)swipe->ksn;
	dukpt_key_t ik, key;
	dukpt_compute_ipek(&BDK, ksn, &ik);
	dukpt_compute_key((const dukpt_key_t *)&ik, ksn, DUKPT_KEY_TYPE_DATA_REQUEST, &key);
	for (int i = 0; i < 2; plain += swipe->lengths[i++])
		dukpt_decrypt((const dukpt_key_t *)&key, swipe->tracks[i], swipe->lengths[i], plain, swipe->lengths[i]);
	return 0;
}
