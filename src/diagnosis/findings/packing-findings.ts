import {leadLength} from '../../engine/card/track-lead.js';
import type {Finding} from '../finding.js';
import {type Opening, PACKING_LABELS} from '../plaintext/opened-plaintext.js';
import {type KeyMatch, targetsWithData} from '../search/key-match.js';

/** Describes the packing of the data in the plaintext, and what should not be in it. */
export function packingFindings(found: KeyMatch): Finding[] {
  const {probe} = found;
  return targetsWithData(found).flatMap(({reading: {plain, openings}}): Finding[] => {
    const {track1, track2} = openings[0]?.content ?? {};
    const findings = openings.flatMap(openingFindings);
    const isLed = (track1 ?? track2) && leadLength(plain) > 0;
    // A terminal whose payload was read sends them so.
    const rank = probe.interpretation.reader ? 'background' : 'mistake';
    return isLed ? [{label: 'bytes-in-front', rank}, ...findings] : findings;
  });
}

function openingFindings(opening: Opening): Finding[] {
  const {packing, fill, contradiction, panForm} = opening;
  const label = PACKING_LABELS[packing];
  const isCounted = fill === 'pkcs7' || fill === 'iso7816' || fill === 'x923';
  const findings: Finding[] = [];
  if (contradiction !== undefined)
    findings.push({label: 'masked-copy-differs', detail: contradiction});
  if (label) findings.push({label});
  if (isCounted) findings.push({label: 'padding-counted', detail: `The padding is ${fill}.`});
  findings.push(...trackFindings(opening));
  if (panForm?.kind === 'none') findings.push({label: 'pin-no-pan'});
  if (panForm?.kind === 'wrong')
    findings.push({label: 'pin-pan-digits', detail: `It was built with ${panForm.form}.`});
  return findings;
}

function trackFindings({packing, content, text}: Opening): Finding[] {
  const isBare = packing === 'ascii' && content?.track1 && !text.startsWith('%');
  const isKeyed =
    content?.keyed || /^%M/.test(text) || /^;?\d{12,19}=\d{4}[:=]\d{3,4}\??/.test(text);
  const isStripe = content?.track1 ?? content?.track2 ?? content?.track2equivalent;
  return [
    ...(isBare ? [{label: 'no-sentinels'} as const] : []),
    ...(isKeyed ? [{label: 'hand-keyed'} as const] : []),
    ...(isStripe ? [{label: 'cvv2-not-on-stripe'} as const] : []),
  ];
}
