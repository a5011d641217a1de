import {readFileSync} from 'node:fs';
import {DEVICE_TYPES} from '../../src/contract/device-types.js';
import {hmacHeader, type Signing} from '../service/node-signature.js';
import type {Asked, Deviation, Passing} from './broken-server.js';

type Body = Record<string, unknown>;
type When = (asked: Asked, answer: Body) => boolean;

const PARTNER = '/api/v1/partner/validate';
const DEVICE = '/api/v1/device/validate';
const PARSER = '/api/v1/decrypt/parser';
const TRACKS = ['track1', 'track2', 'track3', 'track2equivalent', 'keyed'];
/** A read that any request of process-payload can be answered with. */
const CARD: Body = JSON.parse(readFileSync('test/samples/idtech.json', 'utf8')).find(
  ({expect}: {expect: {response?: Body}}) => expect.response,
).expect.response;

let count = 0;
const messageId = () => `9${String(++count).padStart(24, '0')}`;
const seconds = () => Math.floor(Date.now() / 1000);
const bodyOf = ({text}: Passing): Body => JSON.parse(text || '{}');

/** Changes the members of the answers that are meant. */
function edits(
  when: When,
  change: (body: Body, passing: Passing, asked: Asked) => void,
): Deviation {
  return (asked, passing) => {
    const body = bodyOf(passing);
    if (!when(asked, body)) return;
    change(body, passing, asked);
    passing.text = JSON.stringify(body);
  };
}

/** Accepts what should be rejected. */
function accepts(when: When): Deviation {
  return (asked, passing) => {
    if (!when(asked, bodyOf(passing))) return;
    const {reference} = asked.body;
    const card = asked.path === PARSER ? CARD : {};
    const echo = typeof reference === 'string' ? {reference} : {};
    passing.status = 200;
    passing.text = JSON.stringify({success: true, messageId: messageId(), ...echo, ...card});
  };
}

/** Rejects what should be accepted. */
function rejects(when: When): Deviation {
  return (asked, passing) => {
    const {success, reference, messageId: id} = bodyOf(passing);
    if (success !== true || !when(asked, bodyOf(passing))) return;
    const error = {success: false, errCode: 1, errMessage: 'Internal server error'};
    passing.status = 500;
    passing.text = JSON.stringify({...error, messageId: id, reference});
  };
}

const answers = (status: number, when: When): Deviation => {
  return (asked, passing) => {
    if (when(asked, bodyOf(passing))) passing.status = status;
  };
};
const all: When = () => true;
const successes: When = (_, {success}) => success === true;
const failures: When = (_, {success}) => success === false;
const reads: When = (_, {meta}) => meta !== undefined;
const refusals: When = (_, {errCode}) => errCode === 1003;
const of = (part: unknown) => (part ?? {}) as Body;
const is = (path: string, when: (body: Body, asked: Asked) => boolean): When => {
  return (asked) => asked.path === path && asked.authorization === '' && when(asked.body, asked);
};
const has =
  (text: string): When =>
  (asked) =>
    asked.text.includes(text);
const header =
  (form: RegExp): When =>
  ({authorization}) =>
    form.test(authorization);
const both =
  (...whens: When[]): When =>
  (asked, answer) =>
    whens.every((when) => when(asked, answer));
/** Seconds by which the timestamp of a signature is ahead. */
const aheadBy =
  (scheme: string, fits: (ahead: number) => boolean): When =>
  ({authorization}) => {
    const [, timestamp] = /timestamp="?(\d+)/.exec(authorization) ?? [];
    return (
      authorization.startsWith(scheme) &&
      timestamp !== undefined &&
      fits(Number(timestamp) - seconds())
    );
  };
/** Whether a signature is right for other terms than those of the request. */
const signedAs =
  (terms: (asked: Asked & {timestamp: number}) => Signing, from = 0): When =>
  (asked) => {
    const {authorization, path, text} = asked;
    const [, nonce = ''] = /nonce="([^"]*)"/.exec(authorization) ?? [];
    const timestamp = Number(/timestamp=(\d+)/.exec(authorization)?.[1]);
    const signing = {target: path, body: text, nonce, timestamp, ...terms({...asked, timestamp})};
    const response = (text: string) => /^Hmac.*response="([^"]*)"/.exec(text)?.[1]?.slice(from);
    return response(authorization) === response(hmacHeader(signing));
  };
