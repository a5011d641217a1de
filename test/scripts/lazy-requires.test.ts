import {describe, expect, it} from 'vitest';
import {inlineRequires} from '../../scripts/build/lazy-requires.mjs';

describe('lazy requires', () => {
  it('load a module where it is used', () => {
    const text = 'const ux_1 = require("./ux");\n(0, ux_1.write)(new ux_1.Line());\n';
    expect(inlineRequires(text)).toBe(
      '(0, (require("./ux")).write)(new (require("./ux")).Line());\n',
    );
  });

  it('keep the default export of a module', () => {
    const text = 'const cache_1 = __importDefault(require("./cache"));\ncache_1.default.get();\n';
    expect(inlineRequires(text)).toBe('(__importDefault(require("./cache"))).default.get();\n');
  });

  it('load what is hardly ever needed from the dependencies of oclif', () => {
    const text = 'const ejs_1 = __importDefault(require("ejs"));\nejs_1.default.render("");\n';
    expect(inlineRequires(text)).toBe('(__importDefault(fromOclif("ejs"))).default.render("");\n');
  });

  it('leave other names alone', () => {
    const text = 'const path = require("path");\nconst a_1 = 1;\n';
    expect(inlineRequires(text)).toBe(text);
  });
});
