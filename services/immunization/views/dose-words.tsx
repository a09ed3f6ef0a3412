import { Badge, StatusPill } from '../../../packages/views/components/badge.tsx'
import type { Tone } from '../../../packages/views/components/tone.ts'
import { doubtsAbout, type Looking } from '../certificate/signable.ts'
import { vaccineInWords, type CodedVaccine } from '../forecast/vaccine-codes.ts'
import { knownOf } from '../read-model/fhir-parts.ts'
import type { Recommendation } from '../read-model/recommendation.ts'
import { isOnlyTold, type VaccinationRecord } from '../read-model/vaccination.ts'
import { useWords, type Words } from '../words/words.ts'
import { Day } from './day.tsx'

/** The day of a dose, as exactly as it is known. */
export function DoseDate({ dose }: { readonly dose: VaccinationRecord }) {
  const { text } = useWords()
  if (dose.occurrenceDate === null) return <span>{text('dateUnknown')}</span>
  return <Day date={knownOf(dose.occurrenceDate, dose.occurrencePrecision)} />
}

/**
 * What a reader should know before trusting a dose: that it is second-hand, which the specification calls self-reported,
 * who wrote it down if anybody did, that it was too weak to protect, and that its record says something we cannot read.
 */
export function Reserves({ dose }: { readonly dose: VaccinationRecord }) {
  const { text } = useWords()
  const { documentedBy, patientReported } = dose
  const badges = [
    patientReported && <Badge tone={isOnlyTold(dose) ? 'warning' : 'neutral'}>{text('selfReported')}</Badge>,
    documentedBy !== null && <Badge tone="info">{text(`documentedBy_${documentedBy}`)}</Badge>,
    dose.isSubpotent && <Badge tone="warning">{text('subpotent')}</Badge>,
    dose.isQualified === true && <Badge tone="warning">{text('qualified')}</Badge>,
  ].filter((badge) => badge !== false)
  return <>{badges.flatMap((badge, at) => (at === 0 ? [badge] : [' ', badge]))}</>
}

/** The same on paper, where a date that cannot be right is said as well. */
export const doubtsInWords = (dose: VaccinationRecord, looking: Looking, { text }: Words): readonly string[] =>
  doubtsAbout(dose, looking).map((doubt) => text(doubtWords[doubt]))

const doubtWords = {
  'self-reported': 'selfReported',
  subpotent: 'subpotent',
  qualified: 'qualified',
  'impossible-date': 'impossibleDate',
} as const

/** `Dose 2 of 3`, as far as it is known. */
export function doseInWords(
  { doseNumber, of }: { readonly doseNumber: string | null; readonly of: string | null },
  { text }: Words,
): string | undefined {
  if (doseNumber === null) return undefined
  return of === null ? text('dose', { number: doseNumber }) : text('doseOf', { number: doseNumber, total: of })
}

/** Nothing where nobody says how it stands. */
export function ForecastPill({
  recommendation: { forecastStatus: status },
}: {
  readonly recommendation: Recommendation
}) {
  const words = useWords()
  if (status === null) return null
  return <StatusPill tone={toneOfStatus(status)}>{statusInWords(status, words)}</StatusPill>
}

function toneOfStatus(status: string): Tone {
  const tones: Readonly<Record<string, Tone>> = { overdue: 'bad', due: 'warning', immune: 'good', complete: 'good' }
  return tones[status] ?? 'neutral'
}

const known = ['overdue', 'due', 'immune', 'complete', 'contraindicated', 'upcoming'] as const

/** A word that we do not know is shown as the server wrote it. */
function statusInWords(status: string, { text }: Words): string {
  const word = known.find((one) => one === status)
  return word === undefined ? status : text(`status_${word}`)
}

/**
 * What recommendations are called in one list. Two can be of one vaccine, each for another disease: then it is said for
 * which.
 */
export function labelsIn(recommendations: readonly Recommendation[], words: Words): (one: Recommendation) => string {
  const labels = recommendations.map((one) => vaccineLabel(one, words))
  return (one) => {
    const label = vaccineLabel(one, words)
    const series = seriesInWords(one, words)
    const isAlone = labels.indexOf(label) === labels.lastIndexOf(label)
    return isAlone || series === null ? label : `${label} (${series})`
  }
}

function seriesInWords({ reason, seriesName }: Recommendation, { text }: Words): string | null {
  const series = reason?.series
  return series === 'measles' || series === 'rubella' ? text(`disease_${series}`) : seriesName
}

export const vaccineLabel = (
  vaccine: CodedVaccine & { readonly vaccineName: string | null },
  { text }: Words,
): string => vaccineInWords(vaccine) ?? text('vaccineUnknown')
