import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {DEMO_PARTNER} from '../../../src/service/registry/demo-registry.js';
import {hmacHeader} from '../../service/node-signature.js';
import type {Browser} from '../browser.js';

const PARTNER = '/api/v1/partner/validate';
export const PARSER = '/api/v1/decrypt/parser';
const {partnerId, partnerKey} = DEMO_PARTNER;

/** Loads an inspector, and waits until it shows what it has. */
export async function openInspector(browser: Browser, url: string): Promise<Page> {
  const page = await browser.open({url});
  await page.getByRole('status').filter({visible: true}).first().waitFor();
  return page;
}

/** Sends a request as the demo partner does with its credentials in the body. */
export async function send(
  url: string,
  body: Record<string, unknown> = {},
  path = PARTNER,
): Promise<number> {
  const headers = {'content-type': 'application/json'};
  const text = JSON.stringify({partnerId, partnerKey, ...body});
  return (await fetch(url + path, {method: 'POST', headers, body: text})).status;
}

/** Sends a signed request whose signature is for another body. */
export async function sendSigned(url: string, sent: string, signed = sent): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    authorization: hmacHeader({target: PARTNER, body: signed}),
  };
  return (await fetch(url + PARTNER, {method: 'POST', headers, body: sent})).status;
}

/** A swipe of the samples, under a published key. */
export function swipe(): {readonly deviceType: string; readonly devicePayload: string} {
  const {devicePayload} = JSON.parse(readFileSync('samples/idtech-swipe.json', 'utf8'));
  return {deviceType: 'idtech', devicePayload};
}

/** The rows of the list. */
export function rowsOf(page: Page) {
  return page.getByRole('grid', {name: 'Requests'}).getByRole('row');
}

/** As a text: the types of these tests know no browser. */
const SEEN = `[
  document.documentElement.outerHTML.replace(/<script>.*?<\\/script>/gs, ''),
  ...[...document.querySelectorAll('input, textarea')].map(({value}) => value),
  document.title, location.href, document.cookie,
  JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage}), JSON.stringify(history.state),
].join('\\n')`;

/** What would be found of a text by whoever looks: document, attributes, title, address, storage. */
export async function everythingIn(page: Page): Promise<string> {
  const seen = await page.evaluate(SEEN);
  return String(seen) + (await page.locator('body').ariaSnapshot());
}
