import type {Label} from '../../src/diagnosis/labels.js';
import type {CaseJson} from './diagnosing.js';

/**
 * Reads of test cards published with a question or in a manual, as a user pastes them. Their
 * plaintexts were encrypted again with node:crypto alone, which gives the ciphertext of the source.
 */
export interface PublicRead {
  readonly name: string;
  readonly source: string;
  readonly given: CaseJson;
  /** A part of the plaintext. */
  readonly text: string;
  readonly labels: readonly Label[];
}

const TEST_BDK = '0123456789ABCDEFFEDCBA9876543210';
/** Track 1 of a WisePad (https://developers.bluefin.com/decryptx/docs/wisepad). */
const WISEPAD =
  '8E82CE1710B9692341933738C709E1142F66A3BD734329E6BC25694AD02F05E75906DBB8EE6DAE61D8A966242600823E050FA6D69266BD359282520443279FF3D2DD6CBCCDC17DC095C2884FB06BC38F';
const WISEPAD_KSN = '02820620140175E0001D';
const WISEPAD_PAN = '4761739001010119';
const WISEPAD_SOURCE = 'https://developers.bluefin.com/decryptx/docs/wisepad';

function wisepad(name: string, given: CaseJson, ...labels: Label[]): PublicRead {
  return {name, source: WISEPAD_SOURCE, given, text: WISEPAD_PAN, labels};
}

/** The encrypted tags of a Verifone in the order of that tool's settings, without the IV. */
function vipaWithoutIv(card: string, ksn: string, hex: string, text: string): PublicRead {
  return {
    name: `a ${card} of a Verifone without its IV`,
    source: 'https://github.com/web-projects/DEVICE_DECRYPTOR_TOOL',
    given: {ciphertexts: [{name: 'data', hex}], ksn, keys: [{kind: 'bdk', hex: TEST_BDK}]},
    text,
    labels: ['iv-missing'],
  };
}

function bytesOf(hex: string): string[] {
  return hex.match(/../g) ?? [];
}

function linesOf(hex: string, format: (line: string, at: number) => string): string {
  return (hex.match(/.{1,32}/g) ?? []).map((line, i) => format(line, 16 * i)).join('\n');
}

