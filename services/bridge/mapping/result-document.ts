import type { Attachment, CodeableConcept, DocumentReference, Reference } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import type { Draft } from './draft.ts'
import { instant } from './dt/ts.ts'
import { derivedKey } from './drafted-keys.ts'
import { keyIdentifier, keyText } from './keys.ts'
import type { Key } from './mapped.ts'
import type { ObservationAbout } from './observation-about.ts'

interface ResultDocument {
  readonly attachment: Attachment
  readonly index: number
  readonly obx: Segment
  readonly code: CodeableConcept
  /** Of the observation that the document is the value of. */
  readonly key: Key
  readonly isMistake: boolean
}

/** An OBX of type ED or RP to DocumentReference: R4 has no value that holds an attachment. */
export function putResultDocument(
  { attachment, index, obx, code, key: observationKey, isMistake }: ResultDocument,
  { patient, encounter }: ObservationAbout,
  draft: Draft,
): Reference {
  const key = derivedKey(draft, 'document', keyText(observationKey), String(index))
  const date = obx.text(14) === undefined ? undefined : instant(obx.part(14), at(draft, obx, 14))
  const resource: DocumentReference = {
    resourceType: 'DocumentReference',
    identifier: [keyIdentifier(key)],
    status: isMistake ? 'entered-in-error' : 'current',
    type: code,
    subject: patient.reference,
    ...(date === undefined ? {} : { date }),
    content: [{ attachment }],
    ...(encounter === undefined ? {} : { context: { encounter: [encounter.reference] } }),
  }
  return draft.put(resource, { key, mode: isMistake ? 'amend' : 'upsert', saidBy: obx })
}
