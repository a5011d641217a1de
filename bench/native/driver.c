/*
 * Decrypts the swipes of a file with the library that it is linked with.
 *
 *   PROGRAM FILE             writes all plaintexts to stdout
 *   PROGRAM FILE FROM TO MS  decrypts those with index FROM up to but excluding TO again and again for
 *                            at least MS milliseconds, and prints how many, and the time in ms; both
 *                            are CPU time of this process
 *
 * The file: four numbers of 4 bytes, little-endian (swipes, bytes of a KSN, of track 1, of track 2),
 * then of each swipe the KSN and both ciphertexts.
 */
#define _POSIX_C_SOURCE 200809L

#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HEADER = 16, MOST_PLAIN = 4096 };

static uint8_t *content;
static size_t count, ksn_bytes, lengths[2];

static void fail(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(1);
}

static size_t number_at(size_t at)
{
	return content[at] | content[at + 1] << 8 | content[at + 2] << 16 | (size_t)content[at + 3] << 24;
}

static void load(const char *name)
{
	FILE *file = fopen(name, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0) fail("cannot open the swipes");
	long size = ftell(file);
	rewind(file);
	content = size < HEADER ? NULL : malloc((size_t)size);
	if (!content || fread(content, 1, (size_t)size, file) != (size_t)size) fail("cannot read the swipes");
	fclose(file);
	count = number_at(0);
	ksn_bytes = number_at(4);
	lengths[0] = number_at(8);
	lengths[1] = number_at(12);
	if (lengths[0] + lengths[1] > MOST_PLAIN) fail("too long");
	if ((size_t)size != HEADER + count * (ksn_bytes + lengths[0] + lengths[1])) fail("wrong size");
}

static void decrypt(size_t index, uint8_t *plain)
{
	const uint8_t *at = content + HEADER + index * (ksn_bytes + lengths[0] + lengths[1]);
	struct swipe swipe = {
		.ksn = at,
		.tracks = {at + ksn_bytes, at + ksn_bytes + lengths[0]},
		.lengths = {lengths[0], lengths[1]},
	};
	if (decrypt_swipe(&swipe, plain) != 0) fail("the library failed");
}

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	uint8_t plain[MOST_PLAIN];
	if (argc != 2 && argc != 5) fail("expected FILE, or FILE FROM TO MS");
	load(argv[1]);
	if (argc == 2) {
		for (size_t i = 0; i < count; i++) {
			decrypt(i, plain);
			fwrite(plain, 1, lengths[0] + lengths[1], stdout);
		}
		return 0;
	}
	size_t from = strtoul(argv[2], NULL, 10), to = strtoul(argv[3], NULL, 10), done = 0;
	if (from >= to || to > count) fail("no such swipes");
	double least = strtod(argv[4], NULL), begin = now(), ms = 0;
	for (; ms < least; ms = now() - begin) {
		for (size_t i = from; i < to; i++) decrypt(i, plain);
		done += to - from;
	}
	printf("%zu %.6f\n", done, ms);
	return 0;
}
