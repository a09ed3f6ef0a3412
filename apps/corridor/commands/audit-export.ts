import { lstat, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { later } from '../../../packages/clock/later.ts'
import { Fault, incorrect, unavailable } from '../../../packages/faults/fault.ts'
import { errorCode } from '../../../packages/files/error-code.ts'
import { makeDirectory } from '../../../packages/files/make-directory.ts'
import { syncFolder } from '../../../packages/postgres/write-durably.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { auditTrail as ofAuth } from '../../../services/auth/store/audit-events.ts'
import { looksBetween } from '../../../services/bridge/store/looks.ts'
import { auditTrail as ofConsent } from '../../../services/consent/store/audit-events.ts'
import { auditTrail as ofFhir } from '../../../services/fhir/audit/store/audit-contents.ts'
import { auditTrail as ofReferral } from '../../../services/referral/store/audit-events.ts'

interface ExportedTrail {
  readonly file: string
  readonly entries: number
}

interface Period {
  readonly from: Date
  readonly to: Date
}

/** The trails that are kept in the database, each with the name of its file. */
const trails: readonly (readonly [file: string, (from: Date, to: Date) => Statement])[] = [
  ['fhir.ndjson', ofFhir],
  ['auth.ndjson', ofAuth],
  ['consent.ndjson', ofConsent],
  ['referral.ndjson', ofReferral],
  ['looks.ndjson', looksBetween],
]

/**
 * Copies what the audit trails have of a time into files of a folder, one JSON object a line. Until all of them are on the
 * disk they have other names: what a kill or a power cut leaves must not be taken for an export.
 */
export async function exportTrails(period: Period, folder: string, database: Database): Promise<ExportedTrail[]> {
  await makeDirectory(folder, 0o700).catch((error: unknown) => {
    throw notWritten(folder, error)
  })
  // Never over an older export.
  for (const [file] of trails) await refuseExisting(join(folder, file))
  const exported: ExportedTrail[] = []
  try {
    for (const [file, rowsOf] of trails) {
      const entries = await exportTrail(rowsOf, period, unfinished(join(folder, file)), database)
      exported.push({ file, entries })
    }
    await giveNames(exported, folder)
  } catch (error) {
    // Some of the trails would be taken for all of them.
    for (const { file } of exported) {
      for (const path of [join(folder, file), unfinished(join(folder, file))]) await rm(path, { force: true })
    }
    throw error
  }
  return exported
}

const unfinished = (path: string) => `${path}.unfinished`

async function refuseExisting(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found !== undefined) throw incorrect(`${path} is there already. Name another folder with --into.`)
}

async function giveNames(exported: readonly ExportedTrail[], folder: string): Promise<void> {
  try {
    for (const { file } of exported) await rename(unfinished(join(folder, file)), join(folder, file))
    await syncFolder(folder)
  } catch (error) {
    throw notWritten(folder, error)
  }
}

/** Days as UTC counts them, from the first to before the last. */
export function periodOf(from: string, to: string): Period {
  const period = { from: dayOf('--from', from), to: dayOf('--to', to) }
  if (period.from >= period.to) throw incorrect('--to must be a day after --from: it is the first that is left out.')
  return period
}

function dayOf(option: string, word: string): Date {
  const day = new Date(`${word}T00:00:00Z`)
  // 30 February would be a day in March.
  if (!/^\d{4}-\d\d-\d\d$/.test(word) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(word))
    throw incorrect(`${option} must be a day such as 2026-03-01.`)
  return day
}

async function exportTrail(
  rowsOf: (from: Date, to: Date) => Statement,
  period: Period,
  path: string,
  database: Database,
): Promise<number> {
  try {
    // For nobody else to read.
    await using file = await open(path, 'ax', 0o600)
    let entries = 0
    for (const { from, to } of daysOf(period)) entries += await inPieces(rowsOf(from, to), file, database)
    await file.sync()
    return entries
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await rm(path, { force: true })
    throw error instanceof Fault || errorCode(error) === undefined ? error : notWritten(path, error)
  }
}

/** Day by day: a statement over a month of a large hospital would run into its time limit. */
function* daysOf({ from, to }: Period): Generator<Period> {
  for (let day = from; day < to;) {
    const next = later(day, 86_400)
    yield { from: day, to: next }
    day = next
  }
}

/** A thousand are in memory at once, whatever a day holds. */
async function inPieces(rows: Statement, file: FileHandle, database: Database): Promise<number> {
  const { size } = await file.stat()
  return database.transaction(async (tx) => {
    let entries = 0
    // One that lost its connection in the middle is begun anew.
    await file.truncate(size)
    await tx.run(sql`declare trail cursor for select row_to_json(entry)::text as line from (${rows}) as entry`)
    for (;;) {
      const found = await tx.many<{ line: string }>(sql`fetch 1000 from trail`)
      if (found.length === 0) return entries
      await file.appendFile(found.map(({ line }) => `${line}\n`).join(''))
      entries += found.length
    }
  })
}

function notWritten(path: string, error: unknown) {
  if (errorCode(error) === 'EEXIST' && path.endsWith(unfinished(''))) {
    return incorrect(
      `${path} is there: another export into that folder is under way, or was cut off. Where none is, remove it; it is no export.`,
    )
  }
  return unavailable(
    `${path} cannot be written (${errorCode(error) ?? 'unknown error'}). Name another folder with --into.`,
    {
      cause: error,
    },
  )
}
