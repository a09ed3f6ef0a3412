import { makeZone, readTimestamp, type Message, type Zone } from '../../../packages/hl7/index.ts'
import { isOffsetOfFhir } from '../mapping/dt/ts.ts'

/** The offset of MSH-7 is that of all times of the message that have none. Such a zone costs nothing to make. */
export function zoneOfMessage(message: Message): Zone | undefined {
  const offset = readTimestamp(message.segment('MSH')?.part(7))?.offset
  if (offset === undefined || !isOffsetOfFhir(offset)) return undefined
  return makeZone(offset === 'Z' ? 'UTC' : offset)
}
