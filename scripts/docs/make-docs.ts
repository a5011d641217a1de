// Generates the reference pages of docs from the tables in src and from the manifest, and the JSON
// Schemas from those in zod: `npm run docs`.
// With --check it only lists the pages that are out of date, and exits with code 1 if there are any.
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {isDeviceType} from '../../src/contract/device-types.js';
import {ERROR_CATALOGUE, ERROR_CODES} from '../../src/contract/error-catalogue.js';
import {TERMINAL_TYPES, TERMINALS} from '../../src/engine/devices/registry.js';
import type {Terminal} from '../../src/engine/devices/terminal.js';
import {EMV_TAGS} from '../../src/engine/tlv/tags.js';
import {commandsPage} from './commands-page.js';
import {type DocumentedDevice, devicePage, modesOf, samplesIn} from './device-page.js';
import {diagnosePage} from './diagnose-page.js';
import {jsonSchemas} from './json-schemas.js';
import {page, table} from './markdown.js';
import {publishedReads} from './published-reads.js';
import {publishedReadsSchema, publishedReadsText} from './published-reads-schema.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NOTICE = '<!-- Made by `npm run docs`: change the tables in src instead. -->';

/** Folders of docs without a file written by hand. */
const OWN_FOLDERS = ['devices', 'samples', 'schemas'];

const manifest = JSON.parse(readFileSync(path.join(root, 'oclif.manifest.json'), 'utf8'));
const devices = await Promise.all(TERMINAL_TYPES.map((type) => documented(TERMINALS[type])));

const check = process.argv.includes('--check');
const folder = path.resolve(
  process.argv.slice(2).find((arg) => arg !== '--check') ?? `${root}/docs`,
);
const faults = check ? differences(pages()) : write(pages());
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`docs: ${Object.keys(pages()).length} pages, current`);

async function documented(terminal: Terminal): Promise<DocumentedDevice> {
  const {type, manufacturer} = terminal;
  return {
    type,
    manufacturer,
    recognised: recognition(terminal.recognises),
    about: await terminal.about(),
    writer: await terminal.write?.(),
    samples: samplesOf(type),
  };
}

function samplesOf(type: string): DocumentedDevice['samples'] {
  try {
    return samplesIn(path.join(root, 'test/samples'), type);
  } catch (error) {
    console.error(`docs: ${(error as Error).message}`);
    process.exit(1);
  }
}

/** Texts by their path below docs. */
type Pages = Readonly<Record<string, string>>;

/** Every page by its path below docs. */
function pages(): Pages {
  const made = {
    'commands.md': commandsPage(manifest),
    'terminals.md': terminalsPage(),
    'errors.md': errorsPage(),
    'tags.md': tagsPage(),
    'diagnose-reference.md': diagnosePage(),
    ...Object.fromEntries(
      devices.map((device) => [`devices/${device.type}.md`, devicePage(device)]),
    ),
  };
  const marked = Object.entries(made).map(([name, text]) => [name, `${NOTICE}\n\n${text}`]);
  return {...Object.fromEntries(marked), ...jsonSchemas(), ...samplesPages()};
}

function samplesPages(): Pages {
  const reads = publishedReads(path.join(root, 'test/samples'));
  return {
    'samples/published-reads.json': publishedReadsText(reads),
    'samples/published-reads.schema.json': `${JSON.stringify(publishedReadsSchema(), null, 2)}\n`,
  };
}

function write(made: Pages): string[] {
  for (const below of OWN_FOLDERS) {
    rmSync(path.join(folder, below), {recursive: true, force: true});
    mkdirSync(path.join(folder, below), {recursive: true});
  }
  for (const [name, text] of Object.entries(made)) writeFileSync(path.join(folder, name), text);
  return [];
}

function differences(made: Pages): string[] {
  const stale = Object.keys(made).filter((name) => made[name] !== committed(name));
  const strange = OWN_FOLDERS.flatMap(found).filter((name) => !(name in made));
  return [
    ...stale.map((name) => `docs/${name} is not current: run \`npm run docs\` and commit it`),
    ...strange.map((name) => `docs/${name} is not made by \`npm run docs\``),
  ];
}

