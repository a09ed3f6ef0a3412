import type { Draft } from '../draft.ts'

/** Segments of the sender's own are kept in the raw message; nothing else is done with them, and it is said. */
export function noteUnmappedSegments(draft: Draft): void {
  for (const segment of draft.message.all) {
    if (segment.name.startsWith('Z')) {
      draft.warn(
        'kept-segment',
        draft.pathOf(segment),
        'A segment of the sender’s own is kept in the raw message only.',
      )
    }
  }
}
