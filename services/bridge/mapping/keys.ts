import type { Identifier } from '../../../packages/fhir/r4.ts'
import type { Key, Write } from './mapped.ts'

/** The key of a resource that has an identifier of its own. */
export const identifierKey = ({ system = '', value = '' }: Identifier): Key => ({
  parameter: 'identifier',
  system,
  value,
})

/** The identifier that a key asks for, to be carried by the resource. */
export const keyIdentifier = ({ system, value }: Key): Identifier => ({ system, value })

/** All by which a write may be found; the one that decides first. */
export const keysOf = (write: Write): readonly [Key, ...Key[]] => [write.key, ...furtherKeysOf(write)]

/** Beside the one that decides. */
export const furtherKeysOf = ({ exactKeys = none, otherKeys = none }: Write): readonly Key[] =>
  exactKeys.length === 0 ? otherKeys : [...exactKeys, ...otherKeys]

const none: readonly Key[] = []

export const isSameKey = (one: Key, other: Key): boolean => one.system === other.system && one.value === other.value

/** Where another patient's has the number: what belongs to the patient's own is found within both. It finds nothing itself. */
export const keyOfPatient = (key: Key, patient: Key | undefined): Key => ({
  ...key,
  value: `${key.value} ${patient === undefined ? '' : keyText(patient)}`,
})

/** What a key says about another resource, as a part of a derived key. */
export const keyText = ({ system, value }: Key): string => `${system}|${value}`

/** As part of an address: no slash, space or sign that would end it. */
export const segmentOfUrl = (text: string): string =>
  isPlain.test(text) ? text : encodeURIComponent(text.toWellFormed().trim())

/** Nothing to encode, as in nearly every number and code. */
const isPlain = /^[\w.-]*$/
