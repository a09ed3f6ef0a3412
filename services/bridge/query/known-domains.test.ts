import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { incorrect, unavailable } from '../../../packages/faults/fault.ts'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import { knowsDomain, type KnowsDomainDeps } from './known-domains.ts'

describe('an identifier domain', () => {
  const { signal } = new AbortController()

  /** A store that has these domains, and notes what it is asked. */
  function world(...domains: string[]) {
    const asked: unknown[] = []
    const clock = new SimulatedClock('2026-03-04T06:15:00Z')
    const search = async (_type: string, criteria: object) => {
      asked.push(criteria)
      return domains.some((domain) => JSON.stringify(criteria).includes(`"${domain}|"`)) ? [{}] : []
    }
    // Sound: nothing else is asked of them.
    const deps = { clock, store: { search }, breakers: { call: callNow } } as unknown as KnowsDomainDeps
    return { asked, clock, domains, knows: knowsDomain(deps) }
  }
  const callNow = (_: string, work: () => Promise<unknown>) => work()

  it('is known when somebody has a number of it, and then for an hour without another look', async () => {
    const { asked, clock, knows } = world('urn:here')
    expect(await knows('urn:here', signal)).toBe(true)
    await clock.advance(59 * 60_000)
    expect(await knows('urn:here', signal)).toBe(true)
    expect(asked).toEqual([{ identifier: 'urn:here|', _count: '1' }])
  })

  it('that nobody has a number of is looked for again soon', async () => {
    const { asked, clock, domains, knows } = world()
    expect([await knows('urn:new', signal), await knows('urn:new', signal)]).toEqual([false, false])
    expect(asked).toHaveLength(1)
    domains.push('urn:new')
    await clock.advance(11_000)
    expect(await knows('urn:new', signal)).toBe(true)
  })

  it('is taken for known by a store that cannot search so, and for nothing by one that is away', async () => {
    const failing = (fault: Error) =>
      knowsDomain({
        ...{ clock: new SimulatedClock('2026-03-04T06:15:00Z'), breakers: { call: callNow } },
        store: { search: () => Promise.reject(fault) },
      } as unknown as KnowsDomainDeps)
    expect(await failing(incorrect('no'))('urn:x', signal)).toBe(true)
    await expect(failing(unavailable('away'))('urn:x', signal)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a query of a running bridge', () => {
  let corridor: TestCorridor
  let sent = 0

  beforeAll(async () => {
    corridor = await testCorridor()
    await send('adt', 'ADT^A28', 'PID|1||KD-1^^^CENTRAL^MR~7^^^&1.2.3.4&ISO^MR||Zimmerli^Verena||19440303|F')
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  async function send(channel: ChannelId, type: string, ...segments: readonly string[]) {
    const { port } = corridor.configuration.bridge.channels[channel]
    await using his = await openHl7Sender({ host: '127.0.0.1', port })
    const header = `MSH|^~\\&|PAS|CENTRAL|||20260304101500||${type}|KD-${++sent}|P|2.5.1`
    return parseMessage((await his.send(`${[header, ...segments].join('\r')}\r`)).raw)
  }

  const domains = (place: 'known' | 'unknown') => `^^^&${place === 'known' ? '1.2.3.4' : '1.2.3.99'}&ISO`

  it.each([
    ['Q22', 'QPD|Q22|T1|@PID.5.1^Zimmerli|||||', 8],
    ['Q23', 'QPD|Q23|T1|KD-1^^^CENTRAL|', 4],
  ])('%s is answered for a domain of somebody, and told of one that is nobody’s', async (trigger, qpd, field) => {
    const found = await send('qbp', `QBP^${trigger}`, `${qpd}${domains('known')}`, 'RCP|I')
    expect([found.get('MSA-1'), found.get('QAK-2'), found.get('PID-3.1')]).toEqual(['AA', 'OK', '7'])
    const told = await send('qbp', `QBP^${trigger}`, `${qpd}${domains('known')}~${domains('unknown')}`, 'RCP|I')
    expect([told.get('MSA-1'), told.get('QAK-2'), told.has('PID')]).toEqual(['AE', 'AE', false])
    expect(told.segments('ERR').map((err) => [err.part(2)?.raw, err.text(3)])).toEqual([[`QPD^1^${field}^2`, '204']])
  })

  it('is answered for the domain of a namespace of the asker, in which nobody may have a number yet', async () => {
    const reply = await send('qbp', 'QBP^Q22', 'QPD|Q22|T1|@PID.5.1^Zimmerli|||||^^^CENTRAL', 'RCP|I')
    expect([reply.get('MSA-1'), reply.get('PID-3.1')]).toEqual(['AA', 'KD-1'])
  })
})
