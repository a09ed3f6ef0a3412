import { expect, it } from 'vitest'
import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Facility } from '../../../ports/facility-registry/facility-registry.ts'
import { finishedMessage } from '../audit/testing/finished-messages.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { readLocalZones } from './local-zones.ts'
import type { Matched } from './match-subscriptions.ts'
import { smsText } from './sms-text.ts'
import { appointment, encounter, observation, order, prescription, report } from './testing/clinical-resources.ts'
import { writeEventOf } from '../pipeline/write-event.ts'

it.each([
  ['2026-04-01T09:30:00Z', 'Africa/Nairobi', '2026-04-01 at 12:30'],
  ['2026-04-01T09:30:00+00:00', 'Africa/Nairobi', '2026-04-01 at 12:30'],
  ['2026-04-01T22:30:00.000Z', 'Africa/Nairobi', '2026-04-02 at 01:30'],
  ['2026-03-31T21:00:00Z', 'Africa/Nairobi', '2026-04-01 at 00:00'],
  ['2026-04-01T09:30:00Z', 'UTC', '2026-04-01 at 09:30'],
  // The clocks of the place, whatever zone the exchange is in.
  ['2026-04-01T09:30:00+01:00', 'Africa/Nairobi', '2026-04-01 at 09:30'],
])('a reminder of %s in %s says %s', (start, timeZone, told) => {
  const text = smsText({ ...appointment('booked'), start }, { transactionId: 't', timeZone })
  expect(text).toBe(`You have an appointment on ${told}. Please be on time.`)
})

it.each<[string, FhirResource, string]>([
  ['cancelled appointment', appointment('cancelled'), 'Your appointment on 2026-04-01 at 09:30 is cancelled.'],
  ['missed appointment', appointment('noshow'), 'There is news of your appointment on 2026-04-01 at 09:30.'],
  ['visit that goes on', encounter('in-progress', 'EMER'), 'A patient has arrived. Sign in to see it. Ref t'],
  ['finished visit', encounter('finished', 'EMER'), 'A patient has left. Sign in to see it. Ref t'],
  ['planned visit', encounter('planned', 'IMP'), 'A patient is expected. Sign in to see it. Ref t'],
  ['cancelled visit', encounter('cancelled', 'EMER'), 'A visit was cancelled. Sign in to see it. Ref t'],
  ['order', order('108252007'), 'An urgent order is waiting. Sign in to see it. Ref t'],
  ['revoked order', order('108252007', { status: 'revoked' }), 'An order was cancelled. Sign in to see it. Ref t'],
  ['stopped prescription', prescription('stopped'), 'A prescription was cancelled. Sign in to see it. Ref t'],
  ['withdrawn report', report('entered-in-error'), 'A report was withdrawn. Sign in to see it. Ref t'],
  [
    'withdrawn result',
    observation('HH', { status: 'entered-in-error' }),
    'A result was withdrawn. Sign in to see it. Ref t',
  ],
])('of a %s is said what is true of it', (_, resource, text) => {
  expect(smsText(resource, { transactionId: 't', timeZone: 'UTC' })).toBe(text)
})

it.each(['soonZ', '2026-99-99T09:30:00Z'])('a reminder of %s, which is no time, still says something', (start) => {
  const text = smsText({ ...appointment('booked'), start }, { transactionId: 't', timeZone: 'Africa/Nairobi' })
  expect(text).toMatch(/^You have an appointment/)
})

it('a reminder goes by the clocks of the facility that wrote it; nobody is asked for those it names itself', async () => {
  const asked: string[] = []
  const facility: Facility = {
    ...{ code: 'CENTRAL', organization: 'Organization/central', name: 'Central' },
    ...{ namespaces: new Map(), timeZone: 'Africa/Lagos' },
  }
  const facilities = {
    find: async (codes: readonly string[]) => {
      asked.push(...codes)
      return new Map([['CENTRAL', facility]])
    },
  }
  const event = writeEventOf(finishedMessage())
  if (event === undefined) throw new Error('it has written nothing')
  const reminder: Subscription = {
    ...{ id: 'sub-15', status: 'active', reason: 'Reminders', channel: 'sms', headers: [] },
    criteria: { type: 'Appointment', query: 'status=booked' },
    ...{
      endpoint: undefined,
      payload: undefined,
      receivingFacility: undefined,
      receivingApplication: undefined,
      ownApplications: [],
    },
  }
  const of = (start: string): Matched => ({
    ...{ event, subscription: reminder, resource: { ...appointment('booked'), start } },
    change: { type: 'Appointment', id: 'a', versionId: '1', operation: 'create' },
  })
  const deps = { facilities, timeZone: 'Africa/Nairobi' }
  const local = of('2026-04-01T09:30:00+03:00')
  expect((await readLocalZones([local], deps, {}))(local)).toBe('Africa/Nairobi')
  expect(asked).toEqual([])
  const utc = of('2026-04-01T09:30:00Z')
  expect((await readLocalZones([utc, utc], deps, {}))(utc)).toBe('Africa/Lagos')
  expect(asked).toEqual(['CENTRAL'])
})
