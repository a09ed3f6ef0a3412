import type { Span } from '../forecast/calendar.ts'
import type { Forecast } from '../forecast/forecast.ts'
import type { Wait } from '../forecast/found-forecast.ts'
import type { Words } from '../words/words.ts'

/** Why a forecast is what it is, in the reader's language: what counts, what does not, which rule decides. */
export function reasonInWords(reason: Forecast, words: Words): string {
  const { text, count } = words
  const { supporting, notCounted } = reason
  return [
    supporting.length === 0 ? text('whyNoneCounted') : count('whyCounted', supporting.length),
    ...notCounted.flatMap(({ why, known }) =>
      why === 'more-than-needed' ? [] : [text(`whyNot_${why}`, { date: words.day(known) })],
    ),
    ...ruleInWords(reason, words),
  ].join(' ')
}

function ruleInWords({ status, doseNumber, rule, supporting, waitsAfter }: Forecast, words: Words): readonly string[] {
  const { text } = words
  if (status === 'complete') return [text('whyComplete')]
  if (status === 'contraindicated') return [text('whyContraindicated')]
  if (rule.dose === undefined) return []
  const { recommendedAge, minInterval } = rule.dose
  const number = doseNumber
  const atAge =
    Number.parseInt(recommendedAge, 10) === 0
      ? text('whyAtBirth', { number })
      : text('whyAge', { number, age: spanInWords(recommendedAge, words) })
  return [
    rule.isYearly && supporting.length > 0 ? text('whyYearly', { number }) : atAge,
    ...(minInterval === undefined || rule.isYearly
      ? []
      : [text('whyInterval', { interval: spanInWords(minInterval, words) })]),
    ...(waitsAfter === undefined ? [] : [waitInWords(waitsAfter, words)]),
  ]
}

function waitInWords({ because, known, interval }: Wait, words: Words): string {
  const values = { interval: spanInWords(interval, words), date: words.day(known) }
  return words.text(because === 'live' ? 'whyLive' : 'whyRepeated', values)
}

const units = { d: 'day', w: 'week', m: 'month', y: 'year' } as const

function spanInWords(given: Span, { span }: Words): string {
  const letter = given.at(-1)
  const unit = letter === 'w' || letter === 'm' || letter === 'y' ? units[letter] : units.d
  return span(Number.parseInt(given, 10), unit)
}
