/**
 * The address of a repository for package.json, from that of a git remote; undefined for one that only
 * this machine can reach. Credentials are left out.
 */
export function repositoryOf(remote) {
  const short = /^(?:([\w.-]+)@)?([\w-]+(?:\.[\w-]+)+):(?!\/\/)\/?([\w./~-]+)$/.exec(remote);
  if (short) return `git+ssh://${short[1] ?? 'git'}@${short[2]}/${short[3]}`;
  if (!URL.canParse(remote)) return undefined;
  const {protocol, username, host, hostname, pathname} = new URL(remote);
  if (!/^(?:https?|ssh|git):$/.test(protocol) || isLocal(hostname)) return undefined;
  const user = protocol === 'ssh:' && username !== '' ? `${username}@` : '';
  const scheme = protocol === 'git:' ? 'git:' : `git+${protocol}`;
  return `${scheme}//${user}${host}${pathname}`;
}

function isLocal(hostname) {
  return !hostname.includes('.') || /^(?:127\.|0\.|\[|.*\.local(?:host)?$)/.test(hostname);
}
