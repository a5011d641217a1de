import {describe, expect, it} from 'vitest';
import {inlineRequires} from '../../scripts/build/lazy-requires.mjs';

const inlined = (text: string) => inlineRequires(text).toString().trim();

describe('lazy requires', () => {
  it('load a module where it is used', () => {
    const text = 'const ux_1 = require("./ux");\n(0, ux_1.write)(new ux_1.Line());\n';
    expect(inlined(text)).toBe('(0, (require("./ux")).write)(new (require("./ux")).Line());');
  });

  it('keep the default export of a module', () => {
    const text = 'const cache_1 = __importDefault(require("./cache"));\ncache_1.default.get();\n';
    expect(inlined(text)).toBe('(__importDefault(require("./cache"))).default.get();');
  });

  it('load what a module passes on when it is asked for', () => {
    const text = 'var run_1 = require("./run");\nconst get = () => run_1.run;\n';
    expect(inlined(text)).toBe('const get = () => (require("./run")).run;');
  });

  it.each([
    ['names', 'const path = require("path");\nconst a_1 = 1;\n'],
    ['texts and comments', 'const b_1 = 2;\n"const ux_1 = require(x)";\n// ux_1\n'],
    ['requires of a function', 'function f() {\n  const ux_1 = require("./ux");\n  ux_1.f();\n}\n'],
  ])('leave other %s alone', (_, text) => {
    expect(inlined(text)).toBe(text.trim());
  });

  it('leave a name in a text alone', () => {
    const text = 'const ux_1 = require("./ux");\nlog("ux_1");\nux_1.write();\n';
    expect(inlined(text)).toBe('log("ux_1");\n(require("./ux")).write();');
  });
});
