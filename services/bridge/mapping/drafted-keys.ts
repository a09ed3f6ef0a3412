import type { FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import { controlIdOf, type Segment } from '../../../packages/hl7/index.ts'
import type { MappingContext } from './context.ts'
import type { Draft } from './draft.ts'
import { identifierKey, isSameKey, keyText, segmentOfUrl } from './keys.ts'
import type { Key } from './mapped.ts'
import { nameUuid } from './name-uuid.ts'
import { header } from './segments/msh.ts'

/**
 * The key of a resource without identifier that can be told by what it is made of: an allergy by patient and code. The
 * same message, sent again or re-run, finds the same resource. The value is a UUID of the parts, because they are long
 * and some are patient data.
 */
export const derivedKey = ({ context }: Draft, kind: string, ...parts: readonly string[]): Key => ({
  parameter: 'identifier',
  system: systemOfKind(context, kind),
  value: nameUuid(parts.map(segmentOfUrl).join('/')),
})

/**
 * The key, and where the message has said another under it, one made of it and of what tells the two apart; where nothing
 * does, of its ordinal. A sender that gives several reports, drugs or doses one number means all of them.
 */
export function ownKey(draft: Draft, { type, kind, key }: TakenKey, ...parts: readonly string[]): Key {
  if (!draft.isSaid(type, key)) return key
  const names = [keyText(key), ...parts]
  const count = draft.countOf(`${kind} ${names.join(' ')}`)
  return derivedKey(draft, kind, ...names, ...(count === 0 ? [] : [String(count)]))
}

/**
 * What several under one key are told apart by, where the second of them comes again alone: its message may have another number
 * more than the one that told of them all. None where that is the key that it has.
 * @param number the further number, which is a part of what tells them apart
 */
export function exactKeysOf(draft: Draft, { kind, key }: TakenKey, number: string, what: string, own: Key): Key[] {
  const numbers = number === '' ? [''] : [number, '']
  return numbers.map((one) => derivedKey(draft, kind, keyText(key), one, what)).filter((one) => !isSameKey(one, own))
}

export interface TakenKey {
  readonly type: FhirResource['resourceType']
  readonly kind: string
  readonly key: Key
}

/**
 * The key of what its sender numbers within something else: the allergies of a patient, the diagnoses of a visit. By
 * the number alone, number 1 of the next patient would be found here, and take this one's place.
 */
export const numberedKey = (draft: Draft, kind: string, owner: Key, number: Identifier): Key =>
  derivedKey(draft, kind, keyText(owner), 'number', keyText(identifierKey(number)))

/** The same for what people look up: a place by its path, a message by sender and control id. */
export const readableKey = (draft: Draft, kind: string, ...parts: readonly string[]): Key =>
  pathKey(draft, kind, parts.map(segmentOfUrl).join('/'))

/** With the parts as one path already, each a `segmentOfUrl`. */
export const pathKey = ({ context }: Draft, kind: string, path: string): Key => ({
  parameter: 'identifier',
  system: systemOfKind(context, kind),
  value: path,
})

/** The last resort: sender, control id and the segment's place in the message. */
export function positionKey(draft: Draft, segment: Segment, suffix = ''): Key {
  const { message } = draft
  return readableKey(
    draft,
    'message',
    message.getText(header.application) ?? '',
    message.getText(header.facility) ?? '',
    controlIdOf(message) ?? '',
    `${draft.pathOf(segment)}${suffix}`,
  )
}

/** Within what a diagnosis is numbered: its visit; else its patient, as where only this message knows the visit. */
export const visitOrPatient = ({ context }: Draft, patient: Keyed, encounter: Keyed | undefined): Key =>
  encounter === undefined || encounter.key.system === systemOfKind(context, 'message') ? patient.key : encounter.key

interface Keyed {
  readonly key: Key
}

const systemOfKind = ({ base, facility }: MappingContext, kind: string): string =>
  `${base}/id/${segmentOfUrl(facility.code)}/${kind}`
