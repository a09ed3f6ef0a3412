import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { PassBoundary } from '../../../services/bridge/pipeline/boundaries.ts'
import type { Outcome } from '../../../services/bridge/pipeline/outcome.ts'
import type { Received } from '../../../services/bridge/pipeline/received.ts'

/** The tables of the store below, in the bridge's own database. */
export const numberedTables = sql`
  create table public.patients (
    patient text primary key,
    last integer not null,
    -- How often a message came that is not the next one, nor the last one again.
    wrong integer not null
  )`

/**
 * In the place of ENRICH to PERSIST: a patient's messages are numbered (control id `patient-number`), and a message is
 * applied by setting the number. The same one again changes nothing, as with conditional updates; any other number than
 * the next is counted as wrong.
 */
export function numberedStore(
  database: Database,
  passBoundary: PassBoundary,
): (received: Received) => Promise<Outcome> {
  return async ({ message }) => {
    const [patient = '', number = ''] = (message.getText('MSH-10') ?? '').split('-')
    passBoundary('enriched')
    passBoundary('transformed')
    passBoundary('governed')
    await database.run(sql`
      insert into public.patients as p (patient, last, wrong) values (${patient}, ${Number(number)}, ${number === '1' ? 0 : 1})
      on conflict (patient) do update set
        wrong = p.wrong + case when excluded.last in (p.last, p.last + 1) then 0 else 1 end,
        last = excluded.last`)
    passBoundary('stored')
    return {
      ...{ status: 'SUCCESS', stage: 'PERSIST', stageMs: {}, resources: [], warnings: {}, unmapped: [] },
      isStale: false,
    }
  }
}
