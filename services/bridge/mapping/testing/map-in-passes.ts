import { parseMessage } from '../../../../packages/hl7/index.ts'
import type { MappingContext } from '../context.ts'
import { mapMessage } from '../map-message.ts'
import type { Mapping } from '../mapped.ts'
import { answers, testContext } from './context.ts'

/** As the pipeline does it: once to learn which codes are needed, once with the answers. */
export function mapInPasses(text: string | Uint8Array, changes: Partial<MappingContext> = {}): Mapping {
  const context = testContext(changes)
  const message = parseMessage(text)
  const first = mapMessage(message, context)
  if (first.refused !== undefined || first.needs.length === 0) return first
  return mapMessage(message, { ...context, terms: answers(first.needs) })
}
