import { codeText, coding, concept, rowOf } from '../code-map.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { si } from '../dt/si.ts'
import { dateTime } from '../dt/ts.ts'
import { extensionRow, ownExtensionRow, text } from '../extensions.ts'
import { row, type SegmentMap } from '../segment-map.ts'
import { ucum } from '../terms.ts'
import { visitPriority } from '../v/0217-visit-priority.ts'
import { readNm } from '../../../../packages/hl7/index.ts'
import { decimal } from '../dt/cq.ts'
import { protectionRow } from './protection.ts'
import { participantRow } from './pv1.ts'

/** The dates that R5 has as elements, under its names for R4. */
export const plannedEnd = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Encounter.plannedEndDate'
const plannedStart = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-Encounter.plannedStartDate'

/** PV2 to Encounter. The prior pending location (1) depends on the event (`encounter-locations.ts`). */
export const pv2ToEncounter: SegmentMap = {
  segment: 'PV2',
  resource: 'Encounter',
  rows: [
    row(3, 'Admit Reason', 'reasonCode[]', cwe),
    ownExtensionRow(7, 'Visit User Code', 'visit-user-code', 'valueCodeableConcept', cweOf('0130')),
    extensionRow(8, 'Expected Admit Date/Time', plannedStart, 'valueDateTime', dateTime),
    extensionRow(9, 'Expected Discharge Date/Time', plannedEnd, 'valueDateTime', dateTime),
    ownExtensionRow(10, 'Estimated Length of Inpatient Stay', 'estimated-length-of-stay', 'valueInteger', si),
    row(11, 'Actual Length of Inpatient Stay', 'length', (part) => {
      const days = readNm(part)
      return days === undefined ? undefined : { value: decimal(days), unit: 'd', system: ucum, code: 'd' }
    }),
    ownExtensionRow(12, 'Visit Description', 'visit-description', 'valueString', text),
    participantRow(13, 'Referral Source Code', 'REF', 'referrer'),
    ownExtensionRow(21, 'Visit Publicity Code', 'visit-publicity', 'valueCodeableConcept', cweOf('0215')),
    protectionRow(22, 'Visit Protection Indicator'),
    row(25, 'Visit Priority Code', 'priority', (part, place) => {
      const mapped = rowOf(visitPriority, part.text(1) ?? '')
      if (mapped === undefined) return cweOf('0217')(part, place)
      return concept('http://terminology.hl7.org/CodeSystem/v3-ActPriority', mapped.code, mapped.display)
    }),
    extensionRow(38, 'Mode of Arrival Code', 'encounter-modeOfArrival', 'valueCoding', (part) => {
      const code = codeText(part.text(1))
      return code && coding('http://terminology.hl7.org/CodeSystem/v2-0430', code, part.componentText(2))
    }),
    ownExtensionRow(40, 'Admission Level of Care Code', 'level-of-care', 'valueCodeableConcept', cweOf('0432')),
  ],
}
