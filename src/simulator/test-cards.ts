import {frozen} from '../contract/frozen.js';
import type {CardDetails} from './compose-card.js';

/** A published test card without an account. */
export interface TestCard extends CardDetails {
  /** Name to select the card by. */
  readonly id: string;
  readonly brand: string;
  /** Who published the number. */
  readonly source: string;
}

const CYBERSOURCE = 'Cybersource, Testing Credit Card Services';
const PAYPAL = 'PayPal, Test Credit Card Account Numbers';
const STRIPE = 'docs.stripe.com/testing';
const BRAINTREE = 'Braintree, Testing';
const CHECKOUT = 'Checkout.com, Frames SDK test data';
const PAYMENT_JS = 'PawelDecowski/jquery-creditcardvalidator, tests';

/**
 * The built-in cards: every brand of the interface's terminals, PANs of 12 to 19 digits, names up to
 * the 26 characters of ISO/IEC 7813, and the cards of published reads. Where a publisher gives the
 * number alone, name, expiry, service code and discretionary data are ours.
 */
export const TEST_CARDS: readonly TestCard[] = frozen([
  card('visa', 'Visa', '4111111111111111', PAYPAL, 'TEST/VISA'),
  card('visa-chip', 'Visa', '4012888888881881', PAYPAL, 'CHIP/VISA', {serviceCode: '201'}),
  card('visa-13', 'Visa', '4222222222222', PAYPAL, 'SHORT/VISA'),
  card('visa-stripe', 'Visa', '4242424242424242', STRIPE, 'PUBLIC/JANE Q.DR'),
  card('mastercard', 'Mastercard', '5555555555554444', CYBERSOURCE, 'TEST/MASTERCARD'),
  card('mastercard-2-series', 'Mastercard', '2223003122003222', STRIPE, 'SERIES/TWO', {
    serviceCode: '201',
  }),
  card(
    'mastercard-long-name',
    'Mastercard',
    '5105105105105100',
    PAYPAL,
    'MONTGOMERY-SMYTHE/ALEXANDR',
  ),
  card('amex', 'American Express', '378282246310005', CYBERSOURCE, 'TEST/AMEX', {cvv: '1234'}),
  card('amex-corporate', 'American Express', '378734493671000', PAYPAL, 'CORPORATE/AMEX', {
    serviceCode: '201',
    cvv: '1234',
  }),
  card('discover', 'Discover', '6011111111111117', PAYPAL, 'TEST/DISCOVER'),
  card('diners', 'Diners Club', '36227206271667', STRIPE, 'TEST/DINERS'),
  card('diners-us', 'Diners Club', '3056930009020004', STRIPE, 'TEST/DINERS'),
  card('jcb', 'JCB', '3566002020360505', STRIPE, 'TEST/JCB'),
  card('unionpay', 'UnionPay', '6200000000000005', STRIPE, 'TEST/UNIONPAY', {serviceCode: '220'}),
  card('unionpay-19', 'UnionPay', '6205500000000000004', STRIPE, 'LONG/UNIONPAY', {
    serviceCode: '220',
  }),
  card('maestro-12', 'Maestro', '501800000009', PAYMENT_JS, 'SHORT/MAESTRO', {serviceCode: '220'}),
  card('maestro-14', 'Maestro', '50339619890917', CYBERSOURCE, 'TEST/MAESTRO', {
    serviceCode: '220',
  }),
  card('maestro', 'Maestro', '6304000000000000', BRAINTREE, 'TEST/MAESTRO', {serviceCode: '220'}),
  card('maestro-18', 'Maestro', '586824160825533338', CYBERSOURCE, 'TEST/MAESTRO', {
    serviceCode: '220',
  }),
  card('maestro-19', 'Maestro', '6799990100000000019', CHECKOUT, 'CARDHOLDER WITH A NAME/LON', {
    serviceCode: '220',
  }),
  card('no-name', 'Visa', '4000056655665556', STRIPE, '/'),
  {
    id: 'bush',
    brand: 'Visa',
    source: 'ID TECH SecureMag manual; github.com/sgbj/Dukpt.NET (fails Luhn)',
    pan: '4266841088889999',
    name: 'BUSH JR/GEORGE W.MR',
    expiry: '0809',
    serviceCode: '101',
    cvv: '123',
    track1: '%B4266841088889999^BUSH JR/GEORGE W.MR^0809101100001100000000046000000?',
    track2: ';4266841088889999=080910110000046?',
    track3:
      ';33333333337676760707077676763333333333767676070707767676333333333376767607070776767633333333337676760707?',
  },
  {
    id: 'uat-usa',
    brand: 'Visa',
    source: 'developers.bluefin.com/decryptx, ID TECH VP3350 read',
    pan: '4761731000000043',
    name: 'UAT USA/TEST CARD 02      ',
    expiry: '2412',
    serviceCode: '201',
    cvv: '123',
    track1: '%B4761731000000043^UAT USA/TEST CARD 02      ^2412201114380440000000000000000?',
    track2: ';4761731000000043=24122011303130600000?',
  },
  {
    id: 'visa-acquirer-05',
    brand: 'Visa',
    source: 'Visa acquirer test card, published in terminal vendors reads',
    pan: '4761739001010010',
    name: 'VISA ACQUIRER TEST CARD 05',
    expiry: '1512',
    serviceCode: '201',
    cvv: '201',
    track1: '%B4761739001010010^VISA ACQUIRER TEST CARD 05^15122011143800575000000?',
    track2: ';4761739001010010=15122011143857589?',
  },
  {
    id: 'amex-iso',
    brand: 'American Express',
    source: 'Verifone VIPA read, public source code',
    pan: '379605177111118',
    name: 'ISO/AMEXTEST    ',
    expiry: '2512',
    serviceCode: '101',
    cvv: '1234',
    track1: '%B379605177111118^ISO/AMEXTEST    ^2512101071080699?',
    track2: ';379605177111118=251210107108069900000?',
  },
  {
    id: 'amex-blanks',
    brand: 'American Express',
    source: 'American Express test card whose track 1 has spaces in the PAN',
    pan: '373953192351004',
    name: 'AMEX/BLANKS',
    expiry: '2812',
    serviceCode: '201',
    cvv: '1234',
    track1: '%B3739 531923 51004^AMEX/BLANKS^2812201121012345?',
    track2: ';373953192351004=2812201121012345?',
  },
]);

/** The test card of this id. */
export function findTestCard(id: string): TestCard | undefined {
  const lower = id.toLowerCase();
  return TEST_CARDS.find((known) => known.id === lower);
}

/** A card whose publisher gives the number alone. */
function card(
  id: string,
  brand: string,
  pan: string,
  source: string,
  name: string,
  more: Partial<TestCard> = {},
): TestCard {
  return {id, brand, pan, source, name, expiry: '2812', serviceCode: '101', cvv: '123', ...more};
}
