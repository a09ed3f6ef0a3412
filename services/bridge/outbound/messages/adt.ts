import { incorrect } from '../../../../packages/faults/fault.ts'
import type { Encounter, Patient } from '../../../../packages/fhir/r4.ts'
import { mrgFrom, pidFrom, pv1From } from '../../hl7-from-fhir/index.ts'
import { evn, outboundMessage, pidOf, type MessageContext } from './outbound-message.ts'
import { visitEvent } from './visit-event.ts'

/**
 * A patient: ADT^A40 when it was merged into another one, A29 when this message deleted it, else A31, a change of person:
 * a record stays inactive when later messages write it, and whoever is admitted again was not deleted by that.
 */
export function adtOfPatient(patient: Patient, context: MessageContext): string {
  const replaced = patient.link?.find(({ type }) => type === 'replaced-by')
  if (replaced === undefined) {
    const isDeleted = patient.active === false && context.messageType === 'ADT^A29'
    const [trigger, structure] = isDeleted ? ['A29', 'ADT_A21'] : ['A31', 'ADT_A05']
    const segments = [evn(trigger, context), pidFrom(patient, context), pv1From(undefined, context)]
    return outboundMessage(['ADT', trigger, structure], segments, context)
  }
  const survivor = context.resolve(replaced.other)
  if (survivor?.resourceType !== 'Patient') throw incorrect('The patient who remains after the merge is not there.')
  const segments = [evn('A40', context), pidFrom(survivor, context), mrgFrom(patient, context)]
  return outboundMessage(['ADT', 'A40', 'ADT_A39'], segments, context)
}

export function adtOfEncounter(encounter: Encounter, context: MessageContext): string {
  const [trigger, structure] = visitEvent(encounter, context)
  const encounterSegments = [pidOf(encounter.subject, context), pv1From(encounter, context)]
  return outboundMessage(['ADT', trigger, structure], [evn(trigger, context), ...encounterSegments], context)
}
