import type { CodeableConcept, Condition, EncounterDiagnosis, Reference } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import { at, warnAt } from '../at.ts'
import { concept, rowOf } from '../code-map.ts'
import { compact } from '../compact.ts'
import type { Draft } from '../draft.ts'
import { cwe, codeSystem, standardised } from '../dt/cwe.ts'
import { ei, eiOf } from '../dt/ei.ts'
import { si } from '../dt/si.ts'
import { dateTime } from '../dt/ts.ts'
import { xcn } from '../dt/xcn.ts'
import type { PutEncounter } from '../encounter.ts'
import { extensionRow, text } from '../extensions.ts'
import { derivedKey, numberedKey, visitOrPatient } from '../drafted-keys.ts'
import { keyIdentifier, keyText } from '../keys.ts'
import type { PutPatient } from '../patient.ts'
import { dateRow, readSegment, row, type SegmentMap } from '../segment-map.ts'
import { snomed } from '../terms.ts'
import { diagnosisType } from '../v/0052-diagnosis-type.ts'
import { segmentAction } from '../v/0206-segment-action.ts'

/** DG1 to Condition. What is diagnosed (3, 4) and what the visit makes of it (6, 15) stand below. */
export const dg1ToCondition: SegmentMap = {
  segment: 'DG1',
  resource: 'Condition',
  rows: [
    dateRow(5, 'Diagnosis Date/Time', 'onsetDateTime', dateTime),
    row(16, 'Diagnosing Clinician', 'asserter', xcn),
    dateRow(19, 'Attestation Date/Time', 'recordedDate', dateTime),
    extensionRow(19, 'Attestation Date/Time', 'condition-assertedDate', 'valueDateTime', dateTime),
    row(20, 'Diagnosis Identifier', 'identifier[]', ei()),
    extensionRow(22, 'Parent Diagnosis', 'condition-dueTo', 'valueReference', (part, place) => {
      const identifier = eiOf('DG1-20')(part, place)
      return identifier && { type: 'Condition', identifier }
    }),
  ],
}

/** Puts the condition and gives the visit's entry for it. Undefined when the segment names none, or takes it back. */
export const putDiagnosis = (dg1: Segment, about: DiagnosisAbout, draft: Draft): EncounterDiagnosis | undefined =>
  putDiagnoses([dg1], about, draft).entries[0]

export interface DiagnosisAbout {
  readonly patient: PutPatient
  readonly encounter?: PutEncounter | undefined
}

/** Puts the conditions and gives the visit's entries for them, and those that DG1-21 takes back, which it loses. */
export function putDiagnoses(dg1s: readonly Segment[], about: DiagnosisAbout, draft: Draft): PutDiagnoses {
  const entries: EncounterDiagnosis[] = []
  const takenBack: Reference[] = []
  for (const dg1 of dg1s) {
    const put = putCondition(dg1, about, draft)
    if (put?.isMistake === true) takenBack.push(put.condition)
    else if (put !== undefined) entries.push(diagnosisOf(dg1, put.condition, draft))
  }
  return { entries, takenBack }
}

export interface PutDiagnoses {
  readonly entries: readonly EncounterDiagnosis[]
  readonly takenBack: readonly Reference[]
}

/** Undefined when the segment names no diagnosis. */
function putCondition(
  dg1: Segment,
  { patient, encounter }: DiagnosisAbout,
  draft: Draft,
): { readonly condition: Reference; readonly isMistake: boolean } | undefined {
  const original = diagnosisCode(dg1, draft)
  if (original === undefined) {
    warnAt(at(draft, dg1, 3), 'not-kept', 'No diagnosis is named, so the segment was left out.')
    return undefined
  }
  const said = readSegment(dg1ToCondition, dg1, draft)
  const own = (said.elements['identifier'] as Condition['identifier'])?.[0]
  // The sender's own code names the condition, so that a translation found later does not make another one of it.
  const first = original.coding?.[0]
  const what = first === undefined ? (original.text ?? '') : `${first.system}|${first.code}`
  const byCode = derivedKey(draft, 'diagnosis', keyText((encounter ?? patient).key), what)
  const key =
    own === undefined ? byCode : numberedKey(draft, 'diagnosis', visitOrPatient(draft, patient, encounter), own)
  const isMistake = rowOf(segmentAction, dg1.text(21) ?? '') === 'delete'
  const resource: Condition = {
    resourceType: 'Condition',
    ...said.elements,
    identifier: [...(own === undefined ? [] : [own]), keyIdentifier(key)],
    code: standardised(original, snomed, at(draft, dg1, 3)),
    category: [
      concept('http://terminology.hl7.org/CodeSystem/condition-category', 'encounter-diagnosis', 'Encounter Diagnosis'),
    ],
    subject: patient.reference,
    ...(encounter === undefined ? {} : { encounter: encounter.reference }),
    ...(isMistake ? { verificationStatus: concept(verification, 'entered-in-error', 'Entered in Error') } : {}),
  }
  const condition = draft.put(resource, {
    key,
    // It may have been told without its number before.
    otherKeys: own === undefined ? [] : [byCode],
    mode: isMistake ? 'amend' : 'upsert',
    leavesTrace: isMistake,
    defaults: isMistake ? {} : { clinicalStatus: concept(clinical, 'active', 'Active') },
    deletes: isMistake ? [...said.deletes, 'clinicalStatus'] : said.deletes,
    removes: said.removes,
    saidBy: dg1,
  })
  return { condition, isMistake }
}

const verification = 'http://terminology.hl7.org/CodeSystem/condition-ver-status'
const clinical = 'http://terminology.hl7.org/CodeSystem/condition-clinical'

/** DG1-3; DG1-4 is its text, and DG1-2 its system where old senders wrote it there. */
function diagnosisCode(dg1: Segment, draft: Draft): CodeableConcept | undefined {
  const place = at(draft, dg1, 3)
  const read = cwe(dg1.part(3), place)
  const described = dg1.part(4)
  const description = described && text(described)
  if (read === undefined) return description === undefined ? undefined : { text: description }
  const method = dg1.text(3, 3) === undefined ? dg1.text(2) : undefined
  const coding = read.coding?.map((one, index) =>
    index === 0 && method !== undefined ? { ...one, system: codeSystem(method, place) } : one,
  )
  return {
    ...read,
    ...(coding === undefined ? {} : { coding }),
    ...(description === undefined ? {} : { text: description }),
  }
}

function diagnosisOf(dg1: Segment, condition: Reference, draft: Draft): EncounterDiagnosis {
  const type = rowOf(diagnosisType, dg1.text(6) ?? '')
  const rank = si(dg1.part(15), at(draft, dg1, 15))
  return {
    condition,
    ...compact<Omit<EncounterDiagnosis, 'condition'>>({
      use: type && concept('http://terminology.hl7.org/CodeSystem/diagnosis-role', type.code, type.display),
      rank: rank === 0 ? undefined : rank,
    }),
  }
}
