/**
 * The S-boxes of DES as circuits, found by a search of the kind that Matthew Kwan describes ("Reducing
 * the Gate Count of Bitslice DES", 2000). Each gate makes a value of two before it: AND, OR, XOR, AND NOT
 * (`-`), or NOT (`~`, of one). Letters are the inputs of a box, first bit first, numbers say how many
 * gates ago; without the first one it is the last gate. The four outputs follow.
 */
const CIRCUIT_TEXTS = [
  `b^a^d&b c-1^4|4 a-1 6^b-c^3 e-1^7&11 5-1 d~ b-4-c^3|e^6-f^10|15&c^23 2-1 24-c^2 e-1^5 8^c|d|20^32
   e-1^4-f^8 5^8 4^39&c^3 16|36|e^3 18|c^34|45^33 e-1^4-f^8 13^16^b 17&e^2 42|48 d-6^3 e-1^4-f^7
   > 43 1 27 12`,
  `b~ e^b&a^3 2|b^a-f^4 6|e|3^9|f^4 c-1^7 12^14 5-1 d-1^4 3^14 2|f^2 3^12|11-c^4 3&9&20 d-1^4 8&f 4^a-f^3
   17-5|30&c^4&31^b 25^38-11|c^4-d^8 23-5^15 37-42^49|c^4 11|32 42-13-c^3&d^6 > 29 1 13 40`,
  `f^c-b b-2 f-1|d^4 e-4^2 6^d^c|e^7|a^6 11|b^7 15-2 e-1^3 9~|b^8-d^6 19-6^17&e^4|a^11 18^b|23 d-1^3
   30-26^f e-1^4 29-25 35-1 9-40|22-e^4 a-1^8 17|26^47 5^40|e^3 6|29^34 10|29^33-e^4-a^8 > 30 14 1 46`,
  `d~ e-c^2 e-1^c&b^4&4 d-4-b^3 a-1^6 e|d^c 7|13&b^3 17-b^11&a^4-f^11^3 f~-f^3 7^28|19 d^b&a^3 5^13^e
   3-19^6-a^4-f^8^3^f > 16 20 1 3`,
  `f^c^b^f-3|d^4 b-2|a^3 9|d-c 2^c-a^3 e-1^7 5-d^15 f-6 5-15|d^3-a^6^4 b-1 25-9 22~|d^3-a^6|e^10 29-32|32
   b-33 8-1 a-1^4 14^31^38 3^6&15&a^4-e^8-13^48 3&34 8^48 d-1^3-a^6|23^15 3-39^14&a^4 e-1^8 > 1 49 31 17`,
  `e&a^d&e|a^b b-1^5 e^a|4&c^4 7~ e-2 b-1^3 e-4^13&c^4&f^10 14^d 20|d^12|c^4 4^6-6 c-18^2 f-1^6&d^12 34^b
   c-1^3 3-24^18 2|14^36 c-1^4 f-1^8-40^7 5-26|c^3 27|46^39 34^d|22-c^4-f^8 > 27 1 38 14`,
  `d-e^c e-d|b^3^3-6 2|b^2|f^6^c 4-1 f-1^f|a^6 e-b^13 3~ 10|d b-1^3&f^6 12|d^25 3-10 6-1|f^4&a^8 9^22^27
   10-32^16|f^4 7-c^14 22|40^8-f^4-a^8 29|30^c 23^e-f^3^14 4|26&36 f-1^4-a^7 > 1 13 27 43`,
  `c^a b-d^2 a~ c-1-b^3&b d-1^3-e^9^9-b 5|13-d^3 2-15^b|e^4&f^11 9^10^23 13^b^a-e^4 15&21 30-24&e^3|f^6
   32-22^8 31|b&e^3 18-5^24 2|39^27|e^4 f-1^8 37~ 14|39^b 38-4^18 e-1^4-f^8 > 1 23 10 35`,
];

/** Gates of two values, or of one, and the values of the four outputs, first bit first. */
export const CIRCUITS = CIRCUIT_TEXTS.map((text) => {
  const [list = '', outputs = ''] = text.split('> ');
  const gates = [...list.matchAll(/([a-f]|\d{0,2})([&|^~-])([a-f]|\d{0,2})/g)].map(
    ([, a, operator = '', b], i) => ({a: numberOf(a, i), operator, b: numberOf(b, i)}),
  );
  return {gates, outputs: outputs.split(' ').map((output) => numberOf(output, gates.length))};
});

/** The number of a value by its name at a gate: those of the inputs are 0 to 5. */
function numberOf(name: string | undefined, gate: number): number {
  const input = 'abcdef'.indexOf(name || '1');
  return input < 0 ? gate + 6 - Number(name || 1) : input;
}
