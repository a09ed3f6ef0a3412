import { array, assert, nat, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SyslogDeframer } from './syslog-deframer.ts'
import { syslogFrame, syslogMessage } from './syslog.ts'

const at = new Date('2026-03-04T05:06:07.123Z')

describe('a syslog message', () => {
  it('is written as ITI-20 wants it', () => {
    const message = syslogMessage(
      { at, processId: '4711', xml: '<AuditMessage/>' },
      { host: 'bridge-1', app: 'corridor' },
    )
    expect(message).toBe('<85>1 2026-03-04T05:06:07.123Z bridge-1 corridor 4711 IHE+RFC-3881 - \ufeff<AuditMessage/>')
    expect(syslogFrame('é').toString()).toBe('2 é')
  })

  it('has one line and as many header fields, whatever is put in', () => {
    const message = syslogMessage({ at, processId: 'a b\n', xml: '<a>\r\n</a>' }, { host: ' ', app: 'c d' })
    expect(message).toBe('<85>1 2026-03-04T05:06:07.123Z - cd ab IHE+RFC-3881 - \ufeff<a> </a>')
  })
})

describe('the frames', () => {
  it('come out the same however the stream is cut', () => {
    const messages = array(string({ unit: 'binary', minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 5 })
    const cuts = array(nat({ max: 400 }), { maxLength: 6 })
    assert(
      property(messages, cuts, (sent, places) => {
        const all = Buffer.concat(sent.map(syslogFrame))
        const deframer = new SyslogDeframer({ messageBytesMax: 10_000 })
        const edges = [0, ...places.filter((place) => place < all.length).sort((a, b) => a - b), all.length]
        const taken = edges.slice(1).flatMap((end, index) => deframer.push(all.subarray(edges[index], end)))
        expect(taken).toEqual(sent.map((text) => Buffer.from(text).toString()))
        expect(deframer.isBetweenFrames).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it.each(['<85>1 no length', '0 ', '-1 a', '999999999 a', '20000 a', 'abc'])('%j is refused', (text) => {
    const deframer = new SyslogDeframer({ messageBytesMax: 10_000 })
    expect(() => deframer.push(Buffer.from(text))).toThrow(/RFC 5425/)
  })
})
