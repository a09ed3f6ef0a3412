import { expect, it } from 'vitest'
import { dayIn } from './today.ts'

it.each([
  ['UTC', '2026-03-04T23:59:59Z', '2026-03-04'],
  ['UTC', '2026-03-05T00:00:00Z', '2026-03-05'],
  ['Africa/Nairobi', '2026-03-04T20:59:59Z', '2026-03-04'],
  ['Africa/Nairobi', '2026-03-04T21:00:00Z', '2026-03-05'],
  ['America/Lima', '2026-03-05T04:59:59Z', '2026-03-04'],
  ['UTC', '2028-02-29T12:00:00Z', '2028-02-29'],
])('in %s %s is on %s', (zone, instant, day) => {
  expect(dayIn(zone, new Date(instant))).toBe(day)
})
