// Rules on names and conditions that a pattern can find. `node scripts/checks/name-rules.mjs` lists
// every place.
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {filesBelow, readSource} from './sources.mjs';

const RULES = {
  'limits not called MAX_ or MIN_':
    /\b(?:MOST|LEAST|LONGEST|SHORTEST|FEWEST|FARTHEST)_[A-Z_]+(?= =|:)/g,
  'functions called demand...': /\bfunction demand[A-Z]\w*/g,
  /** A decision of the program must not depend on the wording of a message. */
  'conditions on a wording':
    /(?:===?|!==?) (?:\w+[.?]+)*(?:error|fact|reading|fault|verdict|refusal|reason)\??\.(?:message|detail|form|text)\b|\b(?:error|fact|reading|fault|verdict|refusal|reason)\??\.(?:message|detail|form|text)(?: [!=]==|\??\.(?:includes|startsWith|endsWith|match)\()/g,
};

/** By rule, the places that break it. */
export function faultsByRule(sources) {
  return Object.fromEntries(
    Object.entries(RULES).map(([rule, pattern]) => [
      rule,
      sources.flatMap(({file, text}) =>
        [...text.matchAll(pattern)].map(({0: found, index}) => {
          const line = text.slice(0, index).split('\n').length;
          return `${file}:${line}: ${found.trim()}`;
        }),
      ),
    ]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.resolve(fileURLToPath(new URL('../..', import.meta.url)));
  const files = filesBelow(root, 'src').filter((file) => /\.tsx?$/.test(file));
  for (const [rule, places] of Object.entries(
    faultsByRule(files.map((file) => readSource(root, file))),
  )) {
    console.log(`${rule}: ${places.length}\n${places.map((place) => `  ${place}`).join('\n')}`);
  }
}
