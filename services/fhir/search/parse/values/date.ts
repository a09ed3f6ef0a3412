import { prefixes } from '../../../../../packages/fhir/search/modifiers.ts'
import type { SoughtDate } from '../../ast.ts'
import { oneOf, refuse } from '../refuse.ts'
import { splitPrefix } from './prefix.ts'
import { sentTime } from './sent-time.ts'

/** `ge2024-02`: a prefix and a date of any precision, which stands for all of its day, month or year. */
export function parseDate(text: string, now: Date, name: string): SoughtDate {
  const { prefix, rest } = splitPrefix(text)
  const range = sentTime(rest)
  if (prefix === undefined || range === undefined) {
    throw refuse(
      name,
      `needs a date such as 2024, 2024-02, 2024-02-29 or 2024-02-29T10:00:00Z, after one of ${oneOf(prefixes)} or nothing.`,
    )
  }
  return prefix === 'ap' ? approximate(range.low, range.high, now) : { kind: 'date', prefix, ...range }
}

/** R4 suggests a tenth of the time between then and now. */
function approximate(low: number, high: number, now: Date): SoughtDate {
  const slack = Math.round(Math.abs(now.getTime() - (low + high) / 2) / 10)
  return { kind: 'date', prefix: 'ap', low: low - slack, high: high + slack }
}
