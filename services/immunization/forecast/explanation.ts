import { spanText } from './calendar.ts'
import type { FoundForecast, Wait } from './found-forecast.ts'
import type { Series } from './schedule.ts'

/** Why a forecast is what it is, in sentences for a clinician: what counts, what does not, which rule decides. */
export function explanationOf(found: FoundForecast, series: Series): string {
  return [
    countedSentence(found),
    ...found.notCounted
      .filter(({ why }) => why !== 'more-than-needed')
      .map(({ known, reason }) => `The dose of ${known} does not count: ${reason}.`),
    statusSentence(found, series),
  ].join(' ')
}

function countedSentence({ supporting }: FoundForecast): string {
  if (supporting.length === 0) return 'No dose counts so far.'
  const days = supporting.map(({ known }) => known).join(', ')
  return supporting.length === 1 ? `One dose counts (${days}).` : `${supporting.length} doses count (${days}).`
}

function statusSentence(found: FoundForecast, series: Series): string {
  const { status, doseNumber, recommended, earliest, overdueFrom } = found
  if (status === 'complete') return 'The series is complete.'
  if (status === 'contraindicated') return 'It must not be given to this person.'
  if (status === 'too-old') return `It is not given from the age of ${spanText(series.endsAt ?? '0d')} on.`
  return (
    `Dose ${doseNumber} is recommended on ${recommended}${ruleText(found)}, ` +
    `possible from ${earliest} and overdue from ${overdueFrom}.`
  )
}

function ruleText({ rule, supporting, waitsAfter }: FoundForecast): string {
  if (rule.dose === undefined) return ''
  const { recommendedAge, minInterval } = rule.dose
  const isAgain = rule.isYearly && supporting.length > 0
  const age = recommendedAge === '0d' ? 'at birth' : `at ${spanText(recommendedAge)}`
  const parts = [
    isAgain ? 'a year after the dose before' : age,
    ...(minInterval === undefined || rule.isYearly ? [] : [`at least ${spanText(minInterval)} after the dose before`]),
    ...(waitsAfter === undefined ? [] : [waitText(waitsAfter)]),
  ]
  return ` (${parts.join(', ')})`
}

const waitText = ({ because, known, interval }: Wait): string =>
  `at least ${spanText(interval)} after ` +
  (because === 'live' ? `the live vaccine of ${known}` : `the dose of ${known}, which has to be repeated`)
