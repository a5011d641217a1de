/**
 * The variants of a TDES DUKPT transaction key (ANSI X9.24-1:2009, Annex A.4.1): each half of the
 * key XORed with a mask. `data` is the request (terminal to host) direction.
 */
export const VARIANT_MASKS = {
  none: '0000000000000000',
  pin: '00000000000000FF',
  mac: '000000000000FF00',
  'mac-response': '00000000FF000000',
  data: '0000000000FF0000',
  'data-response': '000000FF00000000',
} as const;

export type Variant = keyof typeof VARIANT_MASKS;
