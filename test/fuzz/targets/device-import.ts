import {isDeepStrictEqual} from 'node:util';
import {PaylensError, resultOrError} from '../../../src/contract/paylens-error.js';
import {DeviceCollector, importLines} from '../../../src/service/registry/device-import.js';
import {parseDeviceLine} from '../../../src/service/registry/device-line.js';
import {DeviceRegistry} from '../../../src/service/registry/device-registry.js';
import {demand, type FuzzTarget, shapeOf} from '../fuzz-target.js';
import {kindOf, textOf} from './errors.js';

const SEEDS = [
  'partnerId,serial,clientId,status,firmware\r\nA,1,,active,1.0;1.1\r\n"B ""x""","2,3",c,stored,\r\n',
  'Serial,Partner ID\n001,A\n1,A\n,A\n"unclosed,A\n2,B\r3,C\n',
  'serial\n1\n2\n\n3',
  '{"partnerId":"A","serial":"1","status":"active"}\n{"partnerId":"A","serial":"01"}\n\n[]\n{"serial":7}',
  '{"partnerId":"A","serial":"S","clientId":"c","status":"stored","firmware":["1"],"note":"x"}',
];

/** Devices to import, as CSV and as JSONL. */
export const deviceImportTarget: FuzzTarget = {
  name: 'device-import',
  tokens: ['"', '""', '\r\n', '\n', ',', ';', 'serial', 'partnerId', 'active', '\ufeff', '\u2028'],
  seeds: () => SEEDS.map((text) => [text]),
  run: ([text = '']) => {
    const answers = (['csv', 'jsonl'] as const).map((format) => imported(text, format));
    return {
      features: answers.flatMap(({features}) => features),
      answer: JSON.stringify(answers),
    };
  },
};

function imported(text: string, format: 'csv' | 'jsonl') {
  const defaults = {partnerId: 'A', status: 'active'} as const;
  const registry = new DeviceRegistry();
  let last = 0;
  const outcome = resultOrError(() => {
    const collector = new DeviceCollector(registry);
    for (const each of importLines(text, format, defaults)) {
      demand(each.line > last, 'lines come in their order');
      last = each.line;
      collector.take(each);
    }
    return collector;
  });
  if (outcome instanceof PaylensError)
    return {features: [kindOf(outcome)], answer: textOf(outcome)};
  const {devices, faults} = outcome;
  demand(registry.size === devices.length, 'every device is registered once');
  demand(last <= text.split('\n').length, 'no line stands behind the last');
  if (format === 'jsonl') demandEachLine(text, devices.length + faults.length);
  for (const {text: line, device} of devices) {
    demand(!line.includes('\n'), 'a device takes one line');
    const again = parseDeviceLine(line, 'it').device;
    demand(
      isDeepStrictEqual({...again}, JSON.parse(JSON.stringify(device))),
      'it reads as written',
    );
  }
  const features = faults.map(({fault}) => shapeOf(fault));
  return {features: [...features, `${Math.min(devices.length, 4)}`], answer: {devices, faults}};
}

function demandEachLine(text: string, answered: number): void {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  demand(lines.length === answered, `${answered} answers for ${lines.length} lines`);
}
