import { isDay } from '../../../packages/http/formats.ts'
import { vaccineInWords } from '../forecast/vaccine-codes.ts'
import type { VaccinationRecord } from './vaccination.ts'

/** What the form of the history sends; a field that was left empty is as if it were not there. */
interface HistoryQuery {
  readonly vaccineCode?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface FilteredHistory {
  readonly vaccinations: readonly VaccinationRecord[]
  /** The codes to choose from, of the whole history. */
  readonly codes: readonly { readonly code: string; readonly name: string }[]
  readonly applied: { readonly vaccineCode: string; readonly from: string; readonly to: string }
  /** Days that cannot be read and were left out of account. */
  readonly ignored: readonly ('from' | 'to')[]
  readonly isFiltered: boolean
}

export function filterHistory(history: readonly VaccinationRecord[], query: HistoryQuery): FilteredHistory {
  const vaccineCode = query.vaccineCode?.trim() ?? ''
  const [from, to] = [query.from?.trim() ?? '', query.to?.trim() ?? '']
  const ignored = (
    [
      ['from', from],
      ['to', to],
    ] as const
  ).flatMap(([name, day]) => (day === '' || isDay(day) ? [] : [name]))
  const since = isDay(from) ? from : undefined
  const until = isDay(to) ? to : undefined
  const vaccinations = history.filter(
    ({ vaccineCode: code, occurrenceDate }) =>
      (vaccineCode === '' || code?.toLowerCase() === vaccineCode.toLowerCase()) &&
      (since === undefined || (occurrenceDate !== null && occurrenceDate >= since)) &&
      (until === undefined || (occurrenceDate !== null && occurrenceDate <= until)),
  )
  const isFiltered = vaccineCode !== '' || since !== undefined || until !== undefined
  return { vaccinations, codes: codesOf(history), applied: { vaccineCode, from, to }, ignored, isFiltered }
}

/** Distinct, sorted and not blank. */
function codesOf(history: readonly VaccinationRecord[]) {
  const names = new Map<string, string>()
  for (const dose of history) {
    const { vaccineCode } = dose
    if (vaccineCode !== null && !names.has(vaccineCode)) names.set(vaccineCode, vaccineInWords(dose) ?? vaccineCode)
  }
  return [...names].map(([code, name]) => ({ code, name })).toSorted((a, b) => (a.code < b.code ? -1 : 1))
}
