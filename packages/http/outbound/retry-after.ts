import type { Clock } from '../../clock/clock.ts'

/** How long an answer asks to be left alone (RFC 9110, 10.2.3): in seconds, or until a date. Undefined: it does not say. */
export function retryAfterSeconds(headers: Headers, clock: Pick<Clock, 'now'>): number | undefined {
  const said = headers.get('retry-after')?.trim() ?? ''
  // Only what ends so is a date of HTTP: `Date.parse` makes one of nearly every text with a number in it.
  if (said.endsWith('GMT')) return secondsUntil(Date.parse(said), clock)
  const seconds = said === '' ? Number.NaN : Number(said)
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined
}

/** The same as a part of what a fault is made of. */
export function askedToWait(headers: Headers, clock: Pick<Clock, 'now'>): { readonly retryAfterSeconds?: number } {
  const seconds = retryAfterSeconds(headers, clock)
  return seconds === undefined ? {} : { retryAfterSeconds: seconds }
}

/** A date that has passed asks for nothing. */
const secondsUntil = (untilMs: number, clock: Pick<Clock, 'now'>): number | undefined =>
  Number.isNaN(untilMs) ? undefined : Math.max(0, Math.ceil((untilMs - clock.now().getTime()) / 1_000))
