import {createHash, generateKeyPairSync} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {Secret} from '../../src/contract/secret.js';
import {describePartner} from '../../src/keyfile/describe-partner.js';

const BASE = {partnerId: 'acme', methods: ['hmac']} as const;
const KEY = Secret.fromHex('00112233');

describe('describePartner', () => {
  it('says which keys there are, and the encoding of the shared one', () => {
    expect(describePartner(BASE)).toEqual({...BASE, hasPartnerKey: false, hasSharedKey: false});
    expect(describePartner({...BASE, partnerKey: KEY})).toEqual({
      ...BASE,
      hasPartnerKey: true,
      hasSharedKey: false,
    });
    expect(describePartner({...BASE, sharedKey: KEY})).toEqual({
      ...BASE,
      hasPartnerKey: false,
      hasSharedKey: true,
      encoding: 'utf8',
    });
    expect(describePartner({...BASE, sharedKey: KEY, encoding: 'hex'})).toMatchObject({
      encoding: 'hex',
    });
    expect(describePartner({...BASE, encoding: 'hex'})).not.toHaveProperty('encoding');
  });

  it('identifies a public key by its length and hash', () => {
    const {publicKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
    const sha256 = createHash('sha256')
      .update(publicKey.export({type: 'spki', format: 'der'}))
      .digest('hex');
    const rsaPublicKey = publicKey.export({type: 'spki', format: 'pem'}).toString();
    expect(describePartner({...BASE, rsaPublicKey}).rsaPublicKey).toEqual({bits: 2048, sha256});
  });

  it('says nothing of what is no public key', () => {
    const described = describePartner({...BASE, rsaPublicKey: 'no key'});
    expect(described).not.toHaveProperty('rsaPublicKey');
    expect(described).toMatchObject(BASE);
  });
});
