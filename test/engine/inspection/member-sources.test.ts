import {describe, expect, it} from 'vitest';
import {Explainer} from '../../../src/engine/explanation.js';
import type {MemberSource} from '../../../src/engine/member-sources.js';
import {processPayload} from '../../../src/engine/process-payload.js';
import {
  FURTHER_PAYLOADS,
  type Payload,
  SAMPLE_PAYLOADS,
  simulatedPayloads,
} from '../../payloads.js';

function sourcesOf({request, keys}: Payload) {
  const observer = new Explainer(keys, request.deviceType);
  const {meta: _, extracted, ...tracks} = processPayload(request, keys, {observer});
  const members = observer.explanation?.members ?? [];
  return {members, answered: [...Object.keys(extracted), ...Object.keys(tracks)], extracted};
}

/** What is wrong with the sources of a payload; undefined if each member has one. */
function faultOf(payload: Payload): string | undefined {
  const {members, answered, extracted} = sourcesOf(payload);
  const named = members.map(({member}) => member);
  if (named.toSorted().join() !== answered.toSorted().join()) return `${named} for ${answered}`;
  const unknown = members.find(({from}) => from === '');
  if (unknown) return `${unknown.member} has no source`;
  const unproven = members.find(isUnproven);
  if (unproven) return `nothing agreed with ${unproven.member} from ${unproven.from}`;
  const shown = JSON.stringify(members);
  return shown.includes(extracted.PAN) ? 'a card number is shown' : undefined;
}

/** Data in clear beside the card may be all there is of a name; a field has evidence of its own. */
function isUnproven({from, agreed}: MemberSource): boolean {
  return agreed.length === 0 && from !== 'the cleartext data';
}

/** False for the one simulated scheme that no key opens. */
function isDecryptable({name}: Payload): boolean {
  return !name.includes('onguard');
}

describe('the sources of the members of a response', () => {
  it.each([
    ['samples', SAMPLE_PAYLOADS],
    ['published reads and other forms', FURTHER_PAYLOADS],
    ['simulated payloads', simulatedPayloads().filter(isDecryptable)],
  ])('are stated for all %s', (_, payloads) => {
    const faults = payloads.flatMap((one) => {
      const fault = faultOf(one);
      return fault === undefined ? [] : [`${one.name}: ${fault}`];
    });
    expect(faults).toEqual([]);
    expect(payloads.length).toBeGreaterThan(30);
  });

  /** What the documents of these reads say; PAN and expiry, and then a member that is elsewhere. */
  it.each([
    ['securemag-enh-3trk-hex', 'PAN', 'track 2', ['sha1 of track 2', 'track 1']],
    ['securemag-enh-3trk-hex', 'Surname', 'track 1', ['LRC of track 1']],
    ['generic-tlv', 'PAN', 'tag 57 in data', ['57 agrees with 5A', 'tag 5A in data']],
    ['verifone-xpi-emv-base64', 'ServiceCode', 'tag 57 in tag DF9020', ['tag 5F30 in tag DF9020']],
    ['synth-verifone-manual', 'CVV', 'tag DFDB02 in tag DFDF10', []],
    ['vp3300-neo1-contact-tdes', 'EXPY', 'tag 57', ['the cleartext data']],
    ['vp3300-neo1-contact-tdes', 'PAN', 'tag 57', ['tag 5A', 'masked copy in tag 5A']],
    ['wn-wisepad-keyed-pan', 'EXPY', 'the cleartext data', []],
    ['wn-wisepad-keyed-pan', 'PAN', 'keyed entry in encPAN', ['masked copy in maskedPAN']],
    ['synth-magtek-arqc-ff42', 'Surname', 'tag 5F20 in tag DFDFDF37', []],
    ['magtek-ipad-keyed', 'EXPY', 'keyed entry in track 2', ['track 1']],
    ['vivopayv3-0206-aes-emv-pin', 'tlv', 'tag 5A, tag 57, tag 9F20', []],
  ])('%s: %s is from %s', (id, member, from, agreed) => {
    const payload = SAMPLE_PAYLOADS.find(({name}) => name === id);
    if (!payload) throw new Error(`no sample ${id}`);
    const source = sourcesOf(payload).members.find((one) => one.member === member);
    expect(source).toEqual({member, from, agreed: expect.arrayContaining(agreed)});
  });
});
