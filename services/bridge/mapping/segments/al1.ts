import type { AllergyIntolerance } from '../../../../packages/fhir/r4.ts'
import type { Part, Segment } from '../../../../packages/hl7/index.ts'
import { type At, at, warnAt } from '../at.ts'
import { concept, rowOf } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { dateTime } from '../dt/ts.ts'
import { ownExtensionRow, text } from '../extensions.ts'
import { derivedKey } from '../drafted-keys.ts'
import { keyIdentifier, keyText } from '../keys.ts'
import type { Key } from '../mapped.ts'
import type { PutPatient } from '../patient.ts'
import { dateRow, readSegment, row, type Said, type SegmentMap } from '../segment-map.ts'
import { allergenType } from '../v/0127-allergen-type.ts'
import { allergySeverity } from '../v/0128-allergy-severity.ts'

/** AL1 to AllergyIntolerance. IAM has the same rows at the same numbers, and more (`iam.ts`). */
export const al1ToAllergyIntolerance: SegmentMap = {
  segment: 'AL1',
  resource: 'AllergyIntolerance',
  rows: [
    row(2, 'Allergen Type Code', 'category[]', (part) => rowOf(allergenType, part.text(1) ?? '')?.category),
    row(2, 'Allergen Type Code', 'type', (part) => rowOf(allergenType, part.text(1) ?? '')?.type),
    ownExtensionRow(2, 'Allergen Type Code', 'allergen-type', 'valueCodeableConcept', cweOf('0127')),
    row(3, 'Allergen Code/Mnemonic/Description', 'code', cwe),
    row(4, 'Allergy Severity Code', 'criticality', (part) => rowOf(allergySeverity, part.text(1) ?? '')?.criticality),
    row(5, 'Allergy Reaction Code', 'reaction[]', reaction),
    dateRow(6, 'Identification Date', 'onsetDateTime', dateTime),
  ],
}

export function putAllergy(al1: Segment, patient: PutPatient, draft: Draft): void {
  const said = readSegment(al1ToAllergyIntolerance, al1, draft)
  const key = allergyKey(al1, said, patient, draft)
  if (key === undefined) return
  const resource: AllergyIntolerance = {
    resourceType: 'AllergyIntolerance',
    identifier: [keyIdentifier(key)],
    patient: patient.reference,
    ...said.elements,
  }
  draft.put(resource, {
    key,
    defaults: allergyDefaults,
    deletes: [...said.deletes, ...withdrawnBy(al1)],
    removes: said.removes,
    saidBy: al1,
  })
}

/** A severity that says nothing of how dangerous the allergy is takes back what was said of it. */
export function withdrawnBy(segment: Segment): string[] {
  const severity = rowOf(allergySeverity, segment.text(4) ?? '')
  return severity !== undefined && severity.criticality === undefined ? ['criticality'] : []
}

/** Patient and substance: the same allergy told again is the same allergy. None when no substance is named. */
export function allergyKey(segment: Segment, said: Said, patient: PutPatient, draft: Draft): Key | undefined {
  const key = substanceKey(said, patient, draft)
  if (key === undefined)
    warnAt(at(draft, segment, 3), 'not-kept', 'No substance is named, so the allergy was left out.')
  return key
}

export function substanceKey({ elements }: Said, patient: PutPatient, draft: Draft): Key | undefined {
  const code = elements['code'] as AllergyIntolerance['code']
  const coding = code?.coding?.[0]
  const substance = coding === undefined ? code?.text : `${coding.system}|${coding.code}`
  return substance === undefined ? undefined : derivedKey(draft, 'allergy', keyText(patient.key), substance)
}

export const allergyDefaults: Partial<AllergyIntolerance> = {
  clinicalStatus: concept('http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', 'active', 'Active'),
  verificationStatus: concept(
    'http://terminology.hl7.org/CodeSystem/allergyintolerance-verification',
    'unconfirmed',
    'Unconfirmed',
  ),
}

/** A reaction is a text in AL1 and coded in IAM; its severity is that of the allergy (field 4). */
function reaction(part: Part, { segment, draft }: At): unknown {
  const manifestation = part.count > 1 ? cwe(part, at(draft, segment, 5)) : { text: text(part) }
  if (manifestation === undefined || Object.values(manifestation).every((value) => value === undefined))
    return undefined
  const severity = rowOf(allergySeverity, segment.text(4) ?? '')?.severity
  return { manifestation: [manifestation], ...(severity === undefined ? {} : { severity }) }
}
