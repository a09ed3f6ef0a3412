import type { DiagnosticReport, ServiceRequest } from '../../../packages/fhir/r4.ts'
import { relevantClinicalInformation } from '../mapping/segments/obr.ts'
import { priority } from '../mapping/v/0485-priority.ts'
import { backwards, codeIn, cwe, repeatedCodes } from './dt/coded.ts'
import { ei } from './dt/identifiers.ts'
import { xcn } from './dt/references.ts'
import { hl7Time } from './dt/times.ts'
import { orderNumbers, requesterOf } from './orc.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** OBR of an order (what is asked) or of a report (what was found). */
export function obrFrom(source: ServiceRequest | DiagnosticReport, deps: WriterDeps, setId = 1): WrittenSegment {
  const { placer, filler } = orderNumbers(source)
  const common = {
    1: setId,
    2: ei(placer, deps.authorities),
    3: ei(filler, deps.authorities),
    4: cwe(source.code, deps),
    16: xcn(requesterOf(source, deps), deps),
  }
  const fields = source.resourceType === 'ServiceRequest' ? ofRequest(source, deps) : ofReport(source, deps)
  return { name: 'OBR', fields: { ...common, ...fields } }
}

function ofRequest(request: ServiceRequest, deps: WriterDeps) {
  return {
    // TQ1 says both; older receivers look here.
    5: backwards(priority, request.priority),
    6: hl7Time(request.occurrenceDateTime ?? request.occurrencePeriod?.start),
    13: clinicalInformation(request),
    31: cwe(request.reasonCode?.[0], deps),
    46: repeatedCodes(request.orderDetail, deps),
  }
}

/** Who examines must know it: pregnant, allergic to contrast medium. */
const clinicalInformation = ({ extension = [] }: ServiceRequest): string | undefined =>
  extension.find(({ url }) => url.endsWith(`/${relevantClinicalInformation}`))?.valueString

function ofReport(report: DiagnosticReport, deps: WriterDeps) {
  const { effectiveDateTime, effectivePeriod, category, status, issued, resultsInterpreter } = report
  return {
    7: hl7Time(effectiveDateTime ?? effectivePeriod?.start),
    8: hl7Time(effectivePeriod?.end),
    22: hl7Time(issued),
    24: codeIn(category?.[0], '0074'),
    25: resultStatuses[status],
    32: xcn(resultsInterpreter?.[0], deps),
  }
}

/** Table 0123 as 2.5.1 has it, from the statuses of reports; `unknown` has none. */
const resultStatuses: Readonly<Partial<Record<DiagnosticReport['status'], string>>> = {
  registered: 'O',
  partial: 'A',
  preliminary: 'P',
  final: 'F',
  amended: 'C',
  corrected: 'C',
  appended: 'C',
  cancelled: 'X',
  'entered-in-error': 'X',
}
