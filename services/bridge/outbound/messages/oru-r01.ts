import type { DiagnosticReport, Observation, Reference } from '../../../../packages/fhir/r4.ts'
import { obrFrom, obxFrom, orcFrom, pv1From, type WrittenSegment } from '../../hl7-from-fhir/index.ts'
import { outboundMessage, pidOf, type MessageContext } from './outbound-message.ts'

/** ORU^R01 of a report with its results, each result's OBX in the order of the report. */
export function oruOfReport(report: DiagnosticReport, context: MessageContext): string {
  const results: WrittenSegment[] = []
  for (const reference of report.result ?? []) {
    const found = context.resolve(reference)
    if (found?.resourceType === 'Observation') results.push(...obxFrom(found, context, results.length + 1))
  }
  const segments = [
    pidOf(report.subject, context),
    visitOf(report.encounter, context),
    orcFrom(report, context, 'RE'),
    obrFrom(report, context),
    ...results,
  ]
  return outboundMessage(['ORU', 'R01', 'ORU_R01'], segments, context)
}

/** A single result under a report that says no more than the result does. */
export function oruOfObservation(observation: Observation, context: MessageContext): string {
  const { code, subject, encounter, effectiveDateTime, issued } = observation
  const report: DiagnosticReport = {
    ...{ resourceType: 'DiagnosticReport', status: statusOf(observation), code },
    ...(effectiveDateTime === undefined ? {} : { effectiveDateTime }),
    ...(issued === undefined ? {} : { issued }),
  }
  const segments = [
    pidOf(subject, context),
    visitOf(encounter, context),
    obrFrom(report, context),
    ...obxFrom(observation, context),
  ]
  return outboundMessage(['ORU', 'R01', 'ORU_R01'], segments, context)
}

const statusOf = ({ status }: Observation): DiagnosticReport['status'] => status

export function visitOf(reference: Reference | undefined, context: MessageContext): WrittenSegment | undefined {
  const found = reference === undefined ? undefined : context.resolve(reference)
  return found?.resourceType === 'Encounter' ? pv1From(found, context) : undefined
}
