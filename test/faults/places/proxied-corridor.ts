import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { startFaultProxy, type FaultProxy } from '../../../packages/testkit/fault-proxy.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { basePath } from './base-path.ts'

export interface ProxiedCorridor extends AsyncDisposable {
  readonly corridor: TestCorridor
  readonly proxy: FaultProxy
  /** The test's own eyes. */
  readonly database: Database
}

/** The services that a message passes through, with a proxy before one of them: whoever calls it meets the proxy. */
export async function proxiedCorridor(
  dependency: 'fhir' | 'consent',
  settings: Readonly<Record<string, string>>,
): Promise<ProxiedCorridor> {
  await using made = new AsyncDisposableStack()
  const port = await freePort()
  const proxy = made.use(await startFaultProxy({ port }))
  const corridor = made.use(
    await testCorridor({
      ...{ services: ['auth', 'fhir', 'consent', 'bridge'], apart: true },
      settings: {
        [`${dependency}.port`]: String(port),
        [`${dependency}.url`]: `${proxy.url}${basePath(dependency)}`,
        ...settings,
      },
    }),
  )
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  made.defer(() => database.close())
  const owned = made.move()
  return { corridor, proxy, database, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
