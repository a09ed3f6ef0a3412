import type { SegmentList } from '../../../packages/hl7/index.ts'
import type { Draft } from './draft.ts'

/**
 * What is said of each patient: each PID begins another one's. Of a message of one patient it is all, also what stands before
 * the PID; one without a PID is refused by whoever looks for it.
 */
export function segmentsOfEach({ message }: Pick<Draft, 'message'>): readonly SegmentList[] {
  const { groups } = message.groups('PID')
  return groups.length < 2 ? [message.list] : groups
}

/** The groups of a message that each begin with a PID; a message without one is refused. */
export function patientGroups(draft: Draft, atLeast = 1): readonly SegmentList[] {
  const { groups } = draft.message.groups('PID')
  if (groups.length >= atLeast) return groups
  return draft.refuse({
    code: '100',
    severity: 'E',
    text: atLeast === 1 ? 'The message has no PID segment.' : 'The message needs two PID segments for this event.',
    location: { segment: 'PID', sequence: groups.length + 1 },
  })
}
