import {PaylensError} from '../../contract/paylens-error.js';
import {COMPILES_DES} from '../../platform/compiles-des.js';
import {compiledDes} from './des-compiled.js';
import {fillDesTables} from './des-fill.js';
import type {DesKernel} from './des-memory.js';
import {SCALAR_DES} from './des-scalar.js';
import {isRightDes} from './des-self-test.js';

/**
 * The DES kernel (FIPS 46-3, NIST SP 800-67): plain code first, and WebAssembly where much is
 * decrypted. Like every table-driven DES, OpenSSL's included, it does not run in constant time.
 */

/** Compiling takes as long as some thousand reads gain by it. */
const USES_BEFORE_COMPILING = 10_000;

let kernel: DesKernel | undefined;
let uses = 0;

/** The kernel, which may be another one at the next call. Throws 1 if its self-test fails. */
export function desKernel(): DesKernel {
  if (uses > USES_BEFORE_COMPILING && kernel) return kernel;
  if (!kernel) {
    fillDesTables();
    if (!isRightDes(SCALAR_DES)) throw new PaylensError(1, 'the DES kernel failed its self-test');
    kernel = SCALAR_DES;
  }
  if (uses++ === USES_BEFORE_COMPILING) {
    const compiled = COMPILES_DES ? compiledDes() : undefined;
    if (compiled && isRightDes(compiled)) kernel = compiled;
  }
  return kernel;
}
