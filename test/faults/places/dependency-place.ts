import { serviceNames, type ServiceName } from '../../../apps/corridor/service-names.ts'
import { startFaultProxy, type FaultProxy } from '../../../packages/testkit/fault-proxy.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { basePath } from './base-path.ts'

/** What other services call. */
export const dependencies = ['auth', 'fhir', 'consent'] as const

export type Dependency = (typeof dependencies)[number]

/**
 * Services that call each other at their addresses, and those addresses lead through proxies that can come in between.
 * The authorization server runs by itself, since whoever shares a process with it needs nobody to check a token.
 */
export async function dependencyPlace(): Promise<DependencyPlace> {
  const owned = new AsyncDisposableStack()
  const ports = new Map<ServiceName, number>()
  const proxies = new Map<Dependency, FaultProxy>()
  for (const name of dependencies) {
    const port = await freePort()
    ports.set(name, port)
    proxies.set(name, owned.use(await startFaultProxy({ port })))
  }
  const urlOf = (name: Dependency) => `${proxies.get(name)?.url}${basePath(name)}`
  const immunization = await freePort()
  const settings = {
    ...Object.fromEntries(
      dependencies.flatMap((name) => [
        [`${name}.port`, String(ports.get(name))],
        [`${name}.url`, urlOf(name)],
      ]),
    ),
    ...{ 'immunization.port': String(immunization), 'outbound.deadlineMs': '4000', 'bridge.breaker.openMs': '100' },
    ...{ 'bridge.consent.timeoutMs': '4000' },
    // As after five minutes: a sender is known because the registry, which is the store, cannot be asked.
    'bridge.registry.cacheSeconds': '0',
  }
  const auth = owned.use(await testCorridor({ services: ['auth'], settings }))
  const others = serviceNames.filter((name) => name !== 'auth')
  const corridor = owned.use(await testCorridor({ services: others, apart: true, settings }))
  return new DependencyPlace({ auth, corridor, proxies, ports, owned })
}

interface DependencyParts {
  readonly auth: TestCorridor
  readonly corridor: TestCorridor
  readonly proxies: ReadonlyMap<Dependency, FaultProxy>
  readonly ports: ReadonlyMap<ServiceName, number>
  readonly owned: AsyncDisposableStack
}

export class DependencyPlace implements AsyncDisposable {
  readonly corridor: TestCorridor
  readonly #parts: DependencyParts

  constructor(parts: DependencyParts) {
    this.#parts = parts
    this.corridor = parts.corridor
  }

  proxyOf(dependency: Dependency): FaultProxy {
    const proxy = this.#parts.proxies.get(dependency)
    if (proxy === undefined) throw new Error(`nothing stands before ${dependency}`)
    return proxy
  }

  /** Straight to a service: only others meet its proxy. */
  url(service: ServiceName): string {
    const port = this.#parts.ports.get(service)
    if (port === undefined) return this.corridor.url(service)
    return `http://127.0.0.1:${port}${basePath(service)}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.owned.disposeAsync()
  }
}
