import { systemClock } from '../packages/clock/clock.ts'
import { seededRandom } from '../packages/clock/ids.ts'
import type { Patient } from '../packages/fhir/r4.ts'
import { silentLog } from '../packages/log/log.ts'
import { openDatabase, type Database } from '../packages/sql/database.ts'
import { Metrics } from '../packages/metrics/metrics.ts'
import { kitMigrations, migrate } from '../packages/sql/migrate/migrate.ts'
import { sql } from '../packages/sql/sql.ts'
import { corrupted } from '../services/fhir/patient-index/evaluation/corruptions.ts'
import { pick, population } from '../services/fhir/patient-index/evaluation/population.ts'
import { stranger } from '../services/fhir/patient-index/evaluation/strangers.ts'
import { findMatches } from '../services/fhir/patient-index/find-matches.ts'
import { indexingPatients, type StoredPatient } from '../services/fhir/patient-index/index-patients.ts'
import { indexMetrics, type IndexMetrics } from '../services/fhir/patient-index/index-metrics.ts'
import { NamesInUse } from '../services/fhir/patient-index/names-in-use.ts'
import { personOf } from '../services/fhir/patient-index/person.ts'
import { benchmark } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { repeat } from './harness/repeat.ts'

/** One index of so many patients, and people to look for in it. */
interface Index {
  readonly database: Database
  readonly names: NamesInUse
  readonly indexMetrics: IndexMetrics
  readonly queries: readonly Patient[]
}

interface World extends AsyncDisposable {
  readonly small: Index
  readonly large: Index
}

const batchSize = 32

export default benchmark<World>({
  name: 'patient-match',
  title: `a patient is looked for among 10,000 and 100,000: one by one, four at once, ${batchSize} in one call`,
  unit: 'patients/s',
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const small = await index(10_000, stack, progress)
    const large = await index(100_000, stack, progress)
    const owned = stack.move()
    return { small, large, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: {
    'one of 10,000': ({ small }, round) => repeat(round, 1, (number) => find(small, number, 1)),
    'one of 100,000': ({ large }, round) => repeat(round, 1, (number) => find(large, number, 1)),
    'four at once of 100,000': ({ large }, round) => repeat(round, 4, (number) => find(large, number, 1)),
    // One call brings a whole batch; its latency is that of the batch.
    'batches of 100,000': async ({ large }, round) =>
      batchSize * (await repeat(round, 1, (number) => find(large, number * batchSize, batchSize))),
  },
})

function find({ queries, ...deps }: Index, start: number, count: number): Promise<unknown> {
  const people = Array.from({ length: count }, (_, at) => queries[(start + at) % queries.length])
  return findMatches(
    people.map((patient) => personOf(patient ?? { resourceType: 'Patient' })),
    deps,
  )
}

async function index(size: number, stack: AsyncDisposableStack, progress: (text: string) => void): Promise<Index> {
  const { url } = stack.use(await startDurableDatabase(progress))
  await migrate(url, [
    kitMigrations,
    { owner: 'fhir', folder: new URL('../services/fhir/migrations/', import.meta.url) },
  ])
  const database = await openDatabase({ url, poolMax: 8, log: silentLog })
  stack.defer(() => database.close())
  const random = seededRandom(1)
  const patients = population(size, random)
  await fill(patients, database, progress)
  const queries = Array.from({ length: 5_000 }, (_, number) =>
    random.below(4) > 0
      ? corrupted(pick(patients, random), `q${number}`, random)
      : stranger(`q${number}`, patients, random),
  )
  const names = new NamesInUse({ database, clock: systemClock, log: silentLog })
  await names.frequency()
  return { database, names, indexMetrics: indexMetrics(new Metrics()), queries }
}

async function fill(patients: readonly Patient[], database: Database, progress: (text: string) => void): Promise<void> {
  for (let start = 0; start < patients.length; start += 2_000) {
    // Sound: the population gives every patient an id.
    const part = patients.slice(start, start + 2_000) as StoredPatient[]
    await database.transaction((tx) => tx.together(indexingPatients(part)))
    progress(`${start + part.length} of ${patients.length} patients indexed`)
  }
  await database.run(sql`analyze fhir.index_people`)
  await database.run(sql`analyze fhir.index_keys`)
}
