import type { ChainedEvent } from '../audit/audit-event.ts'

/** So many rows are one run at most, and so long: whoever knows its first row has not far to go for the others. */
export const runRowsMax = 32
export const runMsMax = 1_000

interface Runs {
  /** The positions of the first rows of the runs in which a row follows; none where it is the first itself. */
  readonly callerRun: number | null
  readonly patientRun: number | null
}

/**
 * A run are decisions of one caller that are written to a chain together, or those of them about one patient. What people
 * do and look at is always found by itself.
 */
export function withRuns<Row extends ChainedEvent>(rows: readonly Row[]): readonly (Row & Runs)[] {
  const firsts = new Map<string, Row>()
  const follows = (key: string, row: Row): number | null => {
    const first = firsts.get(key)
    if (first !== undefined && isNear(row, first)) return first.position
    firsts.set(key, row)
    return null
  }
  return rows.map((row) => {
    const { event, subject, patientId } = row
    if (event !== 'evaluation' || subject === null) return { ...row, callerRun: null, patientRun: null }
    const callerRun = follows(JSON.stringify([subject]), row)
    const patientRun = patientId === null ? null : follows(JSON.stringify([subject, patientId]), row)
    return { ...row, callerRun, patientRun }
  })
}

const isNear = (row: ChainedEvent, first: ChainedEvent): boolean =>
  row.position - first.position < runRowsMax &&
  row.at.getTime() >= first.at.getTime() &&
  row.at.getTime() - first.at.getTime() <= runMsMax
