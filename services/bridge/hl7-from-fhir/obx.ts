import type {
  Attachment,
  DiagnosticReport,
  Observation,
  ObservationComponent,
  ObservationReferenceRange,
} from '../../../packages/fhir/r4.ts'
import { repeated, type FieldValue } from '../../../packages/hl7/index.ts'
import { subIdParts, subIdUrl } from '../mapping/segments/obx.ts'
import { interpretation } from '../mapping/v/0078-interpretation.ts'
import { cwe } from './dt/coded.ts'
import { ei, identifierOf } from './dt/identifiers.ts'
import { number } from './dt/quantities.ts'
import { hl7Time } from './dt/times.ts'
import { fileOf, type WrittenFile } from './ed.ts'
import { valueOf, type Value } from './obx-value.ts'
import type { WriterDeps, WrittenSegment } from './written-segment.ts'

/** OBX of an Observation; one of components (blood pressure) becomes an OBX for each. `setId` is that of the first. */
export function obxFrom(observation: Observation, deps: WriterDeps, setId = 1): WrittenSegment[] {
  const parts = observation.component ?? []
  const own = valueOf(observation, deps) === undefined && parts.length > 0 ? [] : [observation]
  const subId = subIdOf(observation)
  return [...own, ...parts].map((part, index) => ({
    name: 'OBX',
    fields: {
      1: setId + index,
      ...said(part, part === observation ? filesOf(observation, deps) : [], deps),
      4: subId,
      11: resultStatuses[observation.status],
      14: hl7Time(observation.effectiveDateTime ?? observation.effectivePeriod?.start),
      // The filler's number is that of the whole observation: a component has none.
      21: part === observation ? ei(identifierOf(observation.identifier, 'FILL'), deps.authorities) : undefined,
    },
  }))
}

/** OBX-4, which tells what of several of one code belongs together: as it was sent. */
function subIdOf({ extension }: Observation): FieldValue {
  const parts = extension?.find(({ url }) => url === subIdUrl)?.extension ?? []
  const written = subIdParts.map((name) => parts.find(({ url }) => url === name)?.valueString)
  return written.some((part) => part !== undefined) ? written : undefined
}

type Part = Observation | ObservationComponent

function said(part: Part, files: readonly WrittenFile[], deps: WriterDeps) {
  const { type, value, unit } = valueOf(part, deps) ?? valueOfFiles(files) ?? {}
  const flags = (part.interpretation ?? [])
    .flatMap(({ coding }) => coding?.[0]?.code ?? [])
    .filter((code) => known.has(code))
  return {
    2: type,
    3: cwe(part.code, deps),
    5: value,
    6: unit,
    7: rangeText(part.referenceRange?.[0]),
    8: flags.length === 0 ? undefined : repeated(flags),
  }
}

const known = new Set(Object.values(interpretation.rows).map(({ code }) => code))

/** Table 0085 as 2.5.1 has it, from the statuses of observations and reports; `unknown` has none. */
const resultStatuses: Readonly<Partial<Record<Observation['status'] | DiagnosticReport['status'], string>>> = {
  registered: 'I',
  preliminary: 'P',
  partial: 'P',
  final: 'F',
  amended: 'C',
  corrected: 'C',
  appended: 'C',
  cancelled: 'X',
  'entered-in-error': 'D',
}

/** OBX of a file that a report presents, and that is the value of none of its results. */
export function obxOfForm(
  form: Attachment,
  report: DiagnosticReport,
  deps: WriterDeps,
  setId: number,
): WrittenSegment[] {
  const file = fileOf(form)
  if (file === undefined) return []
  return [
    {
      name: 'OBX',
      fields: { 1: setId, 2: file.type, 3: cwe(report.code, deps), 5: file.value, 11: resultStatuses[report.status] },
    },
  ]
}

/** The files that a result was derived from: R4 has no value that holds one. */
export const attachmentsOf = ({ derivedFrom }: Observation, { resolve }: WriterDeps): Attachment[] =>
  (derivedFrom ?? []).flatMap((reference) => {
    const found = resolve(reference)
    return found?.resourceType === 'DocumentReference' ? found.content.map(({ attachment }) => attachment) : []
  })

const filesOf = (observation: Observation, deps: WriterDeps): WrittenFile[] =>
  attachmentsOf(observation, deps).flatMap((attachment) => fileOf(attachment) ?? [])

/** Several files of one kind are repetitions of one value. */
function valueOfFiles(files: readonly WrittenFile[]): Value | undefined {
  const [first] = files
  if (first === undefined) return undefined
  const alike = files.filter(({ type }) => type === first.type)
  return { type: first.type, value: repeated(alike.map(({ value }) => value)) }
}

function rangeText(range: ObservationReferenceRange | undefined): string | undefined {
  if (range?.text !== undefined || range === undefined) return range?.text
  const [low, high] = [number(range.low), number(range.high)]
  if (low !== undefined && high !== undefined) return `${low}-${high}`
  return low === undefined ? (high === undefined ? undefined : `<${high}`) : `>${low}`
}
