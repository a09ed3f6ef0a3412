import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { thisProcess } from '../../../packages/sql/tasks/this-process.ts'
import { MemoryDurableStore } from '../testing/memory-durable-store.ts'
import { Copies } from './copies.ts'

it('a copy that stops has let go of its work before others may have it', async () => {
  const told: string[] = []
  const durable = new (class extends MemoryDurableStore {
    override async takeOver(gone: readonly string[]): Promise<number> {
      if (gone.includes(work)) told.push('free for others')
      return super.takeOver(gone)
    }
  })(systemClock)
  const copies = new Copies({
    ...{ durable, clock: systemClock, ids: systemIds, log: silentLog, process: thisProcess(), leaseMs: 60_000 },
    ...{ onFound: () => {}, known: () => [] },
  })
  const work = copies.id
  await copies.start()
  using _run = copies.whenLost(work, ({ code = '' }) => void told.push(code))
  copies.checkHeld(work)
  await copies.stop()
  expect(told).toEqual(['LEASE_LOST', 'free for others'])
  expect(() => copies.checkHeld(work)).toThrow('taken for dead')
  // Work may be claimed under a name that ends before the answer comes.
  using _late = copies.whenLost(work, ({ code = '' }) => void told.push(`late ${code}`))
  expect(told.at(-1)).toBe('late LEASE_LOST')
})
