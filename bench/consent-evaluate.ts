import { assert } from '../packages/faults/fault.ts'
import { openDatabase } from '../packages/sql/database.ts'
import { silentLog } from '../packages/log/log.ts'
import { evaluate } from '../services/consent/evaluate.ts'
import { readCandidates } from '../services/consent/store/candidates.ts'
import type { ConsentServers } from './consent-evaluate/server.ts'
import { fillRecords, migrateConsent } from './consent-evaluate/records.ts'
import { openSide, questionNumber, type Side } from './consent-evaluate/side.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { KeptConnection, postRequest } from './harness/kept-connection.ts'
import { repeat } from './harness/repeat.ts'
import { startServer } from './harness/start-server.ts'

/** Callers that each wait for their own decision before they ask again, as pipelines and gates do. */
const callers = 64
const connections = 32
const few = 10_000
const many = 1_000_000
const asker = { subject: 'client:bench', clientId: 'bench', peer: null, requestId: null }

interface World extends AsyncDisposable {
  readonly few: Side
  readonly many: Side
  readonly servers: ConsentServers
}

export default benchmark<World>({
  name: 'consent-evaluate',
  title: `${callers} callers ask for audited decisions over ${many} consents of ${many / 5} patients, and over ${few}`,
  unit: 'decisions/s',
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const urls: [string, string] = [
      await filledDatabase(few, stack, progress),
      await filledDatabase(many, stack, progress),
    ]
    const sides = { few: stack.use(await openSide(urls[0])), many: stack.use(await openSide(urls[1])) }
    progress('starting the service in a process of its own')
    const program = new URL('consent-evaluate/server', import.meta.url)
    const { printed: servers } = stack.use(await startServer<ConsentServers>(program, urls))
    const owned = stack.move()
    return { ...sides, servers, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    'in-process, one query each': ({ many: { deps, database } }, round) => {
      const candidates = {
        read: async (wanted: Parameters<typeof deps.candidates.read>[0]) =>
          (await readCandidates([wanted], database))[0] ?? [],
        close: async () => {},
      }
      return decisions({ ...deps, candidates }, many, round)
    },
    'in-process, batched': (world, round) => decisions(world.many.deps, many, round),
    'in-process, batched, few records': (world, round) => decisions(world.few.deps, few, round),
    HTTP: (world, round) => overHttp(world.servers, 1, many, round),
    'HTTP, few records': (world, round) => overHttp(world.servers, 0, few, round),
  },
})

async function decisions(deps: Side['deps'], records: number, round: Round): Promise<number> {
  const figure = await repeat(round, callers, (number) => evaluate(questionNumber(number, records), asker, deps))
  await deps.audit.written()
  return figure
}

async function overHttp(
  { urls, token }: ConsentServers,
  index: number,
  records: number,
  round: Round,
): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const requests = Array.from({ length: 2_000 }, (_, number) => {
    const { patientId, actorReferences, resourceType, operation } = questionNumber(number, records)
    const query = new URLSearchParams({ patientId, resourceType, fhirOperation: operation })
    for (const actor of actorReferences) query.append('actorReference', actor)
    return postRequest(`/api/consent/evaluate?${query.toString()}`, { headers })
  })
  const free = Array.from({ length: connections }, () => new KeptConnection(urls[index] ?? ''))
  const figure = await repeat(round, connections, async (number) => {
    const connection = free.pop()
    assert(connection !== undefined, 'there are as many connections as callers')
    await connection.ask(requests[number % requests.length] ?? '')
    free.push(connection)
  })
  for (const connection of free) connection.close()
  return figure
}

async function filledDatabase(
  records: number,
  stack: AsyncDisposableStack,
  progress: (text: string) => void,
): Promise<string> {
  const { url } = stack.use(await startDurableDatabase(progress))
  await migrateConsent(url)
  progress(`recording ${records} consents`)
  const database = await openDatabase({ url, poolMax: 1, statementTimeoutMs: 300_000, log: silentLog })
  await fillRecords(database, records)
  await database.close()
  return url
}
