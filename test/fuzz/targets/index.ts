import type {FuzzTarget} from '../fuzz-target.js';
import {authorizationTarget} from './authorization.js';
import {deviceImportTarget} from './device-import.js';
import {diagnosisTarget} from './diagnosis.js';
import {jsonBodyTarget} from './json-body.js';
import {keyBlockTarget} from './key-block.js';
import {keyfileContainerTarget, keyfileTarget} from './keyfile.js';
import {plaintextTarget} from './plaintext.js';
import {readerTargets} from './readers.js';
import {recognitionTarget} from './recognition.js';
import {tlvTarget} from './tlv.js';

/** Everything that is fuzzed. */
export const TARGETS: readonly FuzzTarget[] = [
  ...readerTargets,
  recognitionTarget,
  plaintextTarget,
  tlvTarget,
  authorizationTarget,
  jsonBodyTarget,
  keyfileTarget,
  keyfileContainerTarget,
  keyBlockTarget,
  diagnosisTarget,
  deviceImportTarget,
];
