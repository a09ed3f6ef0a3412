import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { PostWriteEvent, SummarySection } from '../../../ports/coordination/coordination.ts'
import { isCritical } from '../coordination/is-critical.ts'
import type { Written } from './match-subscriptions.ts'
import { referenceTo, type WriteEvent } from '../pipeline/write-event.ts'

/** What the coordination service is told of messages, in their order. */
export function postWritesOf(events: readonly WriteEvent[], written: readonly Written[]): PostWriteEvent[] {
  const byEvent = Map.groupBy(written, ({ event }) => event)
  return events.map((event) =>
    postWriteOf(
      event,
      (byEvent.get(event) ?? []).map(({ resource }) => resource),
    ),
  )
}

function postWriteOf(event: WriteEvent, own: readonly FhirResource[]): PostWriteEvent {
  const { sendingApplication: _sender, resources, ...rest } = event
  return {
    ...rest,
    eventType: 'POST_WRITE',
    resources: resources.map((change) => ({
      ...{
        reference: referenceTo(change),
        type: change.type,
        versionId: change.versionId,
        operation: change.operation,
      },
    })),
    sections: [...new Set(resources.flatMap(({ type }) => sectionOf[type] ?? []))],
    flags: { critical: own.some(isCritical), merge: own.some(isMerged) },
    purposeOfUse: 'TREAT',
  }
}

const isMerged = (resource: FhirResource): boolean =>
  resource.resourceType === 'Patient' && resource.link?.some(({ type }) => type === 'replaced-by') === true

const sectionOf: Readonly<Record<string, SummarySection>> = {
  Patient: 'demographics',
  RelatedPerson: 'demographics',
  Encounter: 'encounters',
  Observation: 'results',
  DiagnosticReport: 'results',
  MedicationRequest: 'medications',
  MedicationAdministration: 'medications',
  MedicationDispense: 'medications',
  AllergyIntolerance: 'allergies',
  Condition: 'problems',
  Procedure: 'procedures',
  Immunization: 'immunizations',
  DocumentReference: 'documents',
  Composition: 'documents',
  Appointment: 'appointments',
  ServiceRequest: 'orders',
}
