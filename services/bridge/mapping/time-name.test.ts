import { expect, it } from 'vitest'
import { makeZone } from '../../../packages/hl7/index.ts'
import { placed } from './testing/place.ts'
import { isMoment, timeName } from './time-name.ts'

const named = (sent: string, zone: string, to?: 'minute') => {
  const { part, draft } = placed(sent, { zone: makeZone(zone) })
  return timeName(part, draft, to)
}

it.each([
  ['202603040900', 'Europe/Vienna', '2026-03-04T09:00:00'],
  ['20260304090000.00', 'Europe/Vienna', '2026-03-04T09:00:00'],
  ['20260304090000+0100', 'Europe/Vienna', '2026-03-04T09:00:00'],
  ['20260304080000Z', 'Europe/Vienna', '2026-03-04T09:00:00'],
  ['20260304030000-0500', 'Europe/Vienna', '2026-03-04T09:00:00'],
  ['20260304090012.5', 'Europe/Vienna', '2026-03-04T09:00:12.5'],
  ['20260304090012.50', 'Europe/Vienna', '2026-03-04T09:00:12.5'],
  ['20260304080012.5Z', 'Europe/Vienna', '2026-03-04T09:00:12.5'],
  ['20260304090012.0500', 'Europe/Vienna', '2026-03-04T09:00:12.05'],
  ['20260304090012.00', 'Europe/Vienna', '2026-03-04T09:00:12'],
  // The hour that comes twice.
  ['20261025023000+0200', 'Europe/Vienna', '2026-10-25T00:30:00Z'],
  ['20261025003000Z', 'Europe/Vienna', '2026-10-25T00:30:00Z'],
  ['20261025023000+0100', 'Europe/Vienna', '2026-10-25T02:30:00'],
  // Of a visit of October, said in a message of November.
  ['20261024090000', '+01:00', '2026-10-24T09:00:00'],
  ['20261024090000+0200', '+01:00', '2026-10-24T09:00:00'],
  // The days that stand for never, beyond which no clock goes.
  ['99991231235959-0500', 'Europe/Vienna', '9999-12-31T23:59:59'],
  ['99991231235959Z', 'Europe/Vienna', '9999-12-31T23:59:59'],
  ['00010101000000Z', 'America/New_York', '0001-01-01T00:00:00'],
  ['00010101000000+0100', 'America/New_York', '0001-01-01T00:00:00'],
  ['2026030409', 'UTC', '2026030409'],
  ['20260304', 'UTC', '20260304'],
  ['soon', 'UTC', 'soon'],
  ['', 'UTC', undefined],
])('%s in %s is named %s', (sent, zone, name) => {
  expect(named(sent, zone)).toBe(name)
  expect(isMoment(named(sent, zone, 'minute') ?? '')).toBe(name?.includes(':') === true)
})

it('is named to the minute where that is enough', () => {
  expect(named('20260304090042', 'UTC', 'minute')).toBe(named('202603040900', 'UTC', 'minute'))
  expect(named('20260304090042', 'UTC')).not.toBe(named('202603040900', 'UTC'))
})

it('is in the hour that comes twice no time of two hours before', () => {
  const [moment, clock] = ['20261025023000+0200', '20261025003000'].map((sent) =>
    named(sent, 'Europe/Vienna', 'minute'),
  )
  expect(moment).not.toBe(clock)
})
