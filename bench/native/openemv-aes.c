#include "driver.h"

#include <dukpt_aes.h>

/* The public test BDK of ANSI X9.24-3. */
static const uint8_t BDK[] = {
	0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1, 0xf1,
};

int decrypt_swipe(const struct swipe *swipe, uint8_t *plain)
{
	static const uint8_t iv[16];
	uint8_t ik[16], key[16];
	if (dukpt_aes_derive_ik(BDK, sizeof(BDK), swipe->ksn, ik) != 0) return 1;
	if (dukpt_aes_derive_txn_key(ik, sizeof(ik), swipe->ksn, key) != 0) return 1;
	for (int i = 0; i < 2; plain += swipe->lengths[i++])
		if (dukpt_aes_decrypt_request(key, sizeof(key), swipe->ksn, DUKPT_AES_KEY_TYPE_AES128, iv,
				swipe->tracks[i], swipe->lengths[i], plain) != 0)
			return 1;
	return 0;
}
