import {createHash} from 'node:crypto';
import {redactCardNumbers} from '../src/contract/masks/redact-card-numbers.js';
import {type Goal, heading, tell} from './report.js';

const LOG_CHARS = 10_000_000;
const MIN_MB_PER_SECOND = 5;

/** Masks a mixed log of 10 MB, line by line as the service does, and in one text. */
export function benchMasks(): Goal[] {
  const lines = mixedLog();
  const log = lines.join('\n');
  heading('masks: a mixed log of 10 MB');
  const byLine = rate(() => lines.forEach(redactCardNumbers));
  const atOnce = rate(() => redactCardNumbers(log));
  tell('line by line', `${byLine.toFixed(1)} MB/s`);
  tell('in one text', `${atOnce.toFixed(1)} MB/s`);
  return [
    {name: 'masks line by line', wanted: 1, found: byLine / MIN_MB_PER_SECOND},
    {name: 'masks of one text', wanted: 1, found: atOnce / MIN_MB_PER_SECOND},
  ];
}

function rate(run: () => void): number {
  const rounds = Array.from({length: 3}, () => {
    const before = process.cpuUsage();
    run();
    const {user, system} = process.cpuUsage(before);
    return user + system;
  });
  return LOG_CHARS / Math.min(...rounds);
}

/** Records of services and web servers, payloads in hex and base64, tracks, sentences. */
function mixedLog(): string[] {
  const lines: string[] = [];
  for (let i = 0, chars = 0; chars < LOG_CHARS; i++) {
    const line = mixedLine(i);
    lines.push(line);
    chars += line.length + 1;
  }
  return lines;
}

function mixedLine(i: number): string {
  const time = new Date(1_795_342_079_123 + i * 1237).toISOString();
  const payload = createHash('sha512').update(String(i)).digest();
  const kinds = [
    `{"level":30,"time":"${time}","messageId":"1201607010023571033712211","status":200,"ms":12.3}`,
    `${time} INFO [main] 192.168.100.${i % 256} - handled ${i} requests in ${i % 977} ms`,
    `{"devicePayload":"${payload.toString('hex')}","ksn":"FFFF9876543210E00001"}`,
    `{"body":"{\\"deviceType\\":\\"idtech\\",\\"payload\\":\\"${payload.toString('base64')}\\"}"}`,
    'pan=4111111111111111 track=;4111111111111111=25121011?',
    `GET /v1/a?x=%7B%22a%22%3A1%7D&t=${i} 200`,
    'A sentence without many numbers, as errors and hints of programs have them in their logs.',
  ];
  return kinds[i % kinds.length] ?? '';
}
