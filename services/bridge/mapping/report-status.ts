import type { DiagnosticReport, FhirResource, Observation } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { rowOf } from './code-map.ts'
import type { Write } from './mapped.ts'
import { orderedReportStatus } from './v/0038-report-status.ts'

type Status = DiagnosticReport['status']

/**
 * What a report is where OBR-25 is empty: what its results say of themselves (OBX-11), and where they say nothing, what
 * ORC-5 says of the order. A result that was not made leaves the others what they are.
 */
export function statusOfResults(results: readonly Observation[], orc: Segment | undefined): Status {
  const told = results.map(({ status }) => status as Observation['status'] | undefined)
  const made = told.filter((status) => status !== 'cancelled')
  if (made.every(isUnknown)) {
    const isNone = told.length > 0 && made.length === 0
    return isNone ? 'cancelled' : (rowOf(orderedReportStatus, orc?.text(5) ?? '') ?? 'unknown')
  }
  if (made.every(isFinal)) return made.find((status) => status === 'corrected' || status === 'amended') ?? 'final'
  const [first] = made
  const isOne = made.every((status) => status === first)
  return isOne && (first === 'registered' || first === 'preliminary') ? first : 'partial'
}

/**
 * The joined report of a message without OBR-25. One that tells all results which the report has says what the report is;
 * one that tells some of them says so only of these, and what is stored says the rest.
 */
export function withStatusOfResults(merged: FhirResource, write: Write): FhirResource {
  const { resource, defaults, isAddition } = write
  if (merged.resourceType !== 'DiagnosticReport' || resource.resourceType !== 'DiagnosticReport') return merged
  const told = (defaults as Partial<DiagnosticReport>).status
  // Sound: a report that is not yet whole may have no status.
  const isSaid = (resource.status as Status | undefined) !== undefined
  if (isSaid || isAddition === true || told === undefined || told === 'unknown') return merged
  const named = new Set(resource.result?.map(({ reference }) => reference))
  // Without a result only ORC-5 speaks, of the order: what has been reported stays as it was told.
  if (named.size === 0 && !isAwaited(merged.status)) return merged
  const isWhole = merged.result?.every(({ reference }) => named.has(reference)) ?? true
  const status = isWhole ? told : both(merged.status, told)
  return status === merged.status ? merged : { ...merged, status }
}

/** Of some results as stored and of some as told. */
function both(stored: Status, told: Status): Status {
  if (stored === told || stored === 'entered-in-error' || told === 'cancelled') return stored
  if (isFinal(stored)) return isFinal(told) ? (told === 'final' ? stored : told) : 'partial'
  return stored === 'registered' || stored === 'cancelled' || stored === 'unknown' ? 'partial' : stored
}

const isAwaited = (status: Status): boolean => status === 'registered' || status === 'unknown'

const isFinal = (status: string | undefined): boolean =>
  status === 'final' || status === 'corrected' || status === 'amended'

const isUnknown = (status: string | undefined): boolean => status === undefined || status === 'unknown'
