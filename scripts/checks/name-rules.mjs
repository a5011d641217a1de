// Rules on names and conditions that a pattern can find. `figures.mjs --rules` lists every place.

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
