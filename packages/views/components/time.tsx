import { useWording } from '../use-wording.ts'

interface TimeProps {
  /** An instant in ISO 8601, UTC. */
  readonly at: string | Date
  readonly precision?: 'minute' | 'second'
}

/** An instant: written in UTC by the server, shown in the reader's zone by `local-time.js`, exact on hover. */
export function Time({ at, precision = 'minute' }: TimeProps) {
  const { locale } = useWording()
  const instant = new Date(at)
  if (Number.isNaN(instant.getTime())) return <span>{String(at)}</span>
  const iso = instant.toISOString()
  return (
    <time class="nowrap" dir="auto" dateTime={iso} title={iso} data-precision={precision} data-locale={locale}>
      {instant.toLocaleString(locale, instantForms[precision])} UTC
    </time>
  )
}

/** A day as it was recorded, FHIR's partial dates included; it belongs to no zone and is never shifted. */
export function CalendarDate({ date }: { readonly date: string }) {
  const { locale } = useWording()
  return (
    <time class="nowrap" dir="auto" dateTime={date}>
      {inWords(date, locale)}
    </time>
  )
}

const day = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const
const month = { timeZone: 'UTC', month: 'short', year: 'numeric' } as const
const minute = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const instantForms = { minute, second: { ...minute, second: '2-digit' } } as const

const dateForms: readonly [RegExp, Intl.DateTimeFormatOptions][] = [
  [/^\d{4}-\d{2}-\d{2}$/, day],
  [/^\d{4}-\d{2}$/, month],
]

/** `4 Mar 2027`, `Mar 2027`. */
export function inWords(date: string, locale: string): string {
  const form = dateForms.find(([shape]) => shape.test(date))?.[1]
  const instant = new Date(date)
  return form === undefined || Number.isNaN(instant.getTime()) ? date : instant.toLocaleDateString(locale, form)
}
