import type {
  Annotation,
  CodeableConcept,
  ImmunizationPerformer,
  Quantity,
  Reference,
} from '../../../../packages/fhir/r4.ts'
import { readCwe, readNm, readPl, textOfCoded, type Part, type Segment } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { trimmed } from '../clean-text.ts'
import { by, codeText, coding, rowOf, v2System } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { codedOrganization } from '../dt/coded-organization.ts'
import { quantity, unreadAmount } from '../dt/cq.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { location, pl } from '../dt/pl.ts'
import { date, dateTime } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import { text } from '../extensions.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { cvx } from '../terms.ts'
import { completionStatus } from '../v/0322-completion-status.ts'
import { informationSource } from '../v/nip001-information-source.ts'

/** RXA to Immunization. RXR says the route and site, ORC the numbers; RXA-21 D takes it back (`immunization.ts`). */
export const rxaToImmunization: SegmentMap = {
  segment: 'RXA',
  resource: 'Immunization',
  rows: [
    dateRow(3, 'Date/Time Start of Administration', 'occurrenceDateTime', dateTime),
    row(5, 'Administered Code', 'vaccineCode', vaccine),
    row(6, 'Administered Amount', 'doseQuantity', dose),
    row(9, 'Administration Notes', 'primarySource', primarySource),
    row(9, 'Administration Notes', 'reportOrigin', reportOrigin),
    row(9, 'Administration Notes', 'note[]', administrationNotes),
    row(10, 'Administering Provider', 'performer[]', (part, place) =>
      performer('AP', 'Administering Provider', part, place),
    ),
    row(11, 'Administered-at Location', 'location', administeredAt),
    row(15, 'Substance Lot Number', 'lotNumber', text),
    dateRow(16, 'Substance Expiration Date', 'expirationDate', date),
    row(17, 'Substance Manufacturer Name', 'manufacturer', codedOrganization('manufacturer')),
    row(18, 'Substance/Treatment Refusal Reason', 'statusReason', cwe),
    row(19, 'Indication', 'reasonCode[]', cwe),
    row(20, 'Completion Status', 'status', by(completionStatus)),
    row(20, 'Completion Status', 'isSubpotent', (part) => (part.text(1)?.trim() === 'PA' ? true : undefined)),
    dateRow(22, 'System Entry Date/Time', 'recorded', dateTime),
    row(27, 'Administer-at', 'location', pl),
  ],
}

/** A code of CVX alone is called what the terminology calls it: cards and certificates show the name, and not "03". */
function vaccine(part: Part, place: At): CodeableConcept | undefined {
  const concept = cweOf('0292')(part, place)
  const nameless = concept?.coding?.find(({ system, display }) => system === cvx && display === undefined)
  if (concept === undefined || nameless?.code === undefined) return concept
  const answer = place.draft.lookUp({ target: cvx, system: cvx, code: nameless.code }, place)
  const display = answer === undefined || answer === 'unmapped' ? undefined : answer[0]?.display
  if (display === undefined) return concept
  const named = concept.coding?.map((one) => (one === nameless ? { ...one, display } : one)) ?? []
  return { ...concept, coding: named, ...(concept.text === nameless.code ? { text: display } : {}) }
}

/** Who gave it (AP) and who ordered it (OP), by table 0443. */
export function performer(
  code: 'AP' | 'OP',
  display: string,
  part: Part,
  place: At,
): ImmunizationPerformer | undefined {
  const actor = xcn(part, place)
  return actor && { function: { coding: [coding(v2System('0443'), code, display)] }, actor }
}

/** ORC-12. */
export const orderingProvider = (orc: Segment, draft: Draft): ImmunizationPerformer | undefined => {
  const part = orc.part(12)
  return part && performer('OP', 'Ordering Provider', part, at(draft, orc, 12))
}

/** RXA-6 with the unit of RXA-7. Registries write 999 for an amount that nobody knows. */
function dose(part: Part, place: At): Quantity | undefined {
  const [value, unit] = [readNm(part), readCwe(place.segment.part(7))]
  if (value === undefined) return unreadAmount(part, unit, place)
  return /^999(\.0*)?$/.test(value) ? undefined : quantity(value, unit, place)
}

/** The code for a dose that the sender gave itself (NIP001); the others say from where it knows of the dose. */
const newRecord = '00'
const codeOf = (part: Part): string | undefined => codeText(part.text(1))

/** The repetition of RXA-9 that says it, wherever it stands; without any, nobody said. The others are notes. */
function sourceOf({ segment }: At): Part | undefined {
  const coded = segment.repetitions(9).filter((part) => codeOf(part) !== undefined)
  return coded.find((part) => part.text(3)?.trim().toUpperCase() === 'NIP001') ?? coded[0]
}

function primarySource(_first: Part, place: At): boolean | undefined {
  const source = sourceOf(place)
  return source && codeOf(source) === newRecord
}

/** R4's word for it in front of the sender's: readers tell by it what was documented from what is only remembered. */
function reportOrigin(_first: Part, place: At): CodeableConcept | undefined {
  const source = sourceOf(place)
  if (source === undefined || codeOf(source) === newRecord) return undefined
  const concept = cwe(source, place)
  const origin = isOfTable(source) ? rowOf(informationSource, codeOf(source) ?? '') : undefined
  if (concept === undefined || origin === undefined) return concept
  const { code, display } = origin
  return { ...concept, coding: [coding(originSystem, code, display), ...(concept.coding ?? [])] }
}

const originSystem = 'http://terminology.hl7.org/CodeSystem/immunization-origin'

/** A code that names no system is of the table of its field; some write its name with one nought more. */
const isOfTable = (part: Part): boolean => /^(NIP0{2,3}1)?$/i.test(part.text(3)?.trim() ?? '')

/** All of them with the first repetition: to look for the source at each would cost their square. */
function administrationNotes(_first: Part, place: At): Annotation[] | undefined {
  if (place.repetition > 0) return undefined
  const source = sourceOf(place)
  const notes = place.segment.repetitions(9).flatMap((part) => {
    const said = part.raw === source?.raw ? undefined : trimmed(textOfCoded(readCwe(part)))
    return said === undefined ? [] : [{ text: said }]
  })
  return notes.length === 0 ? undefined : notes
}

/** LA2 is PL with an address in the place of the description. */
function administeredAt(part: Part, place: At): Reference | undefined {
  const { description: _street, identifier: _city, authority: _other, ...read } = readPl(part) ?? {}
  return location(read, place)
}
