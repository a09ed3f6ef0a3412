import { expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { endOf, firstIdOf, idAt, makeTransactionId, minuteOf } from './transaction-id.ts'

const made = (at: string) => makeTransactionId('CENTRAL', new Date(at), systemIds)

it('an id begins with its time, and instants, minutes and days are ranges of ids', () => {
  const id = made('2026-03-04T10:15:00.123Z')
  expect(id).toMatch(/^20260304-101500123-CENTRAL-[0-9a-f]{12}$/)
  expect(minuteOf(new Date('2026-03-04T10:15:59.999Z'))).toBe(id.slice(0, 13))
  const bounds = [
    ...[made('2026-03-03T23:59:59.999Z'), firstIdOf('2026-03-04'), made('2026-03-04T10:15:00.122Z')],
    ...[idAt(new Date('2026-03-04T10:15:00.123Z')), id, idAt(new Date('2026-03-04T10:15:00.124Z'))],
    ...[made('2026-03-04T23:59:59.999Z'), endOf('2026-03-04'), made('2026-03-05T00:00:00.000Z')],
  ]
  // As PostgreSQL sorts in the collation of the column: by code units.
  expect(bounds.toSorted((one, other) => (one < other ? -1 : 1))).toEqual(bounds)
})

it.each([
  ['Sankt Anna / Süd', 'SanktAnnaSd'],
  ['', 'UNKNOWN'],
])('the name of a sender in an id is made of plain signs: %j', (sender, name) => {
  expect(makeTransactionId(sender, new Date(0), systemIds).split('-')[2]).toBe(name)
})
