import { spanText } from './calendar.ts'
import type { Forecast } from './forecast.ts'
import type { DoseRule, Series } from './schedule.ts'

/** Why a forecast is what it is, in sentences for a clinician: what counts, what does not, which rule decides. */
export function explanationOf(found: Omit<Forecast, 'explanation'>, series: Series): string {
  return [
    countedSentence(found),
    ...found.notCounted
      .filter(({ why }) => why !== 'more-than-needed')
      .map(({ day, reason }) => `The dose of ${day} does not count: ${reason}.`),
    statusSentence(found, series),
  ].join(' ')
}

function countedSentence({ supporting }: Omit<Forecast, 'explanation'>): string {
  if (supporting.length === 0) return 'No dose counts so far.'
  const days = supporting.map(({ day }) => day).join(', ')
  return supporting.length === 1 ? `One dose counts (${days}).` : `${supporting.length} doses count (${days}).`
}

function statusSentence({ status, doseNumber, rule, ...dates }: Omit<Forecast, 'explanation'>, series: Series): string {
  if (status === 'complete') return 'The series is complete.'
  if (status === 'contraindicated') return 'It must not be given to this person.'
  if (status === 'too-old') return `It is not given from the age of ${spanText(series.endsAt)} on.`
  return (
    `Dose ${doseNumber} is recommended on ${dates.recommended}${ruleText(rule.dose)}, ` +
    `possible from ${dates.earliest} and overdue from ${dates.overdueFrom}.`
  )
}

function ruleText(dose: DoseRule | undefined): string {
  if (dose === undefined) return ''
  const age = dose.recommendedAge === '0d' ? 'at birth' : `at ${spanText(dose.recommendedAge)}`
  const interval =
    dose.minInterval === undefined ? '' : `, at least ${spanText(dose.minInterval)} after the dose before`
  return ` (${age}${interval})`
}
