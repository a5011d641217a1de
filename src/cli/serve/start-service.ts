import type {LaunchOptions} from '../../service/launch-options.js';
import type {RegistrySource} from '../../service/registry/registry-source.js';
import {logWriter} from '../output/output.js';

/** A service that was started. */
export interface RunningService {
  readonly url: string;
  /** Reads the registry again and uses it; returns the number of devices. */
  readonly reload: () => Promise<number>;
  /** Lets requests in flight finish. */
  readonly close: () => Promise<void>;
}

/** How a service is started. */
export interface ServiceStart {
  /** Reads the registry; absent in demo and mock. */
  readonly load: (() => Promise<RegistrySource>) | undefined;
  readonly service: Omit<LaunchOptions, 'registry' | 'writeLog'>;
}

/** Starts a service. Throws the errors of loading and starting. */
export async function startService({load, service}: ServiceStart): Promise<RunningService> {
  const {registryOf} = await import('../../service/registry/registry-source.js');
  const {demoRegistry} = await import('../../service/registry/demo-registry.js');
  const open = async () => (load ? registryOf(await load()) : demoRegistry());
  const {launch} = await import('../../service/launch.js');
  const writeLog = logWriter(service.logForm?.form);
  const {url, close, reload} = await launch({...service, registry: await open(), writeLog});
  return {
    url,
    close,
    reload: async () => {
      const registry = await open();
      reload(registry);
      return registry.devices.size;
    },
  };
}
