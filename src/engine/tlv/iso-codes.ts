/** ISO/IEC 7813: interchange and technology, authorisation, services and PIN. */
export const SERVICE_CODE = [
  {
    name: 'interchange',
    at: 0,
    mask: 0x0f,
    codes: `01 international interchange
      02 international interchange, use the chip where feasible
      05 national interchange only, except under bilateral agreement
      06 national interchange only, except under bilateral agreement, use the chip where feasible
      07 no interchange, except under bilateral agreement
      09 test card`,
  },
  {
    name: 'authorisation',
    at: 1,
    mask: 0xf0,
    codes: `00 normal authorisation
      20 authorisation by the issuer, online
      40 authorisation by the issuer, online, except under bilateral agreement`,
  },
  {
    name: 'services',
    at: 1,
    mask: 0x0f,
    codes: `00 no restrictions, PIN required
      01 no restrictions
      02 goods and services only
      03 ATM only, PIN required
      04 cash only
      05 goods and services only, PIN required
      06 no restrictions, PIN where feasible
      07 goods and services only, PIN where feasible`,
  },
];

/** ISO 8583:1987, processing code, digits 1 and 2 (4.3.8). */
export const TRANSACTION_TYPES = `00 goods and services; 01 cash; 02 adjustment, debit
  09 goods and services with cashback; 20 refund; 21 deposit; 22 adjustment, credit
  30 available funds inquiry; 31 balance inquiry; 40 transfer between accounts`;

/** ISO 8583:1987, digits 1 and 2 of the entry mode (4.3.14); from 07 on as the schemes use it. */
export const ENTRY_MODES = `00 unspecified; 01 manual; 02 magnetic stripe; 03 bar code; 04 OCR
  05 chip; 07 contactless chip; 10 credentials on file; 80 magnetic stripe after the chip failed
  90 magnetic stripe, all of the track; 91 contactless, magstripe mode; 95 chip, CVV unreliable`;

/** EMV Book 4, Annex A6, those of the terminal; the others ISO 8583:1987, response code. */
export const RESPONSE_CODES = `Y1 approved offline; Z1 declined offline
  Y3 unable to go online, approved offline; Z3 unable to go online, declined offline
  00 approved; 01 refer to the issuer; 02 refer to the issuer, special conditions
  03 invalid merchant; 04 capture the card; 05 do not honour; 06 error
  07 capture the card, special conditions; 08 approved with identification
  10 approved for a part of the amount; 12 invalid transaction; 13 invalid amount
  14 invalid card number; 15 no such issuer; 30 format error; 41 lost card; 43 stolen card
  51 insufficient funds; 54 expired card; 55 incorrect PIN
  57 transaction not permitted to the cardholder; 58 transaction not permitted to the terminal
  61 exceeds the withdrawal limit; 62 restricted card; 65 exceeds the withdrawal frequency
  75 PIN tries exceeded; 91 issuer or switch inoperative; 96 system malfunction`;

/** Registered application providers (ISO/IEC 7816-5): the first five bytes of an AID. */
export const SCHEMES = `A000000003 Visa; A000000004 Mastercard; A000000025 American Express
  A000000029 LINK; A000000042 Cartes Bancaires; A000000065 JCB
  A000000098 Visa, US common debit; A000000121 Dankort; A000000141 PagoBANCOMAT
  A000000152 Discover; A000000228 mada; A000000277 Interac; A000000333 UnionPay
  A000000359 girocard; A000000384 eftpos; A000000524 RuPay; A000000658 Mir`;

/** ISO 4217, numeric codes of four digits: those of test cards and samples, and the most traded. */
export const CURRENCIES = `0032 ARS Argentine peso; 0036 AUD Australian dollar
  0124 CAD Canadian dollar; 0152 CLP Chilean peso; 0156 CNY yuan; 0170 COP Colombian peso
  0203 CZK Czech koruna; 0208 DKK Danish krone; 0344 HKD Hong Kong dollar; 0348 HUF forint
  0352 ISK Icelandic krona; 0356 INR Indian rupee; 0360 IDR rupiah; 0376 ILS new shekel
  0392 JPY yen; 0410 KRW won; 0414 KWD Kuwaiti dinar; 0458 MYR ringgit; 0484 MXN Mexican peso
  0554 NZD New Zealand dollar; 0578 NOK Norwegian krone; 0604 PEN sol; 0608 PHP Philippine peso
  0643 RUB Russian rouble; 0682 SAR Saudi riyal; 0702 SGD Singapore dollar; 0710 ZAR rand
  0752 SEK Swedish krona; 0756 CHF Swiss franc; 0764 THB baht; 0784 AED UAE dirham
  0826 GBP pound sterling; 0840 USD US dollar; 0901 TWD New Taiwan dollar
  0946 RON Romanian leu; 0949 TRY Turkish lira; 0978 EUR euro; 0980 UAH hryvnia
  0985 PLN zloty; 0986 BRL Brazilian real`;

/** ISO 3166-1, numeric codes of four digits, of the same choice. */
export const COUNTRIES = `0036 Australia; 0040 Austria; 0056 Belgium; 0076 Brazil; 0124 Canada
  0156 China; 0158 Taiwan; 0203 Czechia; 0208 Denmark; 0246 Finland; 0250 France; 0276 Germany
  0300 Greece; 0344 Hong Kong; 0348 Hungary; 0356 India; 0372 Ireland; 0376 Israel; 0380 Italy
  0392 Japan; 0410 South Korea; 0458 Malaysia; 0484 Mexico; 0528 Netherlands; 0554 New Zealand
  0578 Norway; 0616 Poland; 0620 Portugal; 0643 Russia; 0682 Saudi Arabia; 0702 Singapore
  0710 South Africa; 0724 Spain; 0752 Sweden; 0756 Switzerland; 0764 Thailand; 0784 UAE
  0792 Turkey; 0826 United Kingdom; 0840 United States`;
