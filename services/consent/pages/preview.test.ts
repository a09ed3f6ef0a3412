import { expect, it } from 'vitest'
import { insertRecord } from '../store/records.ts'
import { consentDatabase } from '../testing/consent-database.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { previewOfRevoking } from './preview.ts'

const clock = { now: () => new Date('2026-03-04T10:00:00Z') }

it.each([
  ['later, of its first day', '2027-06-01', '2027-06-01'],
  ['before, of today', '2025-06-01', '2026-03-04'],
])('what revoking would change is told, of a consent that began or begins %s', async (_when, periodStart, day) => {
  await using own = await consentDatabase()
  const record = recordWith({ periodStart, actorReference: 'Organization/central' })
  await insertRecord(record, own.database)
  const settings = { timeZone: 'UTC', implicitPolicy: 'deny' }
  // Sound: a preview needs no more of the settings and the clock.
  const deps = { database: own.database, settings, clock } as unknown as Parameters<typeof previewOfRevoking>[1]
  const { changes, ...preview } = await previewOfRevoking(record, deps)
  expect(preview.day).toBe(day)
  expect(changes).toMatchObject([{ actors: ['Organization/central'], permitted: false }])
})
