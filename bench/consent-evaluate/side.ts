import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds, systemRandom } from '../../packages/clock/ids.ts'
import { corridorConfiguration } from '../../apps/corridor/load-configuration.ts'
import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import type { AccessRequest } from '../../services/consent/access-request.ts'
import type { ConsentDeps } from '../../services/consent/deps.ts'
import { consentDeps } from '../../services/consent/service.ts'

export interface Side extends AsyncDisposable {
  readonly database: Database
  readonly deps: ConsentDeps
}

/** The consent service without its listener, on a database that is there. */
export async function openSide(url: string): Promise<Side> {
  const common = { clock: systemClock, log: silentLog, metrics: new Metrics() }
  const database = await openDatabase({ url, poolMax: 8, ...common })
  const outbound = makeOutbound({ origins: [], deadlineMs: 1_000, responseBytesMax: 1_000, ...common })
  const { consent } = corridorConfiguration({ demo: true, environment: {} }).configuration
  const deps = await consentDeps(consent, {
    ...common,
    ...{
      mode: 'demo',
      ids: systemIds,
      random: systemRandom,
      database,
      outbound,
      signingKeys: undefined,
      addresses: {},
      neighbours: {},
      graceMs: (wantedMs) => wantedMs,
    },
  })
  return {
    database,
    deps,
    async [Symbol.asyncDispose]() {
      await deps.audit.close()
      await outbound.close()
      await database.close()
    },
  }
}

export const recordsPerPatient = 5

/** A question about some patient, far from the one before. */
export function questionNumber(number: number, records: number): AccessRequest {
  const patients = records / recordsPerPatient
  return {
    patientId: `Patient/p${(number * 7_919) % patients}`,
    actorReferences: [`Organization/o${number % 40}`],
    resourceType: number % 3 === 0 ? 'Condition' : 'Observation',
    operation: number % 4 === 0 ? 'UPDATE' : 'READ',
    purposeOfUse: 'TREAT',
  }
}
