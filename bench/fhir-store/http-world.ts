import type { BenchmarkSetup, Round } from '../harness/benchmark.ts'
import { startDurableDatabase } from '../harness/durable-database.ts'
import { httpLoad } from '../harness/http-load.ts'
import { startServer } from '../harness/start-server.ts'
import type { FhirServer } from './server.ts'
import { storeWorld } from './store-world.ts'

/** The FHIR service in a process of its own, over a filled database. */
export interface HttpWorld extends AsyncDisposable {
  /** GET of these addresses below the base, each connection in turn; answers with requests a second. */
  get(paths: readonly string[], round: Round): Promise<number>
  /** What the service's process has of the machine's memory, in MB. */
  memory(): number
}

export const connections = 32
export const resources = 100_000

export async function httpWorld({ progress }: BenchmarkSetup): Promise<HttpWorld> {
  await using stack = new AsyncDisposableStack()
  const { url: databaseUrl } = stack.use(await startDurableDatabase(progress))
  await (await storeWorld(databaseUrl, resources, progress))[Symbol.asyncDispose]()
  progress('starting the service in a process of its own')
  const program = new URL('server', import.meta.url)
  const { child, printed } = stack.use(await startServer<FhirServer>(program, [databaseUrl]))
  const { url, token } = printed
  await child.waitForLine(/^memory/)
  const owned = stack.move()
  return {
    get(paths, round) {
      const requests = paths.map((path) => ({ method: 'GET', path: `/fhir/${path}` }))
      return httpLoad({ url, connections, headers: { authorization: `Bearer ${token}` }, requests }, round)
    },
    memory: () => Number(child.lines.findLast((line) => line.startsWith('memory'))?.slice('memory '.length)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const patients = resources / 10

/** A hundred patients, in an order that no cache can guess. */
export const pathsOf = (path: (patient: number) => string): string[] =>
  Array.from({ length: 100 }, (_, number) => path((number * 7_919) % patients))
