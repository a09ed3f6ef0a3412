import { systemClock } from '../../packages/clock/clock.ts'
import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../packages/sql/migrate.ts'
import { sql } from '../../packages/sql/sql.ts'
import { fullAccess } from '../../services/fhir/scopes/access.ts'
import { requiredValueSets } from '../../services/fhir/search/required-value-sets.ts'
import { createSearchEngine } from '../../services/fhir/search/search-engine.ts'
import { createIndexOf } from '../../services/fhir/store/index-rows.ts'
import { writeAll } from '../../services/fhir/store/write.ts'
import { patientRecord, resourcesPerPatient, type BenchResource } from './patient-record.ts'

export interface FilledStore extends AsyncDisposable {
  readonly patients: number
  /** Runs `Type?query` and answers with how many matched. */
  find(type: string, query: string): Promise<number>
}

const batchSize = 500
const fhirMigrations = { owner: 'fhir', folder: new URL('../../services/fhir/migrations/', import.meta.url) }

/** A database with so many resources, one record a patient. */
export async function filledStore(
  url: string,
  resources: number,
  progress: (text: string) => void,
): Promise<FilledStore> {
  await migrate(url, [kitMigrations, fhirMigrations])
  const database = await openDatabase({ url, poolMax: 8, log: silentLog })
  const definitions = await loadDefinitions()
  const engine = createSearchEngine({
    definitions,
    valueSets: requiredValueSets(definitions),
    clock: systemClock,
    ownBases: [],
  })
  const indexOf = createIndexOf(definitions, { ownBases: [] })
  const patients = Math.floor(resources / resourcesPerPatient)
  const changeOf = ({ id, ...resource }: BenchResource) => ({
    method: 'PUT' as const,
    type: resource.resourceType,
    target: { kind: 'id' as const, id, mayCreate: true },
    body: { resource, index: indexOf(resource.resourceType, resource) },
    access: fullAccess,
  })
  let waiting: BenchResource[] = []
  for (let number = 0; number < patients; number++) {
    waiting.push(...patientRecord(number, patients))
    if (waiting.length < batchSize && number < patients - 1) continue
    const changes = waiting.map(changeOf)
    await database.transaction((tx) => writeAll(changes, tx, { engine, clock: systemClock }))
    waiting = []
    if ((number + 1) % 1_000 === 0) progress(`${(number + 1) * resourcesPerPatient} of ${resources} resources`)
  }
  await analyze(database)
  return {
    patients,
    async find(type, query) {
      const request = { type, query, access: fullAccess, isStrict: true, base: 'http://bench' }
      return (await engine.search(request, database)).entries.length
    },
    [Symbol.asyncDispose]: () => database.close(),
  }
}

/** As autovacuum would have done by the time that somebody asks. */
async function analyze(database: Database): Promise<void> {
  await database.run(sql`vacuum analyze`)
}
