import {useEffect, useState} from 'preact/hooks';

/** Also checked each time the page gets the focus. */
const EVERY_MS = 60_000;

/**
 * Whether the server that the page came from has another page by now: the policy that it answers with
 * names its script and style. A page opened as a file makes no network requests.
 */
export function useOlder(): boolean {
  const [isOlder, setOlder] = useState(false);
  useEffect(() => {
    const own = ownPolicy();
    if (isOlder || !own.includes("connect-src 'self'")) return;
    const look = async () => {
      if (document.hidden) return;
      const served = sourcesOf(await servedPolicy());
      if (served !== undefined && served !== sourcesOf(own)) setOlder(true);
    };
    const timer = setInterval(look, EVERY_MS);
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isOlder]);
  return isOlder;
}

function ownPolicy(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[http-equiv=content-security-policy]');
  return meta?.content ?? '';
}

/** Empty: the server is away, or not one of paylens. */
async function servedPolicy(): Promise<string> {
  try {
    const {headers} = await fetch(location.pathname, {method: 'HEAD', cache: 'no-store'});
    return headers.get('content-security-policy') ?? '';
  } catch {
    return '';
  }
}

function sourcesOf(policy: string): string | undefined {
  return /script-src 'sha256-[^;]+; style-src [^;]+/.exec(policy)?.[0];
}
