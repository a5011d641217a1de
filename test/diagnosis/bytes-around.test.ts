import {describe, expect, it} from 'vitest';
import {bytesOf, encrypt, tlv} from '../engine/terminal.js';
import {diagnoseJson, mistakesOf} from './diagnosing.js';
import {Draw} from './draw.js';

/** A bare ciphertext behind its own length and before foreign bytes loses none of its blocks. */
const PREFIXES: Readonly<Record<string, (length: number) => string>> = {
  'one byte': (length) => Buffer.of(length).toString('hex'),
  'two bytes': (length) => Buffer.of(0, length).toString('hex'),
  'two bytes, low first': (length) => Buffer.of(length, 0).toString('hex'),
  'four bytes': (length) => Buffer.of(0, 0, 0, length).toString('hex'),
  'four bytes, low first': (length) => Buffer.of(length, 0, 0, 0).toString('hex'),
};

describe('a ciphertext behind a length of', () => {
  it.each(Object.entries(PREFIXES))(
    '%s opens whole, with 0 to 9 bytes behind',
    async (name, of) => {
      const draw = new Draw(name);
      const wrong: unknown[] = [];
      for (let behind = 0; behind < 10; behind++) {
        const ksn = draw.ksn();
        const text = draw.track1();
        const sealed = encrypt(text, {ksn});
        const hex = of(sealed.length) + sealed.toString('hex') + draw.hex(behind);
        const found = await diagnoseJson({ciphertexts: [{hex}], ksn}, {usualOnly: true});
        const isWhole = found.plaintexts[0]?.hex.includes(bytesOf(text).toString('hex'));
        if (!isWhole) wrong.push({behind, hex, ksn, found: found.plaintexts[0]?.text});
      }
      expect(wrong).toEqual([]);
    },
  );
});

it('shows every tag of a list that opened, and calls a whole list not surrounded', async () => {
  const draw = new Draw('a list of three tags');
  const ksn = draw.ksn();
  const texts = [draw.track1(), draw.track2(), draw.track1()];
  const tags = texts.map((text, i) => tlv(`DF0${i + 1}`, encrypt(text, {ksn})));
  const payload = Buffer.concat([...tags, tlv('DF04', ksn)]).toString('hex');
  const found = await diagnoseJson({payload}, {usualOnly: true});
  expect(found.plaintexts.map(({name}) => name)).toEqual(['tag DF01', 'tag DF02', 'tag DF03']);
  expect(mistakesOf(found)).not.toContain('bytes-around');
});

it.each(['text', 'base64', 'base64 of base64'])('undoes %s around a ciphertext', async (how) => {
  const draw = new Draw(how);
  const ksn = draw.ksn();
  const bytes = encrypt(draw.track1(), {ksn});
  const once = how === 'text' ? bytes.toString('hex') : bytes.toString('base64');
  const payload = how === 'base64 of base64' ? Buffer.from(once).toString('base64') : once;
  expect(await diagnoseJson({payload, ksn}, {usualOnly: true})).toMatchObject({solved: true});
});

it('says nothing of missing digits where a letter stood for one', async () => {
  const draw = new Draw('a letter for a digit');
  const ksn = draw.ksn();
  const hex = encrypt(draw.track1(), {ksn}).toString('hex');
  const at = hex.indexOf('0', 40);
  const payload = `${hex.slice(0, at)}O${hex.slice(at + 1)}`;
  const mistakes = mistakesOf(await diagnoseJson({payload, ksn}, {usualOnly: true}));
  expect(mistakes[0]).toBe('look-alikes');
  expect(mistakes).not.toContain('digits-missing');
});
