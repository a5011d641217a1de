import {OPERATIONS, pathOf} from '../../contract/operation.js';
import {CLAUSE} from '../clauses.js';
import type {Scenario} from '../scenario.js';
import {caseScenario, payloadRequest} from './contract-case.js';
import {success} from './expectations.js';
import {AUTHENTICATION_CASES} from './paylens-authentication.js';
import {HTTP_CASES} from './paylens-http.js';

/** What our contract adds to the interface. */
export const PAYLENS_CONTRACT: readonly Scenario[] = [
  ...[...HTTP_CASES, ...AUTHENTICATION_CASES].map((each) => caseScenario(each, 'paylens')),
  ...OPERATIONS.map(
    (operation): Scenario => ({
      id: `unversioned-${operation}`,
      title: `${operation} is also served without the version in the path`,
      clause: CLAUSE.paths,
      level: 'paylens',
      needs: operation === 'validate-partner' ? ['hmac'] : ['hmac', 'device', 'payload:idtech'],
      basis: [operation === 'validate-partner' ? 'hmac-valid' : `hmac-${operation}`],
      steps: ({device, payloads}) => {
        const bodies = {
          'validate-partner': {},
          'validate-device': device ?? {},
          'process-payload': payloadRequest(payloads?.idtech),
        };
        return [
          {
            operation,
            path: pathOf(operation, false),
            authentication: {method: 'hmac'},
            body: bodies[operation],
            expect: success(),
          },
        ];
      },
    }),
  ),
];
