import type { Observation, Reference } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { codeText, coding, concept, v2System } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cweOf } from '../dt/cwe.ts'
import { xcn } from '../dt/xcn.ts'
import { xon } from '../dt/xon.ts'
import { extensionRow } from '../extensions.ts'
import { derivedKey } from '../drafted-keys.ts'
import { keyIdentifier, keyText } from '../keys.ts'
import type { ItemRemoval, Key } from '../mapped.ts'
import { row, type SegmentMap } from '../segment-map.ts'
import { loinc } from '../terms.ts'
import { protectionRow } from './protection.ts'

/** PD1 to Patient. PD1-7 is a resource of its own (below). */
export const pd1ToPatient: SegmentMap = {
  segment: 'PD1',
  resource: 'Patient',
  rows: [
    row(3, 'Patient Primary Facility', 'generalPractitioner[]', xon, ofType('Organization')),
    row(4, 'Patient Primary Care Provider Name & ID No.', 'generalPractitioner[]', xcn, ofType('Practitioner')),
    extensionRow(6, 'Handicap', 'patient-disability', 'valueCodeableConcept', cweOf('0295')),
    row(
      11,
      'Publicity Code',
      'meta.security[]',
      (part) => {
        const code = codeText(part.text(1))
        return code && coding(v2System('0215'), code)
      },
      { element: 'meta.security', where: { system: v2System('0215') } },
    ),
    protectionRow(12, 'Protection Indicator'),
    extensionRow(14, 'Place of Worship', 'patient-congregation', 'valueString', (part) => part.text(1)),
  ],
}

/** What `""` takes away: the practice or the doctors, not both. */
function ofType(type: 'Organization' | 'Practitioner'): ItemRemoval {
  return { element: 'generalPractitioner', where: { type } }
}

/** PD1-7 to Observation: whether the patient has a living will (LOINC 75320-2). */
export function livingWill(pd1: Segment, patient: Reference, patientKey: Key, draft: Draft): void {
  const value = cweOf('0315')(pd1.part(7), at(draft, pd1, 7))
  if (value === undefined) return
  const key = derivedKey(draft, 'living-will', keyText(patientKey))
  const resource: Observation = {
    resourceType: 'Observation',
    identifier: [keyIdentifier(key)],
    status: 'final',
    code: concept(loinc, '75320-2', 'Advance directive'),
    subject: patient,
    valueCodeableConcept: value,
  }
  draft.put(resource, { key })
}
