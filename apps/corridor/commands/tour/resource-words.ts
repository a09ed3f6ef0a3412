import type {
  CodeableConcept,
  DiagnosticReport,
  Encounter,
  FhirResource,
  Immunization,
  Observation,
  Patient,
} from '../../../../packages/fhir/r4.ts'

/** A resource in one line, and whether it needs somebody's eyes at once. */
interface ResourceLine {
  readonly type: string
  readonly words: string
  readonly isCritical: boolean
}

/** What a message became: the resources that say something to people, and the number of the others. */
export function resourceLines(resources: readonly FhirResource[]): {
  readonly lines: readonly ResourceLine[]
  readonly others: string
} {
  const lines = resources.flatMap((resource): ResourceLine[] => {
    const words = wordsFor(resource)
    const isCritical = resource.resourceType === 'Observation' && criticalWords(resource) !== undefined
    return words === undefined ? [] : [{ type: resource.resourceType, words, isCritical }]
  })
  const counts = new Map<string, number>()
  for (const { resourceType } of resources.filter((resource) => wordsFor(resource) === undefined)) {
    counts.set(resourceType, (counts.get(resourceType) ?? 0) + 1)
  }
  return { lines, others: [...counts].map(([type, count]) => (count === 1 ? type : `${count} ${type}`)).join(', ') }
}

function wordsFor(resource: FhirResource): string | undefined {
  if (resource.resourceType === 'Patient') return patientWords(resource)
  if (resource.resourceType === 'Encounter') return encounterWords(resource)
  if (resource.resourceType === 'Observation') return observationWords(resource)
  if (resource.resourceType === 'DiagnosticReport') return reportWords(resource)
  if (resource.resourceType === 'Immunization') return immunizationWords(resource)
  return undefined
}

function patientWords({ name = [], gender, birthDate, identifier = [] }: Patient): string {
  const who = [...(name[0]?.given ?? []), name[0]?.family].join(' ')
  return listed(
    who,
    gender,
    `born ${birthDate}`,
    `known by ${identifier.length} number${identifier.length === 1 ? '' : 's'}`,
  )
}

const encounterWords = ({ class: kind, status, location = [] }: Encounter): string =>
  listed(classWords[kind.code ?? ''] ?? kind.code, status, location[0]?.location.display)

const classWords: Readonly<Record<string, string>> = { IMP: 'inpatient', AMB: 'outpatient', EMER: 'emergency' }

function observationWords(observation: Observation): string {
  const { code, valueQuantity, referenceRange = [] } = observation
  const value = `${valueQuantity?.value ?? ''} ${valueQuantity?.unit ?? ''}`.trim()
  return listed(`${nameOf(code)} ${value}`, criticalWords(observation) ?? `normal ${referenceRange[0]?.text ?? ''}`)
}

/** HH, LL and AA of table 0078. */
const criticalWords = ({ interpretation = [] }: Observation): string | undefined =>
  interpretation
    .flatMap(({ coding = [] }) => coding)
    .find(({ code }) => code === 'HH' || code === 'LL' || code === 'AA')
    ?.display?.toUpperCase()

const reportWords = ({ code, status, result = [] }: DiagnosticReport): string =>
  listed(nameOf(code), status, `${result.length} results`)

const immunizationWords = ({ vaccineCode, occurrenceDateTime, lotNumber, site }: Immunization): string =>
  listed(nameOf(vaccineCode), occurrenceDateTime, lotNumber === undefined ? undefined : `lot ${lotNumber}`, site?.text)

const nameOf = ({ text, coding = [] }: CodeableConcept): string => text ?? coding[0]?.display ?? coding[0]?.code ?? ''

const listed = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(', ')
