import { incorrect } from '../../../../packages/faults/fault.ts'
import type { Encounter, Patient } from '../../../../packages/fhir/r4.ts'
import { mrgFrom, pidFrom, pv1From } from '../../hl7-from-fhir/index.ts'
import { evn, outboundMessage, pidOf, type MessageContext } from './outbound-message.ts'

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

/** A visit: the event that its status tells of. */
export function adtOfEncounter(encounter: Encounter, context: MessageContext): string {
  const [trigger, structure] = eventOf(encounter)
  const encounterSegments = [pidOf(encounter.subject, context), pv1From(encounter, context)]
  return outboundMessage(['ADT', trigger, structure], [evn(trigger, context), ...encounterSegments], context)
}

function eventOf({ status, class: { code } }: Encounter): readonly [trigger: string, structure: string] {
  const isInpatient = code === 'IMP' || code === 'ACUTE' || code === 'NONAC'
  if (status === 'finished') return ['A03', 'ADT_A03']
  if (status === 'planned') return ['A05', 'ADT_A05']
  if (status === 'cancelled') return ['A11', 'ADT_A09']
  if (status === 'entered-in-error') return ['A23', 'ADT_A21']
  return isInpatient ? ['A01', 'ADT_A01'] : ['A04', 'ADT_A01']
}
