import {unlinkSync} from 'node:fs';
import {unlink} from 'node:fs/promises';

const kept = new Set<string>();

/** Notes a file of this process that is to be gone when it ends, however it ends. */
export function addTemporary(path: string): void {
  kept.add(path);
}

/** Forgets a file that turned out not to be of this process. */
export function forgetTemporary(path: string): void {
  kept.delete(path);
}

/** Removes a file that was noted, if it is still there. */
export async function removeTemporary(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
  kept.delete(path);
}

/** Removes all that are left, for a process that ends in the middle of its work. */
export function removeAllTemporary(): void {
  for (const path of kept) {
    try {
      unlinkSync(path);
    } catch {
      // It is gone, or was not there yet.
    }
  }
  kept.clear();
}
