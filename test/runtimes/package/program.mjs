// A program as users write it: the same file runs on every runtime and in a page. It prints, or
// posts, one line of JSON.
import {
  decrypt,
  deriveKeys,
  diagnose,
  explain,
  inspect,
  PaylensError,
  parseKsn,
  recognise,
  signRequest,
  simulate,
  unwrapKeyBlock,
  verifyRequest,
  wrapKeyBlock,
} from 'paylens';

// The test BDK of ANSI X9.24-1.
const keys = {bdk: '0123456789ABCDEFFEDCBA9876543210'};
const kbpk = '88E1AB2A2E3DD38C1FA039A536500CC8A87AB9D62DC92C01058FA79F44657DE6';
const header = {
  ...{version: 'D', usage: 'B1', algorithm: 'T', mode: 'X', keyVersion: '00'},
  ...{exportability: 'E', optional: []},
};
const partner = {partnerId: 'acme', sharedKey: 'a shared key'};
const request = {url: '/api/v1/process-payload', body: '{"reference": "order 1"}'};

async function answersOf() {
  const {devicePayload, deviceType} = await simulate({deviceType: 'idtech', keys});
  const card = decrypt(devicePayload, {keys, explain: true});
  const {parts} = inspect(devicePayload);
  const {solved} = await diagnose({payload: devicePayload}, {budgetMs: 20_000});
  const ksn = parseKsn('FFFF9876543210E00001');
  const [initial] = deriveKeys('FFFF9876543210E00000', {keys}).keys;
  const block = wrapKeyBlock({header, key: initial.key}, {kbpk});
  const signed = await signRequest(request, {...partner, method: 'hmac'});
  const received = {method: 'POST', url: request.url, ...signed};
  return {
    recognised: recognise(devicePayload),
    deviceType,
    pan: card.extracted.PAN,
    fields: card.explanation.fields.length > 0,
    partsCover: parts.at(-1).offset + parts.at(-1).length === devicePayload.length / 2,
    solved,
    scheme: ksn.scheme,
    initial: [initial.name, initial.kcv],
    unwrapped: hexOf(unwrapKeyBlock(block, {kbpk}).key) === hexOf(initial.key),
    accepted: (await verifyRequest(received, {partners: [partner]})).accepted,
    explained: (await explain(wrongType(devicePayload))).cause.includes('idtech, not miura'),
    wrongKey: codeOf(() => decrypt(devicePayload, {keys: {bdk: keys.bdk.replace('01', '23')}})),
  };
}

function hexOf(value) {
  return typeof value === 'string' ? value.toUpperCase() : Array.from(value).join();
}

function wrongType(devicePayload) {
  try {
    return decrypt(devicePayload, {deviceType: 'miura', keys});
  } catch (error) {
    return error;
  }
}

function codeOf(call) {
  try {
    return call();
  } catch (error) {
    return error instanceof PaylensError ? error.code : String(error);
  }
}

const line = JSON.stringify(await answersOf().catch((error) => ({failure: String(error.stack)})));
if ('document' in globalThis) await fetch('answers', {method: 'POST', body: line});
else console.log(line);
