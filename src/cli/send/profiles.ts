import {mkdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describeFault} from '../../contract/json-fault.js';
import {didYouMean} from '../../contract/nearest-name.js';
import {isJsonObject, readJson} from '../../contract/parse-json.js';
import {PaylensError} from '../../contract/paylens-error.js';
import {notSaved, writeDurably} from '../../files/write-durably.js';
import {withWriterLock} from '../../files/writer-lock.js';
import {keyfilePaths} from '../../keyfile/keyfile-path.js';

/** An endpoint and a partner; a profile never contains a key. */
export interface Profile {
  readonly url: string;
  readonly partner?: string | undefined;
  readonly method?: string | undefined;
  readonly keyfile?: string | undefined;
}

/** All profiles by their names, and the one in use. */
export interface Profiles {
  readonly current?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The file of the profiles, in the user's config folder. */
function profilesPath(): string {
  const [keyfile = ''] = keyfilePaths([], {...process.env, PAYLENS_KEYFILE: undefined});
  return join(dirname(keyfile), 'profiles.json');
}

/** Reads the profiles; none when there is no file. Throws 9002 when the file is damaged. */
export async function readProfiles(): Promise<Profiles> {
  const text = await readFile(profilesPath()).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"profiles": {}}';
    throw new PaylensError(9002, `${profilesPath()}: ${error.code} (system error)`);
  });
  const read = readJson(text);
  if ('fault' in read) throw damaged(describeFault(read.fault));
  if (areProfiles(read.value)) return read.value;
  throw damaged('not a valid profiles file');
}

function damaged(why: string): PaylensError {
  return new PaylensError(9002, `${profilesPath()}: ${why}`, {
    hint: 'Fix or delete the file, then add the profiles again.',
  });
}

/**
 * Lets `change` make new profiles of the known ones and saves them, whole or not at all, under one
 * writer's lock. Throws what reading and `change` throw, 9014 when they are locked or not saved.
 */
export async function updateProfiles(change: (known: Profiles) => Profiles): Promise<Profiles> {
  const path = profilesPath();
  await mkdir(dirname(path), {recursive: true, mode: 0o700}).catch((error: unknown) => {
    throw notSaved(path, error);
  });
  return withWriterLock(path, async () => {
    const profiles = change(await readProfiles());
    const json = `${JSON.stringify(profiles, undefined, 2)}\n`;
    await writeDurably(path, new TextEncoder().encode(json));
    return profiles;
  });
}

/** The profile called `name`. Throws 9001 when there is none. */
export function findProfile({profiles}: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  throw new PaylensError(9001, `there is no profile ${name}`, {
    hint: didYouMean(name, Object.keys(profiles)) ?? 'List them with `paylens profile list`.',
  });
}

function areProfiles(value: unknown): value is Profiles {
  if (!isJsonObject(value) || !isJsonObject(value.profiles)) return false;
  if (!['string', 'undefined'].includes(typeof value.current)) return false;
  return Object.values(value.profiles).every(isProfile);
}

function isProfile(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.url !== 'string') return false;
  return Object.values(value).every((text) => typeof text === 'string');
}
