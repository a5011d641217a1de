import {isDeepStrictEqual} from 'node:util';
import {
  checkProcessPayload,
  checkValidateDevice,
  checkValidatePartner,
} from '../../../src/contract/check-request.js';
import {
  processPayloadRequest,
  validateDeviceRequest,
  validatePartnerRequest,
} from '../../../src/contract/interface-schema.js';
import {type JsonObject, parseJsonObject} from '../../../src/contract/parse-json.js';
import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import {demand, type FuzzTarget, shapeOf} from '../fuzz-target.js';
import {demandSilence, kindOf, patternOf, textOf} from './errors.js';
import {faultOfJson} from './independent-json.js';

const PAN = '4012888888881881';
const SECRETS = patternOf([PAN]);
const SEEDS = [
  {deviceType: 'idtech', devicePayload: '02', reference: 'r-1', ksn: '', iv: '00', clientId: 'c'},
  {partnerId: 'A', partnerKey: 'b', serial: '123', firmware: '1.0', clientId: 'x'},
  {partnerId: 'é', reference: '😀'.repeat(50), nested: {a: [1, -2.5e3, true, null, {b: '\\"'}]}},
  {deviceType: 'generic', devicePayload: PAN, deviceSerial: '\u0000\ud800', unknown: [[[[[]]]]]},
];
const TEXTS = ['', ' ', 'null', '[]', '"a"', '\ufeff{}', '{"a":1,"a":2}', '{"\\u005f_proto__":1}'];

/** The processing of a request body: strict JSON, then the members of each operation. */
export const jsonBodyTarget: FuzzTarget = {
  name: 'json-body',
  tokens: [
    '"a":1',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\\u005f',
    '\\ud83d',
    '"__proto__":',
    '\u00e9',
    '\ud800',
  ],
  seeds: () => [...SEEDS.map((body) => JSON.stringify(body)), ...TEXTS].map((text) => [text]),
  run: ([text = '']) => {
    // Bytes that are not UTF-8 must be generated as well.
    const bytes = /^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : Buffer.from(text);
    const body = resultOrError(() => parseJsonObject(bytes));
    demandJudged(body, bytes);
    if (body instanceof PaylensError) return {features: [kindOf(body)], answer: textOf(body)};
    const answers = OPERATIONS.map(({check, schema}) => {
      const answer = resultOrError(() => check(body));
      demandSchema(answer, schema.safeParse(body).success);
      return answer;
    });
    const shown = answers.map((each) =>
      each instanceof PaylensError ? textOf(each) : JSON.stringify(each),
    );
    return {features: [shapeOf(shown.join('; '))], answer: shown.join('\n')};
  },
};

const OPERATIONS = [
  {check: checkProcessPayload, schema: processPayloadRequest},
  {check: checkValidateDevice, schema: validateDeviceRequest},
  {check: checkValidatePartner, schema: validatePartnerRequest},
] as const;

/** A body must be accepted exactly if JSON.parse and a second parser both accept it. */
function demandJudged(body: JsonObject | PaylensError, bytes: Uint8Array): void {
  const fault = faultOfJson(bytes);
  if (body instanceof PaylensError) {
    demand(fault !== undefined, `refused without reason: ${body.message}`);
    demandSilence(body, SECRETS);
    return;
  }
  demand(fault === undefined, `accepted, although: ${fault}`);
  const plain: unknown = JSON.parse(new TextDecoder().decode(bytes));
  demand(isDeepStrictEqual(body, plain), 'the value is that of JSON.parse');
}

/** The schema does not cover lone surrogates in a reference, which are rejected. */
function demandSchema(answer: unknown, fits: boolean): void {
  const accepted = !(answer instanceof PaylensError);
  const isSurrogate =
    answer instanceof PaylensError && answer.message.includes('unpaired surrogate');
  demand(accepted === fits || isSurrogate, `the schema ${fits ? 'accepts' : 'refuses'} it`);
}
