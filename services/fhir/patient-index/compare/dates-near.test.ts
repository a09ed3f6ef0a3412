import { expect, it } from 'vitest'
import { compareBirthDates } from './birth-dates.ts'
import { datesNear } from './dates-near.ts'

const dayMs = 86_400_000
const everyDay = Array.from({ length: 75_000 }, (_, at) =>
  new Date(Date.UTC(1850, 0, 1) + at * dayMs).toISOString().slice(0, 10),
)

it.each(['1984-03-12', '1990-10-31', '2001-11-11', '1919-12-02', '2000-02-29'])(
  'the days near %s are all that do not contradict it',
  (date) => {
    const near = new Set(datesNear(date))
    const isCompatible = (other: string) => compareBirthDates(date, other)?.agreement !== 'contradicts'
    expect(everyDay.filter((other) => near.has(other))).toEqual(everyDay.filter(isCompatible))
  },
)
