import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { ResourceMatching, SoughtVersion } from '../../../ports/resource-matching/resource-matching.ts'
import { finishedMessage } from '../audit/testing/finished-messages.ts'
import { writeEventOf } from '../pipeline/write-event.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import { deliveryIdOf, switchedOff, type NewDelivery } from './delivery.ts'
import { readKnownVisits, type KnownVisit } from './known-visits.ts'
import type { Matched } from './match-subscriptions.ts'
import { addDeliveries } from './store/deliveries.ts'
import { encounter, patient } from './testing/clinical-resources.ts'

let opened: Awaited<ReturnType<typeof openBridgeDatabase>>
let database: Database
beforeAll(async () => {
  opened = await openBridgeDatabase()
  database = opened.database
})
beforeEach(async () => void (await database.run(sql`truncate bridge.deliveries, bridge.delivery_counts`)))
afterAll(() => opened.close())

const subscription: Subscription = {
  ...{ id: 'ward', status: 'active', reason: 'Test', channel: 'message', headers: [] },
  criteria: { type: 'Encounter', query: 'status=in-progress' },
  ...{ endpoint: 'mllp://ward.example:2575', payload: undefined },
  ...{ receivingFacility: undefined, receivingApplication: undefined, ownApplications: [] },
}

function matched(version: number, given: Partial<Subscription> = {}): Matched {
  const event = writeEventOf(finishedMessage())
  if (event === undefined) throw new Error('it has written nothing')
  const operation = version === 1 ? 'create' : 'update'
  const change = { type: 'Encounter', id: 'visit-imp', versionId: String(version), operation } as const
  return { event, change, resource: encounter('in-progress', 'IMP'), subscription: { ...subscription, ...given } }
}

const toldOf = (version: number, status: NewDelivery['status'], lastError: string | null = null) =>
  addDeliveries(
    [
      {
        ...{
          id: deliveryIdOf('ward', 'Encounter/visit-imp', String(version)),
          subscriptionId: 'ward',
          transactionId: 't',
          patient: null,
        },
        ...{ resource: 'Encounter/visit-imp', versionId: String(version), channel: 'message', endpoint: '' },
        ...{ payload: 'MSH', status, lastError },
      },
    ],
    new Date('2026-03-04T05:00:00Z'),
    database,
  )

/** What the store has of earlier versions says which it is. */
const sought: SoughtVersion[] = []
const matching: ResourceMatching = {
  async readVersions(versions) {
    sought.push(...versions)
    return versions.map(({ version = '' }) => ({ ...encounter('arrived', 'IMP'), id: version }))
  },
  matches: async () => [],
}

async function known(...visits: readonly Matched[]) {
  sought.length = 0
  const of = await readKnownVisits(visits, { matching, database }, {})
  return visits.map(of)
}

const short = (one: KnownVisit | undefined) => one && [one.isKnown, one.isKnownAsBefore, one.before?.id]

describe('what a receiver knows of a visit', () => {
  it('is nothing where nothing was told, or it did not arrive, or was left out while the subscription was off', async () => {
    expect((await known(matched(2))).map(short)).toEqual([[false, false, '1']])
    await toldOf(1, 'dead')
    await toldOf(2, 'skipped', switchedOff)
    expect((await known(matched(2), matched(3))).map(short)).toEqual([
      [false, false, '1'],
      [true, true, '2'],
    ])
  })

  it.each([
    ['delivered', null],
    ['waiting', null],
    ['skipped', 'The receiver sent it itself.'],
  ] as const)('is what the log has as %s (%s)', async (status, lastError) => {
    await toldOf(2, status, lastError)
    expect((await known(matched(3), matched(5))).map(short)).toEqual([
      [true, true, '2'],
      [true, false, '4'],
    ])
  })

  it('is also what is told of at the same moment, in its order and by its subscription alone', async () => {
    const other = matched(2, { id: 'other' })
    expect((await known(matched(1), matched(2), other, matched(3))).map(short)).toEqual([
      [false, false, undefined],
      [true, true, '1'],
      [false, false, '1'],
      [true, true, '2'],
    ])
  })

  it('is asked for messages and texts about visits alone', async () => {
    const hook = matched(2, { channel: 'rest-hook' })
    const person: Matched = { ...matched(2), resource: patient, change: { ...matched(2).change, type: 'Patient' } }
    expect(await known(hook, person)).toEqual([undefined, undefined])
    expect(sought).toEqual([])
  })
})
