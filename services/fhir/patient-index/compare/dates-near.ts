/**
 * All birth dates that do not contradict this one (`compareBirthDates`): two of year, month and day are the same, or the last
 * two stand in each other's place, or two neighbouring digits do.
 */
export function datesNear(date: string): string[] {
  const [year = '', month = '', day = ''] = date.split('-')
  const months = upTo(12).map((other) => `${year}-${other}-${day}`)
  const days = upTo(31).map((other) => `${year}-${month}-${other}`)
  const years = Array.from({ length: yearLast - yearFirst + 1 }, (_, at) => `${yearFirst + at}-${month}-${day}`)
  const digits = `${year}${month}${day}`
  // Within a part, the two others are the same anyway.
  const swapped = [3, 5].map((at) =>
    dated(`${digits.slice(0, at)}${digits[at + 1]}${digits[at]}${digits.slice(at + 2)}`),
  )
  return [...new Set([...months, ...days, ...years, `${year}-${day}-${month}`, ...swapped])]
}

/** Of those who may be in an index; a day that there is none of finds nobody. */
const yearFirst = 1850
const yearLast = 2150

const upTo = (last: number): string[] => Array.from({ length: last }, (_, at) => String(at + 1).padStart(2, '0'))

const dated = (digits: string): string => `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
