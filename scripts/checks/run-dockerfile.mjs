// Executes a Dockerfile without Docker, in order: each stage is a folder, COPY copies from the
// context or from another stage's folder, RUN runs a shell there. Only paths below the image's
// WORKDIR are supported; the base image is the current machine.
import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import path from 'node:path';

/**
 * Executes `file` on a copy of the files in `context`. Returns the last stage: its folder,
 * environment, user, and the commands that Docker would run in it.
 */
export function runDockerfile(file, context, work) {
  const stages = [];
  for (const [name, rest] of instructions(readFileSync(file, 'utf8'))) {
    const perform = PERFORM[name];
    if (!perform) throw new Error(`${file}: cannot do ${name}`);
    console.log(`deploy: ${name} ${rest}`);
    perform({rest, stage: stages.at(-1), stages, context, work});
  }
  return stages.at(-1);
}

function instructions(text) {
  return text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line)?.slice(1) ?? [line, '']);
}

const PERFORM = {
  FROM({rest, stages, work}) {
    const [, image, name] = /^(\S+)(?: AS (\S+))?$/.exec(rest);
    const root = path.join(work, `stage-${stages.length}`);
    mkdirSync(root);
    stages.push({image, name, root, folder: root, env: {}});
  },
  WORKDIR({rest, stage}) {
    stage.folder = path.join(stage.root, rest);
    mkdirSync(stage.folder, {recursive: true});
  },
  ENV({rest, stage}) {
    for (const pair of rest.split(/\s+/)) {
      const [name, value] = pair.split('=');
      stage.env[name] = value;
    }
  },
  COPY({rest, stage, stages, context}) {
    const words = rest.split(/\s+/);
    const [, from] = /^--from=(.*)$/.exec(words[0]) ?? [];
    if (from !== undefined) words.shift();
    const source = from === undefined ? context : stages.find(({name}) => name === from).root;
    const target = path.resolve(stage.folder, words.pop());
    for (const word of words) copy(path.join(source, word), target, rest.endsWith('/'));
  },
  RUN({rest, stage}) {
    const env = {...process.env, ...stage.env};
    const {status} = spawnSync('sh', ['-c', rest], {cwd: stage.folder, env, stdio: 'inherit'});
    if (status !== 0) throw new Error(`RUN ${rest} ended with ${status}`);
  },
  USER({rest, stage}) {
    stage.user = rest;
  },
  HEALTHCHECK({rest, stage}) {
    stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4));
  },
  ENTRYPOINT({rest, stage}) {
    stage.entrypoint = JSON.parse(rest);
  },
  CMD({rest, stage}) {
    stage.command = JSON.parse(rest);
  },
  EXPOSE() {},
};

// Copies the content of a folder, or a file under its name, as COPY does.
function copy(source, target, intoFolder) {
  const isFolder = statSync(source).isDirectory();
  const end = !isFolder && intoFolder ? path.join(target, path.basename(source)) : target;
  mkdirSync(path.dirname(end), {recursive: true});
  cpSync(source, end, {recursive: true, verbatimSymlinks: true});
}

/**
 * Removes the files named in a .dockerignore from a context: plain names, and `**` before a name.
 */
export function ignoreFiles(file, context) {
  const patterns = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  for (const pattern of patterns) {
    const name = pattern.replace(/^\*\*\//, '');
    if (name === pattern) rmSync(path.join(context, pattern), {recursive: true, force: true});
    else spawnSync('find', [context, '-name', name, '-delete']);
  }
}
