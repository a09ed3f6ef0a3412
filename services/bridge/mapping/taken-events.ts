import type { Issue, Message } from '../../../packages/hl7/index.ts'
import { adtEvents } from './families/adt/events.ts'
import { documentEvents } from './families/mdm/events.ts'
import { masterFiles } from './families/mfn/mfn.ts'
import { orderEvents } from './families/orders/events.ts'
import { resultEvents } from './families/oru/events.ts'
import { queryKinds } from './families/qbp/read-query.ts'
import { prescriptionEvents } from './families/rde/rde.ts'
import { scheduleEvents } from './families/siu/events.ts'
import { vaccinationEvents } from './families/vxu/vxu.ts'
import { notTaken } from './refusals.ts'
import { header, triggerOf } from './segments/msh.ts'

/** By MSH-9.1, which events are mapped, and the channel that says so. */
const takenEvents: Readonly<Record<string, readonly [events: Readonly<Record<string, unknown>>, channel: string]>> = {
  ADT: [adtEvents, 'ADT'],
  ORU: [resultEvents, 'ORU'],
  ORM: [orderEvents['ORM'] ?? {}, 'ORM'],
  OMG: [orderEvents['OMG'] ?? {}, 'ORM'],
  OML: [orderEvents['OML'] ?? {}, 'ORM'],
  OMI: [orderEvents['OMI'] ?? {}, 'ORM'],
  VXU: [vaccinationEvents, 'VXU'],
  MDM: [documentEvents, 'MDM'],
  MFN: [masterFiles, 'MFN'],
  QBP: [queryKinds, 'QBP'],
  RDE: [prescriptionEvents, 'RDE'],
  SIU: [scheduleEvents, 'SIU'],
}

/** MSH-9 as the log has it (`ADT^A01`) of all that is mapped, and of messages that name no event. */
export const takenTypes: readonly string[] = Object.entries(takenEvents).flatMap(([type, [events]]) => [
  type,
  ...Object.keys(events).map((event) => `${type}^${event}`),
])

/**
 * What is wrong with an event that is not mapped, from the header alone: whoever listens to accept answers must hear it
 * there. One that names no event is left to its family, as is a type that is not known.
 */
export function refusedEvent(message: Message): Issue | undefined {
  const type = message.getText(header.type) ?? ''
  const trigger = triggerOf({ message })
  const known = Object.hasOwn(takenEvents, type) ? takenEvents[type] : undefined
  if (known === undefined || trigger === '') return undefined
  const [events, channel] = known
  return Object.hasOwn(events, trigger) ? undefined : notTaken(channel)
}
