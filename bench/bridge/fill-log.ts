import type { Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'

interface PastMessages {
  readonly transactions: number
  /** The newest so many have their bytes and answers too. */
  readonly withBytes: number
  /** They came in evenly over so many days from then on. */
  readonly firstAt: Date
  readonly days: number
}

interface FillDeps {
  readonly database: Database
  readonly progress: (text: string) => void
}

/** A transaction log as messages of forty facilities about fifty thousand patients would have left it. */
export async function fillLog(past: PastMessages, { database, progress }: FillDeps): Promise<void> {
  const { transactions, withBytes } = past
  const size = transactions / parts
  for (let part = 0; part < parts; part++) {
    progress(`Writing transactions: ${part * size} of ${transactions}`)
    await writeTransactions(part * size, size, past, database)
  }
  progress(`Writing the bytes of the newest ${withBytes}`)
  await writeBytes(withBytes, database)
  await writeAnswers(withBytes, database)
  await rememberSeen(database)
  progress('Collecting statistics')
  await database.run(
    sql`vacuum analyze bridge.transactions, bridge.raw_messages, bridge.answers, bridge.seen, bridge.open_work`,
  )
}

/** Written in parts, so that somebody who waits sees that it goes on. */
const parts = 10

const idOf = (transactions: number) => sql`to_char(at, 'YYYYMMDD-HH24MISSMS') || '-FAC' || n % 40 || '-' ||
  lpad(to_hex((n * 2654435761) % ${transactions}::bigint), 12, '0')`

async function writeTransactions(from: number, count: number, past: PastMessages, database: Database) {
  const { transactions, firstAt, days } = past
  await database.run(sql`
    insert into bridge.transactions (id, channel_id, status, message_type, control_id, sending_application,
      sending_facility, facility_code, patient, patient_keys, golden_patient_id, fhir_resource_id, resources, warnings,
      stage, stage_ms, ack_code, error_code, attempts, is_stale, content_mismatch, peer, bytes, received_at,
      completed_at, duration_ms)
    select ${idOf(transactions)}, (array['adt', 'adt', 'oru', 'mdm'])[1 + n % 4],
      case when n % 50 = 0 then 'ERROR' when n % 211 = 0 then 'DUPLICATE' else 'SUCCESS' end,
      (array['ADT^A01', 'ADT^A08', 'ORU^R01', 'MDM^T02'])[1 + n % 4], 'C' || n, 'HIS', 'FAC' || n % 40, 'FAC' || n % 40,
      'Patient/p' || n % 50000, array['mrn-' || n % 50000], 'g' || n % 50000, 'Encounter/e' || n,
      ('[{"reference": "Patient/p' || n % 50000 || '", "type": "Patient", "operation": "update"}]')::jsonb,
      '{}', 'PERSIST', '{"ENRICH": 2.1, "TRANSFORM": 1.2, "GOVERN": 3, "PERSIST": 8.4}', 'AA',
      case when n % 50 = 0 then (array['CONSENT_DENIED', 'UNKNOWN_FACILITY'])[1 + n % 3 % 2] end,
      1, false, false, '10.0.0.1', 900, at, at, 5 + n % 90
    from (select n, ${firstAt}::timestamptz + n * (interval '1 day' * ${days}::int / ${transactions}::int) as at
      from generate_series(${from}::bigint, ${from + count - 1}::bigint) n) as numbered`)
}

async function writeBytes(count: number, database: Database) {
  await database.run(sql`
    insert into bridge.raw_messages (transaction_id, channel_id, message_type, control_id, sending_application,
      sending_facility, facility_code, patient_keys, peer, received_at, raw)
    select id, channel_id, message_type, control_id, sending_application, sending_facility, facility_code, patient_keys,
      peer, received_at,
      convert_to('MSH|^~\\&|HIS|' || sending_facility || '|HUB|CORRIDOR|20260304||' || message_type || '|' || control_id ||
        '|P|2.5.1' || chr(13) || 'PID|1||' || patient_keys[1] || '^^^CENTRAL^MR||' ||
        case when bytes % 7 = duration_ms % 7 then 'Okafor' else 'Mwangi' end || '^Ngozi||19840317|F' || chr(13) ||
        repeat('OBX|1|NM|718-7^Hemoglobin^LN||13.2|g/dL|12.0-16.0||||F' || chr(13), 8), 'UTF8')
    from bridge.transactions order by id desc limit ${count}`)
}

async function writeAnswers(count: number, database: Database) {
  await database.run(sql`
    insert into bridge.answers (transaction_id, ack)
    select id, convert_to('MSH|^~\\&|HUB|CORRIDOR|HIS|' || sending_facility || '|20260304||ACK|' || control_id ||
      '|P|2.5.1' || chr(13) || 'MSA|AA|' || control_id || chr(13), 'UTF8')
    from bridge.transactions order by id desc limit ${count}`)
}

/** The control ids of the last day. */
async function rememberSeen(database: Database) {
  await database.run(sql`
    insert into bridge.seen (key, transaction_id, seen_at, content, is_refused)
    select sha256(convert_to(id, 'UTF8')), id, received_at, sha256(convert_to(id, 'UTF8')), false
    from bridge.transactions where received_at > now() - interval '1 day' and status <> 'DUPLICATE'`)
}
