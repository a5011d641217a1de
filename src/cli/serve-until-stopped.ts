import {PaylensError} from '../contract/paylens-error.js';
import type {LaunchedService, LaunchOptions} from '../service/launch.js';
import type {Registry} from '../service/service-state.js';

interface Serving {
  /** Makes the registry: at the start, and again at every SIGHUP. */
  readonly load: () => Promise<Registry>;
  readonly options: Omit<LaunchOptions, 'registry'>;
  readonly ready: (service: LaunchedService) => void;
}

/**
 * Serves until SIGTERM or SIGINT; a second one ends at once. A reload that fails keeps the registry
 * in force. Throws what loading and starting throw.
 */
export async function serveUntilStopped({load, options, ready}: Serving): Promise<void> {
  const registry = await load();
  const {launch} = await import('../service/launch.js');
  const service = await launch({...options, registry});
  const {logger} = service.log;
  process.on('SIGHUP', async () => {
    try {
      service.reload(await load());
      logger.info('reloaded');
    } catch (error) {
      const why = error instanceof PaylensError ? error.message : 'defect';
      logger.error({why}, 'reload failed: the old registry stays in force');
    }
  });
  ready(service);
  logger.info({url: service.url, mode: options.mode}, 'listening');
  const signal = await nextSignal();
  logger.info({signal}, 'stopping');
  process.once('SIGTERM', () => process.exit(0)).once('SIGINT', () => process.exit(0));
  await service.close();
  logger.info('stopped');
}

function nextSignal(): Promise<string> {
  process.removeAllListeners('SIGINT');
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM')).once('SIGINT', () => resolve('SIGINT'));
  });
}
