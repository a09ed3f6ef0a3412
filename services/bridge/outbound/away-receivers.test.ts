import { expect, it } from 'vitest'
import { seededRandom } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { faultOf, unavailable } from '../../../packages/faults/fault.ts'
import { NeverHadTurn } from '../../../packages/http/outbound/exchange.ts'
import { failedCall, lateCall } from '../../../packages/http/outbound/outbound-faults.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { isUntried } from '../../../packages/sql/tasks/task-attempt.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { AwayReceivers } from './away-receivers.ts'

const backoff = { baseMs: 1_000, maxMs: 300_000, multiplier: 4, jitter: 0 }
const refused = () => Promise.reject(unavailable('Nobody is there.', { code: 'MLLP_CONNECT' }))

const withoutTurn = () =>
  Promise.reject(failedCall(new NeverHadTurn(), AbortSignal.abort(lateCall('subscriber', 1)), 'subscriber'))

it('whoever waited for a connection until its time was over has not seen a receiver that is away', async () => {
  const clock = new SimulatedClock()
  const captured = capturedLog(clock)
  const away = new AwayReceivers({ clock, random: seededRandom(1), log: captured.log, backoff, lookMs: 10_000 })
  const endOf = (send: () => Promise<unknown>) => away.reach('lab', send).then(() => undefined, faultOf)
  // Many are sent at once, some of them have a connection, and none of those is taken.
  const ends = await Promise.all([endOf(withoutTurn), endOf(refused), endOf(withoutTurn)])
  expect(ends.map((fault) => [fault && isUntried(fault), fault?.retryAfterSeconds])).toEqual([
    [true, 1],
    [true, 1],
    [true, 1],
  ])
  expect((await endOf(async () => 'sent'))?.retryAfterSeconds).toBe(1)
  expect([captured.events('receiver is away').length, captured.events('receiver is back').length]).toEqual([1, 0])
})

it('while one looks for long whether a receiver is back, the others come again when it must have seen', async () => {
  const clock = new SimulatedClock()
  const away = new AwayReceivers({ clock, random: seededRandom(1), log: silentLog, backoff, lookMs: 10_000 })
  const waitOf = (send: () => Promise<unknown>) =>
    away.reach('lab', send).then(
      () => 'sent',
      (thrown: unknown) => faultOf(thrown).retryAfterSeconds,
    )
  expect(await waitOf(refused)).toBe(1)
  await clock.advance(1_000)
  const look = Promise.withResolvers<void>()
  const looking = waitOf(() => look.promise.then(refused))
  const sent: string[] = []
  const other = () => waitOf(async () => sent.push('other'))
  expect([await other(), await other()]).toEqual([10, 10])
  look.resolve()
  expect([await looking, await other()]).toEqual([4, 4])
  await clock.advance(4_000)
  expect([await waitOf(async () => {}), await other()]).toEqual(['sent', 'sent'])
  expect(sent).toEqual(['other'])
})
