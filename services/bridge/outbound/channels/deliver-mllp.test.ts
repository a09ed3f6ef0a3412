import { describe, expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../../packages/clock/clock.ts'
import { SimulatedClock } from '../../../../packages/clock/simulated-clock.ts'
import { faultOf } from '../../../../packages/faults/fault.ts'
import type { Message } from '../../../../packages/hl7/index.ts'
import { waitFor } from '../../../../packages/testkit/wait-for.ts'
import { closingReceiver, mllpReceiver } from '../testing/receivers.ts'
import { MllpDeliveries } from './deliver-mllp.ts'

const message = (id: string) => `MSH|^~\\&|HUB|HIE|LAB|LAB|20260304||ORU^R01^ORU_R01|${id}|P|2.5.1\r`
const ids = Array.from({ length: 10 }, (_, index) => String(index))
const idsOf = (received: readonly Message[]) => received.map((one) => one.getText('MSH-10'))
const deliveries = (clock: Clock = systemClock) =>
  new MllpDeliveries({ clock, tls: () => ({}), deadlineMs: 5_000, patienceMs: 30_000 })

/** Each of these, at once: its answer, or the code of what went wrong. */
const sendAll = (mllp: MllpDeliveries, endpoint: string, which: readonly string[]) =>
  Promise.all(which.map((id) => mllp.deliver(endpoint, message(id)).catch((fault: unknown) => faultOf(fault).code)))

describe('deliveries over MLLP', () => {
  it('that begin together share one connection and keep their order on it', async () => {
    await using receiver = await mllpReceiver(() => 'AA')
    const mllp = deliveries()
    const answers = await Promise.all(ids.map((id) => mllp.deliver(receiver.endpoint, message(id))))
    expect(new Set(answers)).toEqual(new Set(['AA']))
    expect(idsOf(receiver.received)).toEqual(ids)
    expect(receiver.connections()).toBe(1)
    await mllp.close()
  })

  it('keep a hundred connections: that of the receiver that was longest without one is closed, and opened again', async () => {
    await using first = await mllpReceiver(() => 'AA')
    await using others = await mllpReceiver(() => 'AA')
    await using more = await mllpReceiver(() => 'AA')
    const mllp = deliveries()
    await mllp.deliver(first.endpoint, message('first'))
    // Each address is a receiver to us, whoever is behind it.
    const addresses = [others, more].flatMap(({ endpoint }) =>
      Array.from({ length: 50 }, (_, index) => `${endpoint}/${index}`),
    )
    for (const address of addresses) await mllp.deliver(address, message(address))
    await waitFor(() => first.openConnections() === 0, { what: 'the oldest connection to be closed' })
    expect([others.openConnections(), more.openConnections()]).toEqual([50, 50])
    expect(await mllp.deliver(first.endpoint, message('again'))).toBe('AA')
    expect(first.connections()).toBe(2)
    await mllp.close()
  })

  it('fail together where nobody listens, and try again with the next one', async () => {
    const gone = await mllpReceiver(() => 'AA')
    await gone[Symbol.asyncDispose]()
    const mllp = deliveries()
    for (const _ of [1, 2]) {
      const outcomes = await Promise.allSettled(ids.map((id) => mllp.deliver(gone.endpoint, message(id))))
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    }
    await mllp.close()
  })
  it('go out behind one that the receiver does not answer', async () => {
    const clock = new SimulatedClock()
    await using receiver = await mllpReceiver((one) => (one.getText('MSH-10') === '0' ? undefined : 'AA'))
    const mllp = deliveries(clock)
    const sent = sendAll(mllp, receiver.endpoint, ids)
    await waitFor(() => receiver.received.length === 1, { what: 'the one without an answer' })
    await clock.advance(5_000)
    const [poison, ...others] = await sent
    expect(poison).toBe('GATEWAY_TIMEOUT')
    expect(new Set(others)).toEqual(new Set(['AA']))
    expect(idsOf(receiver.received)).toEqual(ids)
    await mllp.close()
  })

  it('fail together after three without an answer, and what waited too long meanwhile was never tried', async () => {
    const clock = new SimulatedClock()
    await using receiver = await mllpReceiver(() => undefined)
    const mllp = deliveries(clock)
    const silent = async (count: number) => {
      await waitFor(() => receiver.received.length === count, { what: 'the next message' })
      await clock.advance(5_000)
    }
    const sent = sendAll(mllp, receiver.endpoint, ids)
    for (const count of [1, 2, 3]) await silent(count)
    expect(new Set(await sent)).toEqual(new Set(['GATEWAY_TIMEOUT']))
    const late = sendAll(mllp, receiver.endpoint, ['x', 'y'])
    await waitFor(() => receiver.received.length === 4, { what: 'the next message' })
    await clock.leap(31_000)
    expect(await late).toEqual(['GATEWAY_TIMEOUT', 'TASK_UNTRIED'])
    await mllp.close()
  })

  it('all arrive at a receiver that closes after each answer', async () => {
    await using receiver = await closingReceiver(() => true)
    const mllp = deliveries()
    expect(new Set(await sendAll(mllp, receiver.endpoint, ids))).toEqual(new Set(['AA']))
    expect(idsOf(receiver.received)).toEqual(ids)
    await mllp.close()
  })

  it('fail where the receiver closes without an answer, also on a connection of their own', async () => {
    await using receiver = await closingReceiver((one) => one.getText('MSH-10') !== '1')
    const mllp = deliveries()
    expect(await sendAll(mllp, receiver.endpoint, ['0', '1', '2'])).toEqual(['AA', 'MLLP_LOST', 'AA'])
    expect(idsOf(receiver.received)).toEqual(['0', '1', '2'])
    await mllp.close()
  })
})
