// Main script of the single file. Node.js cannot import files from such a file, so the launcher unpacks
// the package once into a folder of its user, and starts it there. The folder is used only if it and the
// one above belong to this user, nobody else may write to them, and every file has its hash.
'use strict';
const {createHash} = require('node:crypto');
const fs = require('node:fs');
const {createRequire} = require('node:module');
const os = require('node:os');
const path = require('node:path');
const {getAsset} = require('node:sea');
const {brotliDecompressSync} = require('node:zlib');

const UNUSED_MS = 30 * 24 * 3600 * 1000;
const ABANDONED_MS = 24 * 3600 * 1000;
const NEW = '.new-';

/** The files in the order in which they are joined: path, size, SHA-256 in hex. */
const {id, files} = JSON.parse(getAsset('index', 'utf8'));

const folder = cachedFolder() ?? temporaryFolder();
// What was typed as the name of the program; the commands follow it.
process.argv[1] = path.join(folder, 'bin/run.js');
createRequire(path.join(folder, 'package.json'))('./start.cjs');

function cachedFolder() {
  const base = cacheFolder();
  if (!base) return undefined;
  const target = path.join(base, id);
  try {
    fs.mkdirSync(base, {recursive: true, mode: 0o700});
    if (!isPrivate(base)) return undefined;
    if (isWhole(target)) return target;
    const fresh = unpacked(base);
    // Not empty if another process was first, or if it is damaged.
    if (isWhole(target)) fs.rmSync(fresh, {recursive: true});
    else replace(target, fresh);
    removeUnused(base);
    return isWhole(target) ? target : undefined;
  } catch {
    return undefined;
  }
}

function cacheFolder() {
  const {XDG_CACHE_HOME = ''} = process.env;
  if (path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, 'paylens');
  const home = os.homedir();
  return path.isAbsolute(home) ? path.join(home, '.cache/paylens') : undefined;
}

/** For a home that cannot be written to: removed at the end. */
function temporaryFolder() {
  const made = unpacked(os.tmpdir());
  process.on('exit', () => fs.rmSync(made, {recursive: true, force: true}));
  return made;
}

function unpacked(base) {
  const made = fs.mkdtempSync(path.join(base, NEW));
  const all = brotliDecompressSync(Buffer.from(getAsset('app')));
  let at = 0;
  for (const [name, size] of files) {
    const file = path.join(made, name);
    fs.mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
    fs.writeFileSync(file, all.subarray(at, at + size), {mode: 0o600});
    at += size;
  }
  if (!isWhole(made)) throw new Error(`the files of paylens cannot be written to ${base}`);
  return made;
}

function replace(target, fresh) {
  try {
    fs.renameSync(fresh, target);
  } catch {
    const damaged = fs.mkdtempSync(path.join(path.dirname(target), NEW));
    try {
      fs.renameSync(target, path.join(damaged, 'old'));
    } catch {
      // Another process has replaced it.
    }
    fs.rmSync(damaged, {recursive: true, force: true});
    try {
      fs.renameSync(fresh, target);
    } catch {
      fs.rmSync(fresh, {recursive: true, force: true});
    }
  }
}

function isWhole(directory) {
  return isPrivate(directory) && files.every((file) => hasHash(directory, file));
}

function isPrivate(directory) {
  const found = fs.lstatSync(directory, {throwIfNoEntry: false});
  if (!found?.isDirectory()) return false;
  // Windows has no such modes: the profile is the user's.
  return !process.getuid || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}

function hasHash(directory, [name, size, hash]) {
  try {
    const content = fs.readFileSync(path.join(directory, name));
    return content.length === size && createHash('sha256').update(content).digest('hex') === hash;
  } catch {
    return false;
  }
}

/** Removes folders of other versions, and what a killed process has left. */
function removeUnused(base) {
  for (const name of fs.readdirSync(base)) {
    const unused = name.startsWith(NEW) ? ABANDONED_MS : UNUSED_MS;
    const other = path.join(base, name);
    const {mtimeMs = Infinity} = fs.lstatSync(other, {throwIfNoEntry: false}) ?? {};
    if (name !== id && Date.now() - mtimeMs > unused)
      fs.rmSync(other, {recursive: true, force: true});
  }
}
