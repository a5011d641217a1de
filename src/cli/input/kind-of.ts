import {statSync} from 'node:fs';

/** What has this name, if anything: pipes and devices can be read as files are. */
export function kindOf(name: string): 'file' | 'folder' | undefined {
  try {
    return statSync(name).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}