function committed(name: string): string | undefined {
  try {
    return readFileSync(path.join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

function found(below: string): string[] {
  return readdirSync(path.join(folder, below), {
    recursive: true,
    encoding: 'utf8',
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => path.relative(folder, path.join(parentPath, name)))
    .map((name) => name.split(path.sep).join('/'));
}

function recognition(recognises: Terminal['recognises']): string {
  if (typeof recognises === 'boolean') return recognises ? 'yes' : 'no: name the type';
  return 'yes, but for forms that belong to another type';
}

function terminalsPage(): string {
  return page(
    '# Supported terminals',
    'One page per terminal type: what its payloads look like, which forms are accepted, what is rejected and why, and how to generate one. What holds for all of them is below.',
    overview(devices.filter(({type}) => isDeviceType(type))),
    '## Beyond the interface',
    'The command line and the library also take these types, and so does `serve --extended`. In the interface `deviceType` is a closed list, so the service refuses them otherwise (2001).',
    overview(devices.filter(({type}) => !isDeviceType(type))),
    '## What decrypts, and what is refused',
    table(
      ['type', 'forms, and how well each is known', 'what decrypts', 'what is refused'],
      devices.map(({type, about}) => [
        `[${type}](devices/${type}.md)`,
        about.forms.map(({what, evidence}) => `${what} (${evidence})`).join('<br>'),
        about.keys.map(decryptable).join('<br>') || 'nothing',
        about.refused.map(({what, code}) => `${what} ([${code}](errors.md))`).join('<br>'),
      ]),
    ),
    'See also [every error](errors.md) and [the EMV tags](tags.md). What each terminal sends, byte by byte, with the evidence and our decisions, is described in [formats](formats/README.md); the [interface](interface.md) and [what it leaves open](contract.md) have pages of their own.',
    '## How well it is known',
    table(
      ['evidence', 'what it means'],
      [
        ['verified', 'a real published read decrypts, or proves it by a hash or checksum'],
        ['documented', 'stated in a public document'],
        ['seen', 'seen in public source code'],
        ['inferred', 'concluded or defined by this project: unconfirmed'],
      ],
    ),
    'AES DUKPT (a KSN of 12 bytes) is verified as a scheme, by the vectors of the standard; that a terminal uses it as parsed here is inferred for all of them, since no complete read is public.',
    '## Card reads in the tests',
    table(
      ['kind', 'what it is'],
      [
        ['published-plaintext', 'a published read whose plaintext is also published'],
        ['embedded-hash', 'a published read whose plaintext is proven by the hash in it'],
        ['structure', 'a published read; its plaintext agrees with its masked copy and form'],
        [
          'frame-only',
          'a published read without a public key: the form is checked, not the content',
        ],
        ['synthetic', 'made for the tests, or a published read that was changed'],
      ],
    ),
    '## The order of checks',
    'The first that fails gives the error: form (2100, 2102), then length, LRC, checksum and CRC (2101), cleartext data (2110), closed scheme (2111), serial number (2103), KSN (2400), IV (2602), key (2600), plaintext (2601, or 2602 when only the first block is lost), card number (2800). [formats/common.md](formats/common.md#order-of-checks) has the reasons.',
    '## When a plaintext is accepted',
    'A decryption is accepted when the grammar holds to the last byte and nothing contradicts it: LRC, masked copy, hash, tag 57 against 5A. A pattern that random bytes could match needs a second, independent fact. So a wrong key never gives a wrong card; it gives 2601.',
  );
}

function overview(some: readonly DocumentedDevice[]): string {
  return table(
    ['type', 'terminal', 'modes', 'evidence'],
    some.map(({type, about, writer}) => [
      `[${type}](devices/${type}.md)`,
      about.title,
      about.keys.length > 0 ? modesOf(writer) : 'parsed, not decryptable',
      about.evidence,
    ]),
  );
}

function decryptable({what, setting, evidence}: DocumentedDevice['about']['keys'][number]): string {
  const {algorithm, mode, variant, selfEncrypted} = setting;
  const key = `${variant} key${selfEncrypted ? ', self-encrypted' : ''}`;
  return `${what}: ${algorithm.toUpperCase()} ${mode.toUpperCase()}, ${key} (${evidence})`;
}

function errorsPage(): string {
  return page(
    '# Errors',
    'The service answers with the HTTP status and `{"success": false, "errCode": ..., "errMessage": ...}`, the command line with the exit code. Codes without a status occur on the command line only. `paylens errors CODE` shows one.',
    table(
      ['code', 'HTTP', 'exit', 'message', 'what to do'],
      ERROR_CODES.map((code) => {
        const {http, exit, message, hint} = ERROR_CATALOGUE[code];
        return [code, http ?? '', exit, message, hint];
      }),
    ),
  );
}

function tagsPage(): string {
  return page(
    '# EMV tags',
    "The names `inspect` uses for the data objects of EMV Book 3, of the contactless kernels (Book C) and of ISO 7816-4. Vendor-specific tags are on the terminal's page and take precedence.",
    table(['tag', 'meaning'], Object.entries(EMV_TAGS).sort()),
  );
}
