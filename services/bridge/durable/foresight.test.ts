import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../packages/faults/fault.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Received } from '../pipeline/received.ts'
import { nack } from '../pipeline/stop.ts'
import { flowWorld, parked, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import { sqlDurableStore } from './sql-durable-store.ts'

/** Stages that note who came with what had been looked up for it, and who had to ask. */
function noting() {
  const came: string[] = []
  const looked: string[] = []
  const idOf = ({ message }: Pick<Received, 'message'>) => message.getText('MSH-10') ?? ''
  return {
    came,
    looked,
    runStages: async (received: Received) => {
      came.push(`${idOf(received)} ${received.foreseen === undefined ? 'asks' : 'knows'}`)
      return idOf(received).startsWith('parked') ? parked() : succeeded()
    },
    foresee: (asked: Pick<Received, 'message'>) => {
      looked.push(idOf(asked))
      return Promise.resolve(nack('NOBODY', 'Nobody looks at it here.', { code: 'AE' }))
    },
  }
}

const worldOf = ({ runStages, foresee }: Pick<ReturnType<typeof noting>, 'runStages' | 'foresee'>) =>
  flowWorld({ runStages, deps: { foresee } })

const send = (world: FlowWorld, controlId: string, patient: string, rest = {}) =>
  world.code(sample({ controlId, patient }), rest)

describe('what is looked up while a message is journaled', () => {
  it('is used for a patient whom nobody has written about, and for the next message of the same copy', async () => {
    const stages = noting()
    await using world = await worldOf(stages)
    for (const id of ['A', 'B', 'C']) expect(await send(world, id, '1')).toBe('AA')
    expect(stages.came).toEqual(['A knows', 'B knows', 'C knows'])
  })

  it('is not used when another copy has worked for the patient since', async () => {
    const stages = noting()
    await using world = await worldOf(stages)
    const other = await world.start()
    await send(world, 'A', '1')
    await send(world, 'B', '1', { copy: other })
    await send(world, 'C', '1')
    await send(world, 'D', '1')
    expect(stages.came).toEqual(['A knows', 'B asks', 'C asks', 'D knows'])
  })

  it('is nothing where several messages are under way', async () => {
    const stages = noting()
    await using world = await worldOf(stages)
    await Promise.all(['A', 'B', 'C'].map((id) => send(world, id, id)))
    expect(stages.came.toSorted()).toEqual(['A asks', 'B asks', 'C asks'])
    expect(stages.looked).toEqual([])
  })

  it('is not used by a merge, one of whose patients another copy has written about', async () => {
    const stages = noting()
    await using world = await worldOf(stages)
    const other = await world.start()
    const merge = (controlId: string, merged: string) =>
      world.code(sample({ controlId, type: 'ADT^A40', patient: `1${controlId}`, rest: `MRG|${merged}^^^CENTRAL^MR\r` }))
    await send(world, 'A', '2', { copy: other })
    await merge('B', '2')
    await merge('C', '3')
    expect(stages.came).toEqual(['A knows', 'B asks', 'C knows'])
  })

  it('is not used behind a message that is parked, nor by that one when it is tried again', async () => {
    const stages = noting()
    await using world = await flowWorld({
      runStages: stages.runStages,
      deps: { foresee: stages.foresee, allowance: () => 0 },
    })
    expect(await send(world, 'parked', '1')).toBe('AA Queued')
    expect(await send(world, 'B', '1')).toBe('AA Queued')
    expect(stages).toMatchObject({ came: ['parked knows'], looked: ['parked', 'B'] })
  })

  it('is not used behind one that had waited for days, since its lane may have begun anew', async () => {
    const stages = noting()
    let isAway = true
    await using world = await worldOf({
      ...stages,
      runStages: async (received) => {
        await stages.runStages(received)
        return isAway ? parked() : succeeded()
      },
    })
    expect(await send(world, 'A', '1')).toBe('AA Queued')
    isAway = false
    await world.flow.retries.drainNow()
    const statuses = () => world.database.many(sql`select status from bridge.transactions`)
    await expect.poll(statuses, { timeout: 10_000 }).toEqual([{ status: 'SUCCESS' }])
    // As for a lane that nobody has taken a ticket in for two days.
    await world.database.run(sql`delete from bridge.lanes`)
    await send(world, 'B', '1', { copy: await world.start() })
    await send(world, 'C', '1')
    expect(stages.came).toEqual(['A knows', 'A asks', 'B knows', 'C asks'])
  })

  it('is of no account for a duplicate', async () => {
    const stages = noting()
    await using world = await worldOf(stages)
    await send(world, 'A', '1')
    expect(await send(world, 'A', '1')).toMatch(/^AA/)
    expect(stages).toMatchObject({ came: ['A knows'], looked: ['A', 'A'] })
  })

  it('is thrown away with a message that cannot be journaled', async () => {
    const stages = noting()
    await using world = await worldOf(stages)
    const durable = sqlDurableStore(world.database)
    const journal = async () => {
      await durable.queueState()
      throw unavailable('no room')
    }
    const broken = await world.start({ durable: { ...durable, journal } })
    expect(await send(world, 'A', '1', { copy: broken })).toMatch(/^AE/)
    expect(stages).toMatchObject({ came: [], looked: ['A'] })
  })

  it('may fail without anybody hearing of it who does not need it', async () => {
    const stages = noting()
    const foresee = () => Promise.reject(new TypeError('not iterable'))
    await using world = await worldOf({ ...stages, foresee })
    for (const id of ['A', 'A', 'B', 'C']) expect(await send(world, id, '1')).toMatch(/^AA/)
    expect(stages.came).toEqual(['A knows', 'B asks', 'C knows'])
  })
})
