import {describe, expect, it} from 'vitest';
import {processPayload} from '../../../src/engine/process-payload.js';
import {attempt} from '../../../src/input/attempt.js';
import {readPaste} from '../../../src/input/paste/read-paste.js';
import {SAMPLE_PAYLOADS} from '../../payloads.js';

/** `{name=value, name=value}`, as a log prints a map of Java; undefined for another payload. */
function javaMap(payload: string): string | undefined {
  if (!payload.startsWith('{')) return undefined;
  const members = Object.entries(attempt(() => JSON.parse(payload)) ?? {});
  if (members.length === 0 || members.some(([, value]) => typeof value === 'object'))
    return undefined;
  return `{${members.map(([name, value]) => `${name}=${value}`).join(', ')}}`;
}

const MAPS = SAMPLE_PAYLOADS.flatMap((one) => {
  const map = javaMap(one.request.devicePayload);
  return map === undefined ? [] : [{...one, map}];
});

describe('a map of Java', () => {
  it('was made of the samples of many terminals', () => {
    const types = new Set(MAPS.map(({request}) => request.deviceType));
    expect(
      ['dspread', 'generic', 'ifsf', 'magtek', 'wisepad'].filter((one) => !types.has(one as never)),
    ).toEqual([]);
  });

  it.each(MAPS)('is read in a line of a log: $name', ({request, keys, map}) => {
    const paste = readPaste(`12:00:01.234 I/Reader: onResult ${map}`, request.deviceType);
    const devicePayload = paste?.payload ?? '';
    expect(processPayload({...request, devicePayload}, keys).extracted).toEqual(
      processPayload(request, keys).extracted,
    );
  });
});
