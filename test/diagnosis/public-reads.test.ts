import {describe, expect, it} from 'vitest';
import {diagnosisJson} from '../../src/diagnosis/answer/diagnosis-json.js';
import {diagnoseJson, labelsOf} from './diagnosing.js';
import {PUBLIC_READS} from './public-reads.js';

const reads = PUBLIC_READS.map((read) => [read.name, read] as const);

describe('published reads', () => {
  it.each(reads)('%s opens', async (_, read) => {
    const found = await diagnoseJson(read.given);
    const text = found.plaintexts.map((one) => one.text).join(' ');
    expect({text, labels: labelsOf(found)}).toEqual({
      text: expect.stringContaining(read.text),
      labels: expect.arrayContaining([...read.labels]),
    });
  });

  it.each(reads)('%s shows nothing of its plaintext unasked', async (_, read) => {
    const report = await diagnoseJson(read.given);
    const {next, ...shown} = diagnosisJson(report, false);
    const hidden = read.text.match(/[3-6]\d{11,18}/g) ?? read.text.match(/^\d{4,8}$/g) ?? [];
    const plain = shown.plaintexts.map(({text}) => text).join(' ');
    expect(hidden.filter((digits) => plain.includes(digits))).toEqual([]);
  });
});
