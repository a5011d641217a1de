import {useEffect, useState} from 'preact/hooks';
import {useWindowEvents} from './use-window-events.js';

/** Also checked each time the page gets the focus. */
const EVERY_MS = 60_000;

/**
 * Whether the server that the page came from has another page by now: the policy that it answers with
 * names its script and style. A page opened as a file makes no network requests.
 */
export function useOlder(): boolean {
  const [isOlder, setOlder] = useState(false);
  const check = async () => {
    const own =
      document.querySelector<HTMLMetaElement>('meta[http-equiv=content-security-policy]')
        ?.content ?? '';
    if (isOlder || document.hidden || !own.includes("connect-src 'self'")) return;
    const served = sourcesIn(await servedPolicy());
    if (served !== undefined && served !== sourcesIn(own)) setOlder(true);
  };
  useWindowEvents({focus: check, visibilitychange: check});
  useEffect(() => {
    const timer = setInterval(check, EVERY_MS);
    return () => clearInterval(timer);
  }, [isOlder]);
  return isOlder;
}

/** Empty: the server cannot be reached, or is not one of paylens. */
async function servedPolicy(): Promise<string> {
  try {
    const {headers} = await fetch(location.pathname, {method: 'HEAD', cache: 'no-store'});
    return headers.get('content-security-policy') ?? '';
  } catch {
    return '';
  }
}

function sourcesIn(policy: string): string | undefined {
  return /script-src 'sha256-[^;]+; style-src [^;]+/.exec(policy)?.[0];
}
