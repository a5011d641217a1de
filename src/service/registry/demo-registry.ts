import {createPartner, type Partner} from '../../auth/partner/partner.js';
import {AUTH_METHODS} from '../../contract/auth-method.js';
import {Secret} from '../../contract/secret.js';
import {testKeyRing} from '../../engine/dukpt/key-ring.js';
import {DeviceRegistry, type RegisteredDevice} from './device-registry.js';
import type {Registry} from './registry.js';

/** The partner of demo and mock mode. Its keys are public: they protect nothing. */
export const DEMO_PARTNER = {
  partnerId: 'DEMO',
  partnerKey: 'd3m0d3m0d3m0d3m0d3m0d3m0d3m0d3m0',
  sharedKey: '5ha3ed5ha3ed5ha3ed5ha3ed5ha3ed00',
} as const;

/** The RSA public key of the demo partner; its private key is samples/demo-rsa-key.pem. */
const DEMO_RSA_PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxQaB0f6D1VCSSxcZycWs
WfZK46owq5lIC2Xk0+LSIge8dNYU52b26B/hAILIYSYWmsx22XYZHzqHS+jpMB3H
b2qvfzgI01R2zOKATsNzfUna08mTSgK7KsE6o3YTWrTT+ARuKGlF7U7VDXMwFVIV
+z9HXXlDHBGFGF9TlQTQ8JdvDVkhVZ5H3iaVeLw/As8eC4xP6TtAqHcL5J9GLUyX
AJSDfxp+HZGJAkcFt38vx9EcFn9I37M4mDo65gC3OfqmMzvRPRuKtP56tjlzuylo
9p39CMv4QoVfcLEcUEB5eTbqiReaamcnrmrj4WT/kTvJ5LVyATmrQL74aXGfZziS
YQIDAQAB
-----END PUBLIC KEY-----`;

const DEMO_DEVICES: readonly RegisteredDevice[] = [
  demoDevice('DEMO0001', {status: 'active', firmware: ['1.0', '1.1']}),
  demoDevice('DEMO0002', {status: 'activating'}),
  demoDevice('DEMO0003', {status: 'inactive'}),
  demoDevice('DEMO0004', {status: 'stored'}),
  demoDevice('DEMO0005', {status: 'active', clientId: 'client-1'}),
  demoDevice('DEMO0005', {status: 'active', clientId: 'client-2'}),
];

/** A partner with the same partnerKey that may not sign: for tests of exactly that. */
const UNSIGNED_ID = 'DEMO-UNSIGNED';

/** The registry of demo and mock mode: published test keys, one partner with every method. */
export function demoRegistry(): Registry {
  const partnerKey = Secret.ofText(DEMO_PARTNER.partnerKey);
  const all = [
    createPartner({
      ...{partnerId: DEMO_PARTNER.partnerId, partnerKey, rsaPublicKey: DEMO_RSA_PUBLIC_KEY},
      ...{sharedKey: Secret.ofText(DEMO_PARTNER.sharedKey), methods: AUTH_METHODS},
    }),
    createPartner({partnerId: UNSIGNED_ID, partnerKey, methods: ['transparent', 'basic']}),
  ];
  const partners = new Map<string, Partner>(all.map((partner) => [partner.partnerId, partner]));
  return {
    keys: testKeyRing(),
    partners: (partnerId) => partners.get(partnerId),
    devices: new DeviceRegistry(DEMO_DEVICES),
    allowUnregistered: true,
  };
}

function demoDevice(serial: string, rest: Omit<RegisteredDevice, 'partnerId' | 'serial'>) {
  return {partnerId: DEMO_PARTNER.partnerId, serial, ...rest};
}
