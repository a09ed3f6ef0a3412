import type { CodeableConcept, Identifier, PractitionerQualification } from '../../../../packages/fhir/r4.ts'
import { readTimestamp, timestampOf, type Part } from '../../../../packages/hl7/index.ts'
import { type At } from '../at.ts'
import { codeText, coding, v2System } from '../code-map.ts'
import { compact } from '../compact.ts'
import { cweOf } from '../dt/cwe.ts'
import { systemOf } from '../dt/hd.ts'
import { dateTime, periodOf } from '../dt/ts.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'

/** PRA to Practitioner: licences and privileges belong to the person. */
export const praToPractitioner: SegmentMap = {
  segment: 'PRA',
  resource: 'Practitioner',
  rows: [
    row(6, 'Practitioner ID Numbers', 'identifier[]', licence),
    row(7, 'Privileges', 'qualification[]', privilege),
  ],
}

/** PRA to PractitionerRole. For whom (2, 9) stands in `families/mfn/roles.ts`. */
export const praToPractitionerRole: SegmentMap = {
  segment: 'PRA',
  resource: 'PractitionerRole',
  rows: [
    row(3, 'Practitioner Category', 'code[]', cweOf('0186')),
    row(5, 'Specialty', 'specialty[]', specialty),
    dateRow(8, 'Date Entered Practice', 'period.start', dateTime),
    dateRow(10, 'Date Left Practice', 'period.end', dateTime),
  ],
}

/** SPD: name, board, whether certified, and when. */
function specialty(part: Part): CodeableConcept | undefined {
  const text = part.text(1)?.trim()
  return text === undefined || text === '' ? undefined : { text }
}

/** PLN: number, kind (table 0338), state and until when. */
function licence(part: Part, { draft }: At): Identifier | undefined {
  const value = part.text(1)?.trim()
  if (value === undefined || value === '') return undefined
  const kind = codeText(part.text(2))
  const end = timestampOf(part.text(4))?.date
  return compact<Identifier>({
    type: kind === undefined ? undefined : { coding: [coding(v2System('0338'), kind)] },
    system: systemOf(undefined, kind ?? 'licence', draft.context),
    value,
    period: end === undefined ? undefined : { end },
  })
}

/** PIP: what the person may do, of which class, until when and since when. */
function privilege(part: Part, place: At): PractitionerQualification | undefined {
  const text = part.text(1, 2) ?? part.text(1)
  if (text === undefined) return undefined
  const period = periodOf(readTimestamp(part.part(4)), readTimestamp(part.part(3)), place)
  return { code: { text }, ...(period === undefined ? {} : { period }) }
}
