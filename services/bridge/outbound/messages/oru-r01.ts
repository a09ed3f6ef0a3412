import type { Annotation, DiagnosticReport, Observation, Reference } from '../../../../packages/fhir/r4.ts'
import {
  attachmentsOf,
  ntesFrom,
  obrFrom,
  obxFrom,
  obxOfForm,
  orcFrom,
  pv1From,
  type WrittenSegment,
} from '../../hl7-from-fhir/index.ts'
import { reportNote } from '../../mapping/report.ts'
import { outboundMessage, pidOf, type MessageContext } from './outbound-message.ts'

/** ORU^R01 of a report with its results in the order of the report, and the files that it presents behind them. */
export function oruOfReport(report: DiagnosticReport, context: MessageContext): string {
  const observations = (report.result ?? [])
    .map((reference) => context.resolve(reference))
    .filter((found) => found?.resourceType === 'Observation')
  const results: WrittenSegment[] = []
  let count = 0
  for (const observation of observations) {
    const segments = obxFrom(observation, context, count + 1)
    count += segments.length
    for (const segment of [...segments, ...ntesFrom(observation.note)]) results.push(segment)
  }
  const told = new Set(observations.flatMap((one) => attachmentsOf(one, context)).map(({ data, url }) => data ?? url))
  const forms = (report.presentedForm ?? []).filter(({ data, url }) => !told.has(data ?? url))
  const segments = [
    pidOf(report.subject, context),
    visitOf(report.encounter, context),
    orcFrom(report, context, 'RE'),
    obrFrom(report, context),
    ...ntesFrom(notesOf(report)),
    ...results,
    ...forms.flatMap((form, index) => obxOfForm(form, report, context, count + index + 1)),
  ]
  return outboundMessage(['ORU', 'R01', 'ORU_R01'], segments, context)
}

/** R5 has the element; in R4 its extension says the same. */
const notesOf = ({ extension }: DiagnosticReport): Annotation[] =>
  (extension ?? []).flatMap(({ url, valueAnnotation }) => (url === reportNote ? (valueAnnotation ?? []) : []))

/** A single result under a report that says no more than the result does. */
export function oruOfObservation(observation: Observation, context: MessageContext): string {
  const { code, subject, encounter, effectiveDateTime, issued, basedOn } = observation
  const report: DiagnosticReport = {
    ...{ resourceType: 'DiagnosticReport', status: statusOf(observation), code },
    ...(effectiveDateTime === undefined ? {} : { effectiveDateTime }),
    ...(issued === undefined ? {} : { issued }),
    ...(basedOn === undefined ? {} : { basedOn }),
  }
  const segments = [
    pidOf(subject, context),
    visitOf(encounter, context),
    obrFrom(report, context),
    ...obxFrom(observation, context),
    ...ntesFrom(observation.note),
  ]
  return outboundMessage(['ORU', 'R01', 'ORU_R01'], segments, context)
}

const statusOf = ({ status }: Observation): DiagnosticReport['status'] => status

export function visitOf(reference: Reference | undefined, context: MessageContext): WrittenSegment | undefined {
  const found = reference === undefined ? undefined : context.resolve(reference)
  return found?.resourceType === 'Encounter' ? pv1From(found, context) : undefined
}
