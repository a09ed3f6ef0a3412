import type { CodeableConcept, Device, Extension, Reference } from '../../../../packages/fhir/r4.ts'
import type { Part } from '../../../../packages/hl7/index.ts'
import { type At, at } from '../at.ts'
import { by, coding, concept, mapCode, rowOf } from '../code-map.ts'
import { codedOrganization } from '../dt/coded-organization.ts'
import { cwe, cweOf } from '../dt/cwe.ts'
import { ei } from '../dt/ei.ts'
import { dateTime } from '../dt/ts.ts'
import { xad } from '../dt/xad.ts'
import { xcn } from '../dt/xcn.ts'
import { xon } from '../dt/xon.ts'
import { extensionPath, extensionRow, ownExtensionRow } from '../extensions.ts'
import { identifierKey } from '../keys.ts'
import { dateRow, row, type SegmentMap } from '../segment-map.ts'
import { interpretation } from '../v/0078-interpretation.ts'
import { observationResultStatus } from '../v/0085-observation-result-status.ts'
import { referenceRange } from './obx-range.ts'
import { participationTypes } from './pv1.ts'
import { specimenByNumber } from './spm.ts'

/** OBX-10: that a value is abnormal for the patient's age, sex or race. */
export const natureOfAbnormal = 'http://hl7.org/fhir/StructureDefinition/observation-nature-of-abnormal-test'

/** OBX to Observation. What is observed (3) and its value (2, 5, 6) stand in `observation.ts` and `obx-value.ts`. */
export const obxToObservation: SegmentMap = {
  segment: 'OBX',
  resource: 'Observation',
  rows: [
    row(4, 'Observation Sub-ID', extensionPath('observation-v2-subid'), subId),
    row(7, 'Reference Range', 'referenceRange[]', referenceRange),
    row(8, 'Interpretation Codes', 'interpretation[]', interpreted),
    extensionRow(10, 'Nature of Abnormal Test', natureOfAbnormal, 'valueCodeableConcept', cweOf('0080')),
    row(11, 'Observation Result Status', 'status', by(observationResultStatus)),
    dateRow(14, 'Date/Time of the Observation', 'effectiveDateTime', dateTime),
    row(15, "Producer's ID", 'performer[]', codedOrganization('producer')),
    row(16, 'Responsible Observer', 'performer[]', xcn),
    row(17, 'Observation Method', 'method', cwe),
    row(18, 'Equipment Instance Identifier', 'device', device),
    extensionRow(19, 'Date/Time of the Analysis', 'observation-analysis-date-time', 'valueDateTime', dateTime),
    row(20, 'Observation Site', 'bodySite', cwe),
    row(21, 'Observation Instance Identifier', 'identifier[]', ei('FILL')),
    row(23, 'Performing Organization Name', 'performer[]', performingOrganization),
    row(25, 'Performing Organization Medical Director', 'performer[]', director),
    extensionRow(30, 'Observation Sub-Type', 'observation-structure-type', 'valueCodeableConcept', cweOf('0937')),
    row(33, 'Observation Related Specimen Identifier', 'specimen', specimenByNumber),
    ownExtensionRow(
      33,
      'Observation Related Specimen Identifier',
      'further-specimen',
      'valueReference',
      furtherSpecimen,
    ),
  ],
}

/** OBX-4 as it was sent; since 2.8.2 its parts too. */
function subId(part: Part, { repetition }: At): Extension | undefined {
  if (repetition > 0) return undefined
  const parts = subIdParts.map((url, index) => ({ url, valueString: part.text(index + 1) }))
  const extension = parts.filter((one): one is { url: string; valueString: string } => one.valueString !== undefined)
  return extension.length === 0 ? undefined : { url: subIdUrl, extension }
}

export const subIdUrl = 'http://hl7.org/fhir/StructureDefinition/observation-v2-subid'
/** By component of OBX-4. */
export const subIdParts: readonly string[] = ['original-sub-identifier', 'group', 'sequence', 'identifier']

/** Table 0078 became v3-ObservationInterpretation; a code that it does not have stays what it is. */
function interpreted(part: Part, place: At): CodeableConcept | undefined {
  const sent = part.count === 1 ? (part.text(1) ?? '') : ''
  const bare = rowOf(interpretation, sent)
  if (bare !== undefined) return concept(interpretations, bare.code, bare.display)
  const marked = rowOf(interpretation, markedCritical.exec(sent)?.[1] ?? '')
  if (marked !== undefined) return { ...concept(interpretations, marked.code, marked.display), text: sent.trim() }
  const original = cweOf('0078')(part, place)
  const isOfTable = original?.coding?.[0]?.system?.endsWith('v2-0078') === true
  const mapped = isOfTable ? mapCode(interpretation, part.text(1), place) : undefined
  if (mapped === undefined) return original
  const standard = concept(interpretations, mapped.code, mapped.display)
  const text = original?.text
  return text === undefined || text === part.text(1) ? standard : { ...standard, text }
}

/** Some laboratories make a flag of theirs stand out: `*HH*`, `LL!`. Of others (`H*`) it is the mark that says more than the letter. */
const markedCritical = /^[\s*!#([]*(HH|LL|AA)[\s*!#)\]]*$/i

const interpretations = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'

/** OBX-18: the analyser. */
function device(part: Part, place: At): Reference | undefined {
  const identifier = ei()(part, place)
  if (identifier === undefined) return undefined
  const resource: Device = { resourceType: 'Device', identifier: [identifier] }
  return place.draft.put(resource, { key: identifierKey(identifier), mode: 'ensure' })
}

/** R4 has one specimen a result, and no group of them; the others stand beside it. */
function furtherSpecimen(part: Part, place: At): Reference | undefined {
  return place.repetition === 0 ? undefined : specimenByNumber(part, place)
}

/** OBX-23 with its address, OBX-24. */
function performingOrganization(part: Part, place: At): Reference | undefined {
  const reference = xon(part, place)
  const resource = place.draft.resource('Organization', reference)
  const address = xad(place.segment.part(24), at(place.draft, place.segment, 24))
  if (resource !== undefined && address !== undefined) resource.address ??= [address]
  return reference
}

/** OBX-25: who is responsible for the laboratory. */
function director(part: Part, place: At): Reference | undefined {
  const reference = xcn(part, place)
  const valueCodeableConcept = { coding: [coding(participationTypes, 'MDIR', 'medical director')] }
  return reference && { ...reference, extension: [{ url: performerFunction, valueCodeableConcept }] }
}

export const performerFunction = 'http://hl7.org/fhir/StructureDefinition/event-performerFunction'
