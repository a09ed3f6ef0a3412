import { expect, it } from 'vitest'
import { dayIn, isTimeZone } from './day-in.ts'

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

it.each([
  ...['UTC', 'Etc/UTC', 'Africa/Nairobi', 'Asia/Kolkata', 'Asia/Calcutta', 'Asia/Kathmandu', 'Europe/Kyiv'].map(
    (name) => [name, true] as const,
  ),
  ...['', 'Mars/Olympus', '+03:00', '-05:00', 'Africa/Nairobi '].map((name) => [name, false] as const),
])('%j is a zone: %s', (name, isOne) => {
  expect(isTimeZone(name)).toBe(isOne)
})
