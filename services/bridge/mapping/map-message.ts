import { Hl7Fault, type Message } from '../../../packages/hl7/index.ts'
import type { MappingContext } from './context.ts'
import { Draft } from './draft.ts'
import { families } from './families.ts'
import type { Mapping } from './mapped.ts'
import { header, tagProcessing } from './segments/msh.ts'
import { saidAt } from './segments/evn.ts'
import { noteUnmappedSegments } from './unmapped-segments.ts'

/**
 * Maps a message to FHIR. Pure: the same message and context give the same writes. When `needs` is not empty, look the
 * codes up and call again with their answers in `context.terms`.
 */
export function mapMessage(message: Message, context: MappingContext): Mapping {
  const draft: Draft = new Draft(message, context)
  try {
    const type = message.getText(header.type) ?? ''
    const family = Object.hasOwn(families, type) ? families[type] : undefined
    if (family === undefined) {
      const location = { segment: 'MSH', sequence: 1, field: 9, repetition: 1, component: 1 }
      draft.refuse({ code: '200', severity: 'E', text: 'This message type is not mapped.', location })
    }
    family(draft)
    tagProcessing(draft)
    noteUnmappedSegments(type, draft)
    return draft.finish(saidAt(draft))
  } catch (error) {
    if (error instanceof Hl7Fault) return { refused: [error.issue, ...draft.besideRefusal], warnings: draft.warnings }
    throw error
  }
}
