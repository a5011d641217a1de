/**
 * The users of KSNs with a given prefix, and whether their key is public
 * (docs/terminals/common.md#ksn-families).
 */
const FAMILIES: readonly (readonly [prefix: RegExp, users: string, key: 'test' | 'private'])[] = [
  [/^FFFF987654/, 'the example of X9.24, and many demo units', 'test'],
  [/^[ABC]FFF987654/, 'ID TECH NEO2 and V3 readers (data, PIN and MAC slot)', 'test'],
  [/^FFFFFF0200/, 'ID TECH NEO2 readers', 'test'],
  [/^62994901(?:19|25)/, "ID TECH's manuals", 'test'],
  [/^6299490(?:000|0AB)/, 'ID TECH demo units', 'test'],
  [/^629949/, 'ID TECH readers with a customer-specific key', 'private'],
  [/^(?:CDCDCD|3141593932|FFFF314159|5B00072026)/, "gateways' readers", 'private'],
  [/^028[2-4]/, 'BBPOS WisePad (0282 track, 0283 EMV, 0284 PIN)', 'test'],
  [/^0000041513/, 'a BBPOS demo', 'test'],
  [/^88888[89AB]/, 'BBPOS WisePad 2 (message, MAC, id, track)', 'test'],
  [/^FFFF654321/, "WisePad 2 of a gateway's test set", 'test'],
  [/^(?:0000020000|FFFF0102)/, 'Miura test units', 'test'],
  [/^9A213302/, 'a Miura of a gateway', 'private'],
  [/^F876543210/, 'Verifone online PIN', 'test'],
  [/^95000300/, "MagTek readers of a gateway's test set", 'test'],
  [/^FFFF01040D/, 'an open-source test block', 'test'],
];

/**
 * States in one sentence which key a KSN needs. `isTried`: the test BDK was tried without success.
 */
export function whoseKey(ksn: string, isTried: boolean): string {
  const set = `key set ${ksn.slice(0, 10)}`;
  const family = FAMILIES.find(([prefix]) => prefix.test(ksn));
  if (!family) return `The KSN belongs to ${set}, which appears in no public document.`;
  const [, users, key] = family;
  const known =
    key === 'test'
      ? `public reads of it are encrypted under the test BDK${isTried ? ', this read is not' : ''}`
      : 'its key is private';
  return `The KSN belongs to ${set}: ${users}; ${known}.`;
}