/** Another code with the same status. */
const code = (errCode: number): Deviation =>
  edits(
    (_, answer) => answer.errCode === errCode,
    (body) => Object.assign(body, {errCode: 2101}),
  );
const wrongKey = (path: string) =>
  accepts(is(path, ({partnerKey}) => /.x$/.test(String(partnerKey))));
const tracks = (change: (track: Body) => object): Deviation =>
  edits(reads, (body) => {
    for (const name of TRACKS)
      if (body[name]) Object.assign(of(body[name]), change(of(body[name])));
  });

/** Servers that break one rule each, by the id of its scenario; several ways of one are numbered. */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  'partner-valid': rejects(
    is(PARTNER, (body) => Object.keys(body).join() === 'partnerId,partnerKey'),
  ),
  'partner-wrong-key': wrongKey(PARTNER),
  'partner-unknown': accepts(is(PARTNER, ({partnerId}) => partnerId === 'nobody-of-this-name')),
  'partner-id-missing': accepts(is(PARTNER, (body) => !body.partnerId && !!body.partnerKey)),
  'partner-key-missing': accepts(is(PARTNER, (body) => !body.partnerKey && !!body.partnerId)),
  'reference-echoed': edits(both(successes, has('echo me')), (body) => delete body.reference),
  'reference-echoed-on-failure': edits(
    both(failures, has('echo me')),
    (body) => delete body.reference,
  ),
  'reference-50': rejects(({body}) => String(body.reference).length === 50),
  'reference-51': accepts(({body}) => String(body.reference).length === 51),
  'reference-type': accepts(({body}) => typeof body.reference === 'number'),
  'post-only': accepts(({verb}) => verb === 'PUT'),
  'body-not-json': accepts(has('partnerId=x&')),
  'device-valid': rejects(is(DEVICE, ({serial, firmware}) => serial === 'DEMO0001' && !!firmware)),
  'device-client': rejects(is(DEVICE, ({clientId}) => clientId !== undefined)),
  'device-serial-missing': accepts(is(DEVICE, ({serial}) => !serial)),
  'device-firmware-missing': accepts(
    is(DEVICE, (body) => body.serial === 'DEMO0001' && !body.firmware),
  ),
  'device-unknown': accepts(
    is(DEVICE, (body) => body.serial === 'NO-SUCH-DEVICE-0' && !!body.firmware),
  ),
  'device-unauthenticated': wrongKey(DEVICE),
  'payload-unauthenticated': wrongKey(PARSER),
  ...Object.fromEntries(
    DEVICE_TYPES.filter((type) => type !== 'ingenico-ra1').map((type) => [
      `read-${type}`,
      rejects(is(PARSER, ({deviceType, reference}) => deviceType === type && !reference)),
    ]),
  ),
  'payload-type-missing': accepts(is(PARSER, ({deviceType}) => !deviceType)),
  'payload-type-unknown': accepts(has('toaster')),
  'payload-missing': accepts(is(PARSER, ({devicePayload}) => devicePayload === undefined)),
  'payload-wrong-type': accepts(is(PARSER, ({devicePayload}) => devicePayload === 2)),
  'payload-not-decryptable': accepts(has('no payload at all')),
  'payload-reference': edits(has('order 7'), (body) => delete body.reference),

  'hmac-valid': rejects(both(header(/^hmac/i), ({path}) => path.endsWith('/partner/validate'))),
  'hmac-upper-case': rejects(header(/response="[\dA-F]*[A-F]/)),
  'hmac-recent': rejects(aheadBy('Hmac', (ahead) => ahead < -800)),
  'hmac-white-space': rejects(({text}) => text.startsWith(' \n')),
  'hmac-white-space-unsigned': accepts(({text}) => /^\{.*\n$/.test(text)),
  'hmac-target-changed': accepts(signedAs(() => ({target: '/api/v1/elsewhere'}))),
  'hmac-nonce-changed': accepts(header(/nonce="x/)),
  'hmac-timestamp-changed': accepts(signedAs(({timestamp}) => ({timestamp: timestamp + 1}))),
  'hmac-body-changed': accepts(
    both(
      refusals,
      signedAs(({text}) => ({body: text.replace('signed', 'other')})),
    ),
  ),
  'hmac-wrong-key': accepts(signedAs(() => ({key: 'not the key of this partner'}))),
  'hmac-response-changed': accepts(
    both(
      signedAs(() => ({}), 1),
      (...seen) => !signedAs(() => ({}))(...seen),
    ),
  ),
  'hmac-stale': accepts(aheadBy('Hmac', (ahead) => ahead < -920)),
  'hmac-unknown-user': accepts(header(/^Hmac username="nobody/)),
  'hmac-property-missing': accepts(
    both(header(/^Hmac/), ({authorization}) => !authorization.includes('nonce=')),
  ),
  'hmac-replay': accepts(({authorization, before}) => {
    const [nonce = '-'] = /^Hmac .*nonce="([^"]*)"/.exec(authorization)?.slice(1) ?? [];
    return before.some((one) => one.includes(`nonce="${nonce}", timestamp`));
  }),
  'hmac-not-enabled': accepts(header(/^Hmac username="DEMO-UNSIGNED/)),
  'hmac-validate-device': rejects(both(header(/^Hmac/), ({path}) => path === DEVICE)),
  'hmac-process-payload': rejects(both(header(/^Hmac/), ({path}) => path === PARSER)),

  'response-json': (_, {headers}) => {
    headers['content-type'] = 'text/html';
  },
  'response-json 2': (asked, passing) => {
    if (failures(asked, bodyOf(passing))) passing.text = '<html>';
  },
  'response-json 3': (asked, passing) => {
    if (failures(asked, bodyOf(passing))) passing.text = `\ufeff${passing.text}`;
  },
  'response-json 4': (_, passing) => {
    passing.text = `${passing.text}<!-- 12 ms -->`;
  },
  'response-json 5': (_, passing) => {
    passing.text = `[${passing.text}]`;
  },
  'response-success': edits(all, (body) => Object.assign(body, {success: String(body.success)})),
  'response-success 2': edits(all, (body) => delete body.success),
  'message-id': edits(successes, (body) =>
    Object.assign(body, {messageId: String(body.messageId).slice(1)}),
  ),
  'message-id 2': edits(successes, (body) => delete body.messageId),
  'message-id-unique': edits(all, (body) => Object.assign(body, {messageId: '1'.repeat(25)})),
  'error-object': edits(failures, (body) => delete body.errMessage),
  'error-object 2': edits(failures, (body) => Object.assign(body, {errCode: String(body.errCode)})),
  'authentication-required': edits(refusals, (body) => Object.assign(body, {errMessage: 'no'})),
  'card-meta': edits(reads, ({meta}) => Object.assign(of(meta), {mode: 'contactless'})),
  'card-meta 2': edits(reads, ({meta}) => delete of(meta).serial),
  'card-tracks': tracks(({length}) => ({length: Number(length) + 1})),
  'card-tracks 2': tracks(() => ({encoding: 'utf8'})),
  'card-tracks 3': tracks(() => ({masked: undefined})),
  'card-masked': tracks(({ascii}) => ({masked: ascii})),
  'card-tlv': edits(reads, (body) => Object.assign(body, {tlv: {decrypted: '00', tags: []}})),
  'card-extracted': edits(reads, ({extracted}) => {
    const {EXPY} = of(extracted);
    Object.assign(of(extracted), {EXPY: String(EXPY).slice(2) + String(EXPY).slice(0, 2)});
  }),
  'card-extracted 2': edits(reads, ({extracted}) =>
    Object.assign(of(extracted), {PAN: 4761739001010010}),
  ),
  'card-extracted 3': edits(reads, ({extracted}) => delete of(extracted).EXPY),
  'card-extracted 4': edits(reads, ({extracted}) => {
    const {Surname, FirstName} = of(extracted);
    Object.assign(of(extracted), {Surname: FirstName, FirstName: Surname});
  }),

  'status-404': answers(400, ({path}) => path.endsWith('nowhere')),
  'status-405': ({verb}, {headers}) => void (verb === 'GET' && delete headers.allow),
  'status-413': answers(400, ({text}) => text.length > 65_536),
  'status-415': answers(400, ({headers}) => headers['content-type'] === 'text/plain'),
  'status-415-encoding': answers(400, ({headers}) => headers['content-encoding'] !== undefined),
  'empty-body': answers(
    400,
    ({text, verb, authorization}) => text === '' && verb === 'POST' && !authorization,
  ),
  'body-array': accepts(({text}) => text === '[]'),
  'body-duplicate': accepts(has('"partnerId":"b"')),
  'body-proto': accepts(has('__proto__')),
  'body-deep': accepts(has('[[[')),
  'body-unknown-member': rejects(has('somethingElse')),
  ...Object.fromEntries(
    [1101, 1102, 2003, 2005, 2000, 2001, 2002, 2100, 2102, 1201, 1202, 1203, 1204, 1205].map(
      (errCode) => [`code-${errCode}`, code(errCode)],
    ),
  ),
  'code-1003': answers(403, ({text}, {errCode}) => errCode === 1003 && text !== ''),
  'auth-basic': rejects(header(/^Basic/)),
  'auth-digest': rejects(header(/^Digest.*nc=/)),
  'auth-digest 2': (_, {headers}) => {
    const offered = [headers['www-authenticate'] ?? []].flat();
    if (offered.length > 0)
      headers['www-authenticate'] = offered.filter((one) => !/^Digest/.test(one));
  },
  'auth-rsa': rejects(header(/^Rsa/)),
  'auth-digest-preemptive': rejects(header(/^Digest(?!.*nc=)/)),
  'auth-basic-wrong': accepts(both(header(/^Basic/), refusals)),
  'auth-digest-wrong': accepts(both(header(/^Digest/), refusals)),
  'auth-rsa-tampered': accepts(
    both(
      refusals,
      aheadBy('Rsa', (ahead) => ahead > -60),
    ),
  ),
  'auth-rsa-stale': accepts(aheadBy('Rsa', (ahead) => ahead < -60)),
  'auth-hmac-ahead': rejects(aheadBy('Hmac', (ahead) => ahead > 60)),
  'auth-scheme-case': rejects(header(/^HMAC/)),
  'auth-quoted-timestamp': rejects(header(/timestamp="/)),
  'auth-white-space': rejects(header(/ ,\t/)),
  'auth-hmac-far-ahead': accepts(aheadBy('Hmac', (ahead) => ahead > 920)),
  'auth-unknown-property': accepts(header(/extra=/)),
  'auth-repeated-property': accepts(header(/nonce="1"/)),
  'auth-unquoted': accepts(header(/username=D/)),
  'auth-unknown-scheme': accepts(header(/^Bearer/)),
  'unversioned-validate-partner': rejects(({path}) => path === '/api/partner/validate'),
  'unversioned-validate-device': rejects(({path}) => path === '/api/device/validate'),
  'unversioned-process-payload': rejects(({path}) => path === '/api/decrypt/parser'),
  'status-200': answers(201, successes),
  'status-of-code': (_, passing) => {
    if (passing.status === 400) passing.status = 422;
  },
  challenges: ({text}, {headers}) => void (text !== '' && delete headers['www-authenticate']),
  'challenges 2': (_, {headers}) => {
    const offered = [headers['www-authenticate'] ?? []].flat();
    if (offered.length > 0) headers['www-authenticate'] = [...offered].reverse();
  },
  'message-id-of-failure': edits(failures, (body) => delete body.messageId),
  'card-hex': tracks(({decrypted, encoding}) =>
    encoding === 'hex' ? {decrypted: String(decrypted).toUpperCase()} : {},
  ),
  'card-device': edits(reads, ({meta}) => Object.assign(of(meta), {device: 'Maker'})),
  'card-mask': tracks(({masked, ascii}) => ({
    masked: String(masked).replace(
      /(?<=^\D*\d{6})\*/,
      () => String(ascii).match(/\d{7}/)?.[0]?.[6] ?? '*',
    ),
  })),
  'members-known': edits(all, (body) => Object.assign(body, {time: 1})),
  'members-known 2': edits(reads, ({extracted}) => Object.assign(of(extracted), {Brand: 'VISA'})),
  'members-known 3': edits(
    both(successes, ({text}) => !text.includes('reference')),
    (body) => Object.assign(body, {reference: ''}),
  ),
};

/** What joins all challenges in one header, as many servers do: no deviation at all. */
export const joinsChallenges: Deviation = (_, {headers}) => {
  const offered = [headers['www-authenticate'] ?? []].flat();
  if (offered.length > 0) headers['www-authenticate'] = offered.join(', ');
};
