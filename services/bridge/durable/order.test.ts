import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { seededRandom } from '../../../packages/clock/ids.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { Received } from '../pipeline/received.ts'
import { flowWorld, parked, sample, succeeded } from '../testing/flow-world.ts'

const idOf = ({ message }: Received) => message.getText('MSH-10') ?? ''
const patientsOf = ({ message }: Received) =>
  [message.getText('PID-3'), message.getText('MRG-1')].filter((patient) => patient !== undefined)

/** Stages that end when told, and who is in them. */
function gatedStages() {
  const running = new Map<string, () => void>()
  return {
    running,
    runStages: (received: Received) =>
      new Promise<ReturnType<typeof succeeded>>((resolve) => {
        running.set(idOf(received), () => {
          running.delete(idOf(received))
          resolve(succeeded())
        })
      }),
    end: (id: string) => running.get(id)?.(),
    until: (...ids: readonly string[]) =>
      waitFor(() => [...running.keys()].sort().join() === [...ids].sort().join(), { what: `${ids.join()} running` }),
  }
}

const merge = (controlId: string, survivor: string, merged: string) =>
  sample({ controlId, type: 'ADT^A40', patient: survivor, rest: `MRG|${merged}^^^CENTRAL^MR\r` })

describe('the order of messages', () => {
  it('is kept for each patient, and nobody waits for another patient', async () => {
    const stages = gatedStages()
    await using world = await flowWorld(stages)
    const answers = [world.code(sample({ controlId: 'A', patient: '1' }))]
    await stages.until('A')
    answers.push(world.code(sample({ controlId: 'B', patient: '1' })))
    answers.push(world.code(sample({ controlId: 'C', patient: '2' })))
    await stages.until('A', 'C')
    stages.end('A')
    await stages.until('B', 'C')
    stages.end('B')
    stages.end('C')
    expect(await Promise.all(answers)).toEqual(['AA', 'AA', 'AA'])
  })

  it('holds both patients of a merge', async () => {
    const stages = gatedStages()
    await using world = await flowWorld(stages)
    const first = world.code(sample({ controlId: 'A', patient: '2' }))
    await stages.until('A')
    const second = world.code(merge('M', '1', '2'))
    await waitFor(() => world.flow.underWay.size === 2, { what: 'the merge under way' })
    const journaled = () => world.database.many(sql`select 1 from bridge.open_work`)
    await waitFor(async () => (await journaled()).length === 3, { what: 'the merge in its lanes' })
    const third = world.code(sample({ controlId: 'B', patient: '1' }))
    await waitFor(async () => (await journaled()).length === 4, { what: 'the third in its lane' })
    await stages.until('A')
    stages.end('A')
    await stages.until('M')
    stages.end('M')
    await stages.until('B')
    stages.end('B')
    expect(await Promise.all([first, second, third])).toEqual(['AA', 'AA', 'AA'])
  })

  it.each(['', 'PID|1||2^^^CENTRAL^MR\r'])(
    'lets nothing overtake the booking that it calls off: %j',
    async (patient) => {
      const stages = gatedStages()
      await using world = await flowWorld(stages)
      const siu = (controlId: string, trigger: string, rest: string) =>
        `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||SIU^${trigger}|${controlId}|P|2.5.1\rSCH||F1^S\r${rest}`
      const booked = world.code(siu('A', 'S12', 'PID|1||1^^^CENTRAL^MR\r'))
      await stages.until('A')
      const calledOff = world.code(siu('B', 'S15', patient))
      await waitFor(
        async () => (await world.database.many(sql`select distinct transaction_id from bridge.open_work`)).length === 2,
        { what: 'the second in its lanes' },
      )
      await stages.until('A')
      stages.end('A')
      await stages.until('B')
      stages.end('B')
      expect([await booked, await calledOff]).toEqual(['AA', 'AA'])
    },
  )

  it('is the same in two copies', async () => {
    const stages = gatedStages()
    await using world = await flowWorld(stages)
    const copy = await world.start()
    const first = world.code(sample({ controlId: 'A' }))
    await stages.until('A')
    const second = world.code(sample({ controlId: 'B' }), { copy })
    await waitFor(async () => (await world.database.many(sql`select 1 from bridge.open_work`)).length === 2, {
      what: 'the second in the lane',
    })
    await stages.until('A')
    stages.end('A')
    await stages.until('B')
    stages.end('B')
    expect([await first, await second]).toEqual(['AA', 'AA'])
  })

  it('parks whoever comes behind a parked message of the same patient, and nobody else', async () => {
    let isDown = true
    const order: string[] = []
    await using world = await flowWorld({
      channels: { adt: { retry: { maxAttempts: 10_000, baseMs: 20, maxMs: 20, multiplier: 1 } } },
      runStages: async (received) => {
        if (isDown && received.message.getText('PID-3') === '1') return parked()
        order.push(idOf(received))
        return succeeded()
      },
    })
    expect(await world.code(sample({ controlId: 'A', patient: '1' }))).toBe('AA Queued')
    const [behind] = await world.send(sample({ controlId: 'B', patient: '1' }))
    expect(behind?.getText('MSA-3')).toBe('Queued')
    expect(behind?.getText('ERR-8')).toBe('The message is stored and waits for an earlier one of the same patient.')
    expect(await world.code(merge('M', '3', '1'))).toBe('AA Queued')
    expect(await world.code(sample({ controlId: 'C', patient: '3' }))).toBe('AA Queued')
    expect(await world.code(sample({ controlId: 'D', patient: '2' }))).toBe('AA')
    const timed = await world.database.many<{ id: string }>(
      sql`select control_id as id from bridge.transactions where next_attempt_at is not null`,
    )
    expect(timed, 'nobody knows when it is the turn of the others').toEqual([{ id: 'A' }])
    isDown = false
    await waitFor(() => order.length === 5, { what: 'all through' })
    expect(order).toEqual(['D', 'A', 'B', 'M', 'C'])
  })

  it('survives any mixture of patients, merges, failures of the store and copies', async () => {
    const random = seededRandom(7)
    const through: string[] = []
    const atWork = new Set<string>()
    const doubled: string[] = []
    await using world = await flowWorld({
      channels: { adt: { retry: { maxAttempts: 1_000, baseMs: 5, maxMs: 5, multiplier: 1 } } },
      runStages: async (received) => {
        const patients = patientsOf(received)
        for (const patient of patients) {
          if (atWork.has(patient)) doubled.push(patient)
          atWork.add(patient)
        }
        await systemClock.sleep(random.below(3))
        for (const patient of patients) atWork.delete(patient)
        if (random.below(5) === 0) return parked()
        through.push(idOf(received))
        return succeeded()
      },
    })
    const copies = [world.flow, await world.start()]
    const patients = ['1', '2', '3', '4', '5', '6']
    const sent: string[] = []
    // Each patient has a sender of its own, who changes between the copies.
    const sendAll = async (patient: string) => {
      for (let number = 10; number < 22; number++) {
        const controlId = `${patient}-${number}`
        const merged = String(1 + random.below(6))
        const isMerge = number % 4 === 0 && merged !== patient
        sent.push(controlId)
        const copy = copies[number % 2] ?? world.flow
        await world.code(isMerge ? merge(controlId, patient, merged) : sample({ controlId, patient }), { copy })
      }
    }
    await Promise.all(patients.map(sendAll))
    await waitFor(() => through.length >= sent.length, { what: 'all through', deadlineMs: 20_000 })
    expect(doubled).toEqual([])
    expect(through.toSorted()).toEqual(sent.toSorted())
    for (const patient of patients) {
      const own = through.filter((id) => id.startsWith(`${patient}-`))
      expect(own).toEqual(own.toSorted())
    }
  })
})
