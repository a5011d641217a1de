import {describe, expect, it} from 'vitest';
import {isBinary} from '../../src/engine/decode-input.js';
import {testKeyRing} from '../../src/engine/dukpt/key-ring.js';
import {TERMINAL_TYPES} from '../../src/engine/families/registry.js';
import {processPayload} from '../../src/engine/process-payload.js';
import {TEST_CARDS} from '../../src/simulator/test-cards.js';
import {IS_LONG, tenthOf} from '../long.js';
import {simulate, writerOf} from '../writers.js';
import {type CaseJson, diagnoseJson} from './diagnosing.js';

/**
 * What every terminal sends, in every mode, under KSNs of no known family, inside what people paste: the
 * `decrypt` command that is suggested must give what the bare payload gives.
 */
const KSNS = ['FFFF1357AB21E0000013', '9F21C0DE5577AA3100000013'];
const keys = testKeyRing();
const card = TEST_CARDS.find(({id}) => id === 'mastercard') ?? TEST_CARDS[0];

/** Ends within no escape. */
const FULL_LINE = /.{68,70}(?<!=.?)/g;

const AROUND: Readonly<Record<string, (payload: string) => string>> = {
  'pairs of a log': (payload) => `event=swipe;ts=1714564800;device=4711;data=${payload};result=ok`,
  'a member of JSON called data': (payload) => JSON.stringify({ts: 1714564800123, data: payload}),
  'JSON in JSON': (payload) => JSON.stringify({body: JSON.stringify({data: payload, len: 5})}),
  'double quotes': (payload) => `"${payload}"`,
  'single quotes and a comma': (payload) => `'${payload}',`,
  'angle brackets': (payload) => `Received: <${payload}>`,
  'a call in logcat': (payload) => `05-01 12:00:00.123  4711  4712 D Reader: onData(${payload})`,
  // RFC 2045, 6.7; what is JSON or lines itself stays as it is.
  'a request in an email': (payload) => {
    const json = JSON.stringify({data: payload});
    const isPlain = !json.includes('\\');
    return isPlain ? json.replaceAll('=', '=3D').replaceAll(FULL_LINE, '$&=\r\n') : json;
  },
  'a query string': (payload) =>
    `POST /swipe?data=${encodeURIComponent(payload)}&ts=1714564800 HTTP/1.1`,
};

/**
 * Bare ciphertext of IFSF, which nothing tells from other hex of a log, and the string of an IPAD,
 * whose own separators go on into what stands behind it. No search proves the one block in tracks
 * of ABECS, unless it is text by chance (555555 is UUU).
 */
const WITHOUT_BOUNDS = [/^[\dA-F]+$/, /^0~IPAD/, /^B[\dA-F]{16}\^/];

const all = TERMINAL_TYPES.flatMap((deviceType) => {
  const {modes, options, tdesOnly = []} = writerOf(deviceType);
  const forms = options.find(({name}) => name === 'form')?.values ?? [];
  const settings = [{}, ...forms.map((form) => ({form}))];
  return modes.flatMap((mode, i) =>
    settings.flatMap((setting, j) => {
      const ksn = KSNS[tdesOnly.includes(mode) ? 0 : (i + j) % 2] ?? '';
      const made = madeOf({deviceType, mode, ksn, options: setting});
      if (!made || isBinary(made.devicePayload)) return [];
      const [bareHex, ...others] = WITHOUT_BOUNDS.map((form) => form.test(made.devicePayload));
      return (deviceType === 'ifsf' && bareHex) || others.includes(true) ? [] : [made];
    }),
  );
});

const payloads = tenthOf(all, ({deviceType}, index) => `in a log: ${deviceType} ${index}`);

type Setting = Pick<Parameters<typeof simulate>[0], 'deviceType' | 'mode' | 'ksn' | 'options'>;

function madeOf(setting: Setting) {
  try {
    return card && simulate({...setting, card, keys});
  } catch {
    return undefined;
  }
}

/** In brackets the tracks of a DSpread reader may be taken for those of another terminal. */
async function answerOf(given: CaseJson, deviceType: string) {
  const {next} = await diagnoseJson(given, {usualOnly: true});
  if (!next) return undefined;
  const {extracted, meta} = processPayload(next.request, keys);
  return deviceType === 'dspread' ? extracted : {...extracted, device: meta.device};
}

const bare = await Promise.all(
  payloads.map(async ({devicePayload, ksn, deviceType}) =>
    answerOf({payload: devicePayload, ksn}, deviceType),
  ),
);

describe('a simulated payload in', () => {
  const ways = Object.entries(AROUND).map(([name, wrap], at) => [name, at, wrap] as const);
  const each = it.each(ways);
  each('%s is decrypted by the suggested command', {timeout: 300_000}, async (_, at, wrap) => {
    const wrong: unknown[] = [];
    for (const [i, {deviceType, devicePayload, ksn}] of payloads.entries()) {
      // Each payload in two of the ways around it; in a long run in all.
      if (!IS_LONG && (i + at) % (ways.length / 2) !== 0) continue;
      const found = bare[i] && (await answerOf({payload: wrap(devicePayload), ksn}, deviceType));
      if (JSON.stringify(found) !== JSON.stringify(bare[i]))
        wrong.push({deviceType, devicePayload});
    }
    expect(bare.filter((one) => one !== undefined).length).toBeGreaterThan(payloads.length / 3);
    expect(wrong).toEqual([]);
  });
});