export const PUBLIC_READS: readonly PublicRead[] = [
  {
    name: 'an ID TECH frame that lost its end, with the data key of the read',
    source: 'https://github.com/sgbj/Dukpt.NET/issues/2',
    given: {
      payload:
        '029801803F48236B03BF252A343236362A2A2A2A2A2A2A2A393939395E42555348204A522F47454F52474520572E4D525E2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A3F2A3B343236362A2A2A2A2A2A2A2A393939393D2A2A2A2A2A2A2A2A2A2A2A2A2A2A2A3F2A6D7D5B204D3579694E148F3FB2565544D35825EA89BA30C966D34363151BF592F995EDA86B94A47EBFDF6434CB3A075DDD18F616E21F1E2038BC3AD5F96C1387177BD89409DA2E92A684543E007087F8694AEA8D3DB36BA10BC4D4B2771C622FEC8271A6E021AA5644ED559EC09CABF19F36B422CA2016B48A7241B2DA9584ED4415B4F30637734CF5031AF475DAF27C188A1A771264011BAA090E91893BC2A52EDD56F8E6E9554BC0C5207C04E3C21B6DA2A48F2257DC6946DBFBC87F3189E5C8B954BF7303D01E443155911E4137AEAD52441567AA1D50924A7597EC9D758A3418AC88F65E1DB7ED4D10973F99DFC8463FF6DF113B6226C4898A9D355057ECAF11A5598F02CA31688861C157C1CE2E0F72CE0F3BB598A614EAABB162994901190000000003769A0',
      ksn: '62994901190000000003',
      keys: [{kind: 'unknown', hex: '895250336175515C4120CF45F41ABF1C'}],
    },
    text: '%B4266841088889999^BUSH JR/GEORGE W.MR^0809101100001100000000046000000?',
    labels: ['frame-lost-character', 'key-is-working-key'],
  },
  {
    name: 'two BBPOS tracks joined',
    source: 'https://github.com/sgbj/Dukpt.NET/issues/10',
    given: {
      ciphertexts: [
        {
          hex: '670d1456491444377905ab458d2ad9d900d652d661ae7adbc9847f9f63c681c45a065fb47497a970abdc5ad267fd9c6f341ae8f4fe15514a639a6d3611450a537ceea909a60fbc8ecc7c4a0b50dc58fbb024caa90e3a5f97536524276a749767efc62d8e8bcc03bf2bca8e00c5c3719c3fff1a5819233038',
        },
      ],
      ksn: '00000415130001e00007',
      keys: [{kind: 'bdk', hex: TEST_BDK}],
    },
    text: ';4518341234567894=25072011341681900000?',
    labels: ['variant-data'],
  },
  {
    name: 'a UniMag track of a manual',
    source: 'https://github.com/camcima/dukpt-php/issues/2',
    given: {
      payload:
        'A096A6F5D1DCBE45B5F77EB2559FEE0411013232E3F42044C0397E3E9E6D9B3A11FB8ADE0712AFD097C23AA86DFDC9DBA0E73A6FD698FD2F',
      ksn: 'FFFF9876543210E0004A',
    },
    text: '%B5150710200107861^PAYPASS/MASTERCARD^090910140000202?',
    labels: ['variant-data', 'test-key'],
  },
  {
    name: 'a keyboard frame in lines, with the data key of the next read and its KSN',
    source: 'https://stackoverflow.com/questions/7430476',
    given: {
      payload: [
        '028801001F372300%*5150********7903^PAYPASS/MASTERCARD^************',
        '***?*;5150********7903=***************?*8871B640F379F3BD8D057A13F81454',
        '39B28D80BE8A43F3440D85928F576065EEE1BA54CAADFF67D552C2B0CBF1A9F',
        '34B63402B967998FC7C80487C8A6DBFD46975985D3D7E865FEEF6A48930751DC9',
        '71FDFCBC1989294B7EF6F0D0007AA731C31F574608EB85E57751DA48970F96B0E',
        '8BECDB94D672D746C2CC75176FA6E0C9E6FEFE0B154A0959B6299490125000000',
        '00197F6903',
      ].join('\n'),
      ksn: '62 99 49 01 25 00 00 00 00 1A',
      keys: [{kind: 'unknown', hex: 'F5BF6BE855AB923ADE7E7740D846F9DE'}],
    },
    text: '%B5150710200107903^PAYPASS/MASTERCARD^090910140000631?',
    labels: ['white-space', 'ksn-neighbour', 'key-of-other-read', 'test-key'],
  },
  {
    name: 'card number, date and track 2 as elements of a host message',
    source: 'https://blog.csdn.net/iam098/article/details/132501618',
    given: {
      payload:
        'JCtZfFbFi7v5F2mgBvQqKqTVBx0SmI2SIenM7Cdzi5sntP5EM2o527hZql2UqKnvRBR5/t+IlDVxroIfA/Vpaw==',
      ksn: 'ffff0090020000600001',
      keys: [{kind: 'bdk', hex: '860D8952C16B3BE52610F80ED09DD54F'}],
    },
    text: '7077904410000000646D2701205031',
    labels: ['base64', 'packing-tlv', 'variant-data'],
  },
  {
    name: 'a container of an EMV read of MagTek',
    source: 'https://www.manualslib.com/manual/2350826/Magtek-Dynapro-Mini.html?page=93',
    given: {
      payload: [
        'DFDF598200F08569A27E2A2A9D7E67A96624D10DBE3F366EC3F31C4072676FEF43213A',
        'F3C76ABE06A6E90F10E1650BE4ECE9CF64E9143129F66B44E8C4A697CA5A0E319D933B',
        'F9BBC52B2DAF8FCC663354E2B0E545A5002F4A0C976E65DD23705AB36ECA78D6A6B992',
        '43F2C2B907A8F1F2A66D5558096D7B1F91F1B6C06BF68841098EEABA502A57A3AA2F13',
        '44C4E405B86C3D64FB93E638D821409493659966A247238109C0E117B669B74A550826',
        '1B8E8AFF3FFE68058C334B383D991EAE3C8F5594FBFB9118860FF67344F37DE54EA5F2',
        '8BFECF8378072A9FAE3A61FEF13254B6C7B2C1D0AF626E5A14F19C025B7CD1EF1456A3',
        '1DDFDF560A9500030000000120039DDFDF570180DFDF580106',
      ].join('\n'),
    },
    text: '9F06=A0000000041010',
    labels: ['packing-tlv', 'variant-data', 'test-key'],
  },
  {
    name: 'a MagneSafe string broken into lines',
    source:
      'https://www.manualsdir.com/manuals/413691/magtek-bluetooth-magnesafe-v5-swipe-reader.html?page=81',
    given: {
      payload: [
        '%B5452000000007189^HOGAN/PAUL ^08040000000000000000000?',
        ';5452000000007189=080400000000000000?',
        '+5163000050000445=000000000000?',
        '|0600',
        '|C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7',
        'E74886742D9BEE0CFD1EA1064C213BB55278B2F12',
        '|724C5DB7D6F901C7F0FEAE7908801093B3DBFE51CCF6D483E789D7D2C007D539499BAADCC8D16CA2',
        '|E31234A91059A0FBFE627954EE21868AEE3979540B67FCC40F61CECA54152D1E',
        '|A1050000',
        '|8628E664C59BBAA232BA90BFB3E6B41D6F4B691E633C311CBE6EE7466B81196EC07B12648DCAC4FD7FD0E21',
        '2B479C60BAD8C74F82F327667',
        '|',
        '|21685F158B5C6BE0',
        '|FFFF9876543210E00008',
        '|B78F',
        '|',
        '|0000',
      ].join('\n'),
    },
    text: '+5163499080020445=000000000000?',
    labels: ['variant-pin', 'test-key'],
  },
  {
    name: 'a field of fixed length with zeros behind its track',
    source: 'https://www.manualslib.com/manual/2079776/Magtek-Edynamo.html?page=196',
    given: {
      payload: `C25C1D1197D31CAA87285D59A892047426D9182EC11353C051ADD6D0F072A6CB3436560B3071FC1FD11D9F7E74886742D9BEE0CFD1EA1064C213BB55278B2F12${'00'.repeat(48)}`,
      ksn: 'FFFF9876543210E00008',
    },
    text: '%B5452300551227189^HOGAN/PAUL      ^08043210000000725000000?',
    labels: ['wrong-slice', 'variant-pin'],
  },
  {
    name: 'the blocks of a track, listed one by one',
    source:
      'https://www.manualsdir.com/manuals/413691/magtek-bluetooth-magnesafe-v5-swipe-reader.html?page=83',
    given: {
      payload: [
        'Block # 1 724C5DB7D6F901C7',
        '2 F0FEAE7908801093',
        '3 B3DBFE51CCF6D483',
        '4 E789D7D2C007D539',
        '5 499BAADCC8D16CA2',
      ].join('\n'),
      ksn: 'FFFF9876543210E00008',
    },
    text: ';5452300551227189=080432100000007250?',
    labels: ['text-around', 'variant-pin'],
  },
  {
    name: "a gateway's JSON, whose EncryptedKey is the KSN",
    source: 'https://github.com/MercuryPay',
    given: {
      payload:
        "{'InvoiceNo':'1','EncryptedFormat':'MagneSafe','AccountSource':'Swiped','EncryptedBlock':'2F8248964608156B2B1745287B44CA90A349905F905514ABE3979D7957F13804705684B1C9D5641C','EncryptedKey':'9500030000040C200026','OperatorID':'operatorid'}",
    },
    text: ';4005550000000480=15125025432198712345?',
    labels: ['text-around', 'variant-pin', 'test-key'],
  },
  {
    name: 'an IPAD string of numbered fields',
    source: 'https://github.com/MercuryPay',
    given: {
      payload:
        '0~IPAD100KB|24~98AC18281702140C|1~11|2~812C72CA9B05C907CBB9AB95EA7D86E3AEB5698B38AC7601A45BB9DC1D42CEEDC7BD8587052209946689EC23356E1C67|3~D7E14F5CB294A2D8F2D3D93F700BF425DD7585BC1366294BD3FE39BCC4258D66F1D8C2B5BC8AB9E7|4~|5~7F4EB719A60BB8D4965488647134621C0AA803D8FD6B5AE1678F86177318FCAB08E5EB43450853345F2C51C2EAEF46F62F982F3B49D6BEAC|6~%B4005550000000480^TEST/MPS^15120000000000000?|7~;4005550000000480=15120000000000000000?|8~|9~00000000|10~000001|11~9500030000081C2000D2|12~00002200|',
    },
    text: '%B4005550000000480^TEST/MPS^15121010000000000?',
    labels: ['decrypts-plainly', 'variant-pin'],
  },
  {
    name: 'comments that name tag, length and value with dashes',
    source: 'https://github.com/web-projects/PYTHON_SCRIPTS',
    given: {
      payload: [
        '#dfdf12-08-c0fb7bb50f745928',
        '#dfdf11-0a-ffff9876543211000b51',
        '#dfdf10-20-329856c51a2d7df3edb864a0c50a3fa2fd97c189c613d0d93b411e9bf152e9e7dfdb0f0400000000',
      ].join('\n'),
    },
    text: 'DFDB01=',
    labels: ['text-around', 'iv-hidden', 'packing-tlv'],
  },
  {
    name: 'a PIN block read with the KSN in front of the change of its counter',
    source: 'ANSI X9.24-1:2009, A.4.3',
    given: {payload: '73EC88AD0AC5830E', ksn: 'FFFF9876543210EFFC00', pan: '4012345678909'},
    text: '1234',
    labels: ['ksn-neighbour', 'pin-block', 'variant-pin'],
  },
  {
    name: 'a block of digits under the data key, with the PAN',
    source: 'ANSI X9.24-1:2009, A.4.1',
    given: {payload: 'FC0D53B7EA1FDA9E', ksn: 'FFFF9876543210E00001', pan: '4012345678909'},
    text: '40123456',
    labels: ['variant-data', 'packing-text'],
  },
  {
    name: 'a PIN block of format 4 under the initial key, counter 0',
    source: 'https://github.com/openemv/dukpt/issues/1',
    given: {
      ciphertexts: [{hex: 'A5345078DE652954CAFE125E9495D8F5'}],
      ksn: '000000000000000000000000',
      pan: '1234123412341234',
      keys: [{kind: 'ik', hex: '11111111111111111111111111111111'}],
    },
    text: '1234',
    labels: ['ksn-counter-zero', 'pin-format-4', 'aes-dukpt'],
  },
  {
    name: 'a PIN block of format 4 made of 12 digits of the PAN',
    source:
      'https://developerhub.wpay.com.au/cardsconnect/reference/aes-128-bit-pin-block-or-iso-format-4',
    given: {
      ciphertexts: [{hex: '225EF53C962E6AD84AC671C160A44627'}],
      pan: '5237481234567895',
      keys: [
        {
          kind: 'working',
          hex: '62CB437131C129DF001D42676011975150506E2A382145FD9BDEA7EC5A339F63',
        },
      ],
    },
    text: '1234',
    labels: ['pin-format-4', 'pin-pan-digits', 'key-is-working-key'],
  },
  {
    name: 'a PIN block whose counter was written down wrong, with a PAN of 12 digits',
    source: 'https://thalessim4.rssing.com/chan-8052138/article7.html',
    given: {
      ciphertexts: [{hex: '05A6282CB98A5D30'}],
      ksn: '75A2DA0000200016',
      pan: '624250495776',
      keys: [{kind: 'bdk', hex: '75A2DA799E4361FBA7C479FE5225FB1F'}],
    },
    text: '2449',
    labels: ['ksn-neighbour', 'pin-block'],
  },
  wisepad(
    'a read with the KSN of another slot, which counts apart',
    {
      payload: WISEPAD,
      ksn: '02830620140175E00012',
    },
    'ksn-swapped',
  ),
  wisepad(
    'bytes as a C array',
    {
      payload: `{${bytesOf(WISEPAD)
        .map((byte) => `0x${byte}`)
        .join(', ')}}`,
      ksn: WISEPAD_KSN,
    },
    'white-space',
  ),
  wisepad(
    'bytes as Java prints them',
    {
      payload: `[${Array.from(new Int8Array(Buffer.from(WISEPAD, 'hex'))).join(', ')}]`,
      ksn: WISEPAD_KSN,
    },
    'text-escaped',
  ),
  wisepad(
    'bytes and KSN as iOS prints data',
    {
      payload: `<${WISEPAD.toLowerCase()
        .match(/.{1,8}/g)
        ?.join(' ')}>`,
      ksn: '<02820620 140175e0 001d>',
    },
    'white-space',
  ),
  wisepad(
    'a KSN in base64',
    {
      payload: WISEPAD,
      ksn: Buffer.from(WISEPAD_KSN, 'hex').toString('base64'),
    },
    'base64',
  ),
  wisepad(
    'base64 values in JSON',
    {
      payload: JSON.stringify({
        track1: Buffer.from(WISEPAD, 'hex').toString('base64'),
        ksn: Buffer.from(WISEPAD_KSN, 'hex').toString('base64'),
      }),
    },
    'base64',
    'text-around',
  ),
  wisepad(
    'a dump with offsets and characters',
    {
      payload: linesOf(
        WISEPAD,
        (line, at) =>
          `${at.toString(16).padStart(8, '0')}: ${line.match(/.{1,4}/g)?.join(' ')}  ................`,
      ),
      ksn: WISEPAD_KSN,
    },
    'white-space',
  ),
  ...[
    `"${WISEPAD}"`,
    `'${WISEPAD}'`,
    `“${WISEPAD}”`,
    `payload=${WISEPAD}`,
    `"track1": "${WISEPAD}",`,
    `const track1 = '${WISEPAD}';`,
    `unsigned char *track1 = "${WISEPAD}";`,
  ].map((payload) =>
    wisepad(payload.replace(WISEPAD, '...'), {payload, ksn: WISEPAD_KSN}, 'text-around'),
  ),
  wisepad(
    'O for 0 in data and KSN',
    {
      payload: WISEPAD.replaceAll('0', 'O'),
      ksn: WISEPAD_KSN.replaceAll('0', 'O'),
    },
    'look-alikes',
  ),
  wisepad(
    'XML around it',
    {
      payload: `<read><ksn>${WISEPAD_KSN}</ksn><track1>${WISEPAD}</track1></read>`,
    },
    'text-around',
  ),
  wisepad(
    'a text that was cut with dots',
    {
      payload: `${WISEPAD.slice(0, 60)}...`,
      ksn: WISEPAD_KSN,
    },
    'text-around',
  ),
  vipaWithoutIv(
    'Amex',
    'FFFF987654321D000870',
    'F7FB66DC978CFA35B1ECDEC46AB08B054EB6604812A59D3E95C7515AB346DBF8',
    '5A08374245001781003F',
  ),
  vipaWithoutIv(
    'Discover',
    'FFFF987654321D00086D',
    'DBD8DA9234ED1B46383B723CBD1992A68377B9D7F2164EF49D81934B7DC7C263',
    '5A086510000000000810',
  ),
  vipaWithoutIv(
    'Visa',
    'FFFF987654321D00086E',
    'BA5E35DB0DF3C59357B730C08E3A947FBC30E98DC2D799A52939F0361854940A',
    '57134761732000021153D24122011312915000001F',
  ),
];
