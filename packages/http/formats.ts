/** The formats that schemas may name, and how a message speaks of them. */
interface TextFormat {
  readonly holds: (text: string) => boolean
  readonly says: string
}

export const textFormats: Readonly<Record<string, TextFormat>> = {
  date: { holds: isDay, says: 'must be a date such as 2026-03-04' },
  'date-time': { holds: isInstant, says: 'must be a time with its offset, such as 2026-03-04T05:06:07Z' },
  uuid: {
    holds: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
    says: 'must be a UUID',
  },
  email: { holds: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text), says: 'must be an e-mail address' },
}

/** A day that the calendar has, as forms and addresses write it. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  // No calendar of ours has a year 0, and no database takes one.
  if (year === undefined || year === '0000' || month === undefined || day === undefined) return false
  const date = new Date(`${text}T00:00:00Z`)
  // The 30th of February parses in some engines and becomes the 2nd of March: the day must survive the round trip.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isInstant(text: string): boolean {
  const [, day, hour, minute, second] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/.exec(text) ?? []
  return day !== undefined && isDay(day) && Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59
}
