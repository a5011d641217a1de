import {authenticationCases, signingCases} from './authentication.js';
import {linesOf} from './case.js';
import {dukptCases, kcvCases, keyBlockCases} from './cryptography.js';
import {diagnosisCases, sampleCases, simulatedCases, TERMINAL_TYPES} from './payloads.js';

/** A line for each case by kind: its name, and the SHA-256 of the answer. */
export type Answers = Readonly<Record<string, readonly string[]>>;

/** The answers of this runtime to every case. */
export async function answerAll(): Promise<Answers> {
  const answers: Record<string, readonly string[]> = {
    'TDES DUKPT': await linesOf(dukptCases('tdes')),
    'AES DUKPT': await linesOf(dukptCases('aes')),
    'key check values': await linesOf(kcvCases()),
    'key blocks': await linesOf(keyBlockCases()),
    authentication: await linesOf(authenticationCases()),
    signatures: await linesOf(signingCases()),
    samples: await linesOf(sampleCases()),
    diagnoses: await linesOf(diagnosisCases()),
  };
  for (const type of TERMINAL_TYPES) {
    answers[`simulated ${type}`] = await linesOf(await simulatedCases(type));
  }
  return answers;
}
