// ESLint for one subject: no regular expression takes more than linear time. Biome checks the rest.
import regexp from 'eslint-plugin-regexp';
import * as parser from './oxc-for-eslint.mjs';

export default [
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    languageOptions: {parser},
    plugins: {regexp},
    rules: {
      'regexp/no-super-linear-backtracking': ['error', {report: 'potential'}],
      // A sticky expression is tried at one place, so it cannot move.
      'regexp/no-super-linear-move': ['error', {ignorePartial: false, ignoreSticky: true}],
    },
  },
];
