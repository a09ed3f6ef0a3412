import type { Identifier } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { isNumberOfNobody, isValueOfNobody } from '../../../ports/patient-index/number-kinds.ts'
import { at } from './at.ts'
import type { Draft } from './draft.ts'
import { cx } from './dt/cx.ts'
import { identifierKey } from './keys.ts'
import type { Key } from './mapped.ts'

/**
 * By which identifier a patient is found: the national one where the exchange asks for it; else the first with an
 * authority and a type that means a patient's number; else the first of PID-3; else PID-2; else PID-4.
 */
export function patientKey(pid: Segment, draft: Draft): Key {
  const list = identifiersOf(pid, 3, draft)
  const found =
    bestIdentifier(ofSomebody(list, draft), draft) ??
    identifiersOf(pid, 2, draft)[0]?.identifier ??
    identifiersOf(pid, 4, draft)[0]?.identifier
  if (found !== undefined) return identifierKey(found)
  return draft.refuse({
    code: '101',
    severity: 'E',
    text:
      list.length === 0
        ? 'PID-3, the patient identifier list, has no identifier.'
        : 'PID-3 has only what stands in the place of a national number that is not known: it is nobody. Send a record number.',
    location: { segment: 'PID', sequence: sequenceOf(draft, pid), field: 3 },
  })
}

/** Those of PID-3 that are the number of a record. Where there is but one, nobody is found by another. */
export function recordNumbers(pid: Segment, draft: Draft): readonly Identifier[] {
  const sent = pid.repetitions(3).length < 2 ? [] : identifiersOf(pid, 3, draft)
  return sent.filter(isRecordNumber).map(({ identifier }) => identifier)
}

/** Without what stands for a national number that is not known: by it everybody would be found who has none. */
export function ofSomebody(list: readonly SentIdentifier[], { context }: Draft): readonly SentIdentifier[] {
  const { nationalIdSystem } = context.settings
  const isOfNobody = ({ identifier }: SentIdentifier): boolean =>
    isNumberOfNobody(identifier) ||
    (nationalIdSystem !== undefined && identifier.system === nationalIdSystem && isValueOfNobody(identifier))
  return list.filter((one) => !isOfNobody(one))
}

/** The identifier by which a list finds its patient. */
export const bestIdentifier = (list: readonly SentIdentifier[], draft: Draft): Identifier | undefined =>
  (list.length < 2 ? list : rankedIdentifiers(list, draft))[0]?.identifier

/** The list with what finds its patient best in front. */
export function rankedIdentifiers(list: readonly SentIdentifier[], { context }: Draft): readonly SentIdentifier[] {
  const { nationalIdSystem } = context.settings
  const rankOf = (sent: SentIdentifier): number =>
    nationalIdSystem !== undefined && sent.identifier.system === nationalIdSystem ? 0 : isRecordNumber(sent) ? 1 : 2
  return list.toSorted((one, other) => rankOf(one) - rankOf(other))
}

export interface SentIdentifier {
  readonly identifier: Identifier
  readonly type: string | undefined
  readonly hasAuthority: boolean
}

/**
 * The identifiers of a CX field, in the order in which they were sent.
 * @param rule where the field names what another one numbers (`cxOf`)
 */
export function identifiersOf(segment: Segment, field: number, draft: Draft, rule = cx): SentIdentifier[] {
  return segment.repetitions(field).flatMap((part, repetition) => {
    const identifier = rule(part, at(draft, segment, field, repetition))
    if (identifier === undefined) return []
    return [{ identifier, type: part.text(5)?.trim(), hasAuthority: part.part(4)?.isEmpty === false }]
  })
}

export const isRecordNumber = ({ type, hasAuthority }: SentIdentifier): boolean =>
  hasAuthority && numberTypes.has(type ?? '')

const numberTypes = new Set(['MR', 'PI', 'PT'])

const sequenceOf = (draft: Draft, segment: Segment): number => draft.message.segments(segment.name).indexOf(segment) + 1
