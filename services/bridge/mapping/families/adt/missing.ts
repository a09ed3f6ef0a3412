import type { Draft } from '../../draft.ts'

/** Refuses a message that lacks a field which its event is about. */
export function missing(segment: string, field: number, draft: Draft): never {
  return draft.refuse({
    code: '101',
    severity: 'E',
    text: `${segment}-${field} is empty, and this event is about it.`,
    location: { segment, sequence: 1, field },
  })
}
