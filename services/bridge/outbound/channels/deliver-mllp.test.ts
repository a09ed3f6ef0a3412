import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../packages/clock/clock.ts'
import { waitFor } from '../../../../packages/testkit/wait-for.ts'
import { mllpReceiver } from '../testing/receivers.ts'
import { MllpDeliveries } from './deliver-mllp.ts'

const message = (id: string) => `MSH|^~\\&|HUB|HIE|LAB|LAB|20260304||ORU^R01^ORU_R01|${id}|P|2.5.1\r`
const ids = Array.from({ length: 10 }, (_, index) => String(index))

describe('deliveries over MLLP', () => {
  it('that begin together share one connection and keep their order on it', async () => {
    await using receiver = await mllpReceiver(() => 'AA')
    const mllp = new MllpDeliveries({ clock: systemClock, tls: {}, deadlineMs: 5_000 })
    const answers = await Promise.all(ids.map((id) => mllp.deliver(receiver.endpoint, message(id))))
    expect(new Set(answers)).toEqual(new Set(['AA']))
    expect(receiver.received.map((one) => one.getText('MSH-10'))).toEqual(ids)
    expect(receiver.connections()).toBe(1)
    await mllp.close()
  })

  it('keep a hundred connections: that of the receiver that was longest without one is closed, and opened again', async () => {
    await using first = await mllpReceiver(() => 'AA')
    await using others = await mllpReceiver(() => 'AA')
    await using more = await mllpReceiver(() => 'AA')
    const mllp = new MllpDeliveries({ clock: systemClock, tls: {}, deadlineMs: 5_000 })
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
    const mllp = new MllpDeliveries({ clock: systemClock, tls: {}, deadlineMs: 5_000 })
    for (const _ of [1, 2]) {
      const outcomes = await Promise.allSettled(ids.map((id) => mllp.deliver(gone.endpoint, message(id))))
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    }
    await mllp.close()
  })
})
