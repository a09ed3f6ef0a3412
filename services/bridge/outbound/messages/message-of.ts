import { incorrect } from '../../../../packages/faults/fault.ts'
import type { FhirResource } from '../../../../packages/fhir/r4.ts'
import { adtOfEncounter, adtOfPatient } from './adt.ts'
import { orderMessage, prescriptionMessage } from './orders.ts'
import type { MessageContext } from './outbound-message.ts'
import { oruOfObservation, oruOfReport } from './oru-r01.ts'

/** The HL7v2 message that tells of a resource. */
export function messageOf(resource: FhirResource, context: MessageContext): string {
  if (resource.resourceType === 'Patient') return adtOfPatient(resource, context)
  if (resource.resourceType === 'Encounter') return adtOfEncounter(resource, context)
  if (resource.resourceType === 'DiagnosticReport') return oruOfReport(resource, context)
  if (resource.resourceType === 'Observation') return oruOfObservation(resource, context)
  if (resource.resourceType === 'ServiceRequest') return orderMessage(resource, context)
  if (resource.resourceType === 'MedicationRequest') return prescriptionMessage(resource, context)
  throw incorrect(`There is no HL7v2 message for a ${resource.resourceType}; use rest-hook for it.`)
}
