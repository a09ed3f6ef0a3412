import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { finishedMessage } from '../audit/testing/finished-messages.ts'
import { LiveEvents } from './live-events.ts'
import type { Surroundings } from './live-event.ts'

const calm: Surroundings = {
  channels: new Map([['adt', 'RUNNING']]),
  breakers: new Map([['fhir-server', 'CLOSED']]),
  queueDepth: 0,
}

function world(revoked = new Set<string>()) {
  const clock = new SimulatedClock()
  let around = calm
  const live = new LiveEvents({
    clock,
    log: silentLog,
    look: async () => around,
    isRevoked: ({ tokenId }) => revoked.has(tokenId),
  })
  const reader = live.watch()
  /** What the reader has got since it last looked. */
  const heard = () => String(reader.read() ?? '')
  return { clock, live, reader, heard, become: (next: Partial<Surroundings>) => (around = { ...calm, ...next }) }
}

describe('live events', () => {
  it('begin with the state of all channels and breakers', async () => {
    const { clock, heard } = world()
    await clock.advance(0)
    const text = heard()
    expect(text).toContain('event: channel\ndata: {"channelId":"adt","status":"RUNNING"}\n\n')
    expect(text).toContain('event: breaker\ndata: {"dependency":"fhir-server","state":"CLOSED"}\n\n')
  })

  it('begin with that state for whoever comes later, too, and are told once to each', async () => {
    const { clock, live, heard } = world()
    await clock.advance(0)
    heard()
    const second = live.watch()
    await clock.advance(1_000)
    const text = String(second.read() ?? '')
    expect(text.match(/event: (channel|breaker)/g)).toEqual(['event: channel', 'event: breaker'])
    expect(heard()).toBe('')
    await live.close()
  })

  it('tell of a message once it is durable, without a word of what it says', async () => {
    const { clock, live, heard } = world()
    await clock.advance(0)
    heard()
    live.part.committed([finishedMessage({ transactionId: 't-1' })])
    await clock.advance(1_000)
    const text = heard()
    expect(text).toContain('event: message\ndata: {"transactionId":"t-1"')
    expect(text).toContain('"finished":1,"leftOut":0')
    expect(text).not.toMatch(/Patient|peer|control/i)
  })

  it('tell of changes only', async () => {
    const { clock, heard, become } = world()
    await clock.advance(0)
    heard()
    await clock.advance(1_000)
    expect(heard()).toBe('')
    become({ channels: new Map([['adt', 'PAUSED']]), queueDepth: 4 })
    await clock.advance(1_000)
    const text = heard()
    expect(text).toContain('{"channelId":"adt","status":"PAUSED"}')
    expect(text).toContain('"queueDepth":4')
    expect(text).not.toContain('event: breaker')
  })

  it('count what is too much to tell', async () => {
    const { clock, live, heard } = world()
    await clock.advance(0)
    heard()
    live.part.committed(Array.from({ length: 250 }, (_, index) => finishedMessage({ transactionId: `t-${index}` })))
    await clock.advance(1_000)
    const text = heard()
    expect(text.match(/event: message/g)).toHaveLength(100)
    expect(text).toContain('"finished":250,"leftOut":150')
  })

  it('give a sign of life in silence', async () => {
    const { clock, heard } = world()
    await clock.advance(0)
    heard()
    for (let second = 0; second < 15; second++) await clock.advance(1_000)
    expect(heard()).toBe(': still here\n\n')
  })

  it('refuse one listener too many, and have room again when one has gone', async () => {
    const { live, reader } = world()
    for (let listeners = 1; listeners < 32; listeners++) live.watch()
    expect(() => live.watch()).toThrow('At most 32 event streams can be open at once.')
    const gone = new Promise((resolve) => reader.once('close', resolve))
    reader.destroy()
    await gone
    expect(() => live.watch()).not.toThrow()
    await live.close()
  })

  it('feed whoever comes at the moment at which nobody watched any more', async () => {
    // The loop ends within a few microtasks of its waking; somebody comes after each number of them.
    for (let turns = 0; turns < 12; turns++) {
      let wake = () => {}
      const sleep = () => new Promise<void>((resolve) => (wake = resolve))
      const live = new LiveEvents({ clock: { ...systemClock, sleep }, log: silentLog, look: async () => calm })
      const first = live.watch()
      const gone = new Promise((resolve) => first.once('close', resolve))
      first.destroy()
      await gone
      wake()
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      const next = live.watch()
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      wake()
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      expect([turns, String(next.read() ?? '')]).toEqual([turns, expect.stringContaining('event: breaker')])
      const closed = live.close()
      wake()
      await closed
    }
  })

  it('are refused once the bridge stops', async () => {
    const { live } = world()
    await live.close()
    expect(() => live.watch()).toThrow('This server is stopping.')
  })

  it('have room for others: one caller has eight, whatever tokens they have', async () => {
    const { live, clock } = world()
    const expiresAt = new Date(clock.now().getTime() + 60_000)
    const callerOf = (subject: string, tokenId: string) => ({ subject, tokenId, grantId: undefined, expiresAt })
    const streams = Array.from({ length: 8 }, (_, number) => live.watchFor(callerOf('monitor', `t-${number}`)))
    expect(() => live.watchFor(callerOf('monitor', 't-8'))).toThrow('You already have 8 event streams open.')
    expect(() => live.watchFor(callerOf('admin', 't-9'))).not.toThrow()
    const gone = new Promise((resolve) => streams[0]?.once('close', resolve))
    streams[0]?.destroy()
    await gone
    expect(() => live.watchFor(callerOf('monitor', 't-8'))).not.toThrow()
    await live.close()
  })

  it('end with the token of who watches, which is told nothing any more', async () => {
    const revoked = new Set<string>()
    const { live, clock, heard } = world(revoked)
    const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)
    const watching = (tokenId: string, seconds: number) => {
      const caller = { subject: tokenId, tokenId, grantId: undefined, expiresAt: inSeconds(seconds) }
      const stream = live.watchFor(caller)
      let text = ''
      stream.on('data', (part: Buffer) => (text += String(part)))
      return { ended: new Promise((resolve) => stream.once('end', resolve)), text: () => text }
    }
    const [short, taken, good] = [watching('short', 2), watching('taken', 60), watching('good', 60)]
    await clock.advance(1_000)
    revoked.add('taken')
    live.part.committed([finishedMessage({ transactionId: 'after-revocation' })])
    await clock.advance(1_000)
    await Promise.all([taken.ended, short.ended])
    expect([short, taken, good].map(({ text }) => text().includes('after-revocation'))).toEqual([false, false, true])
    expect(heard()).toContain('after-revocation')
    await live.close()
    await good.ended
  })

  it('end with the bridge', async () => {
    const { live, reader } = world()
    const ended = new Promise((resolve) => reader.once('end', resolve))
    reader.resume()
    await live.close()
    await ended
    expect(reader.readableEnded).toBe(true)
  })
})
