/** The day it is at an instant in a zone: `2026-03-04`. */
export function dayIn(timeZone: string, instant: Date): string {
  if (timeZone === 'UTC') return instant.toISOString().slice(0, 10)
  const parts = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return new Intl.DateTimeFormat('en-CA', parts).format(instant)
}

/**
 * Whether clocks somewhere go by this name, also by one of its other names: the list that Intl gives out has
 * `Asia/Calcutta` and not `Asia/Kolkata`. An offset is none: PostgreSQL reads its sign the other way round.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return dayIn(name, new Date(0)) !== ''
  } catch {
    return false
  }
}
