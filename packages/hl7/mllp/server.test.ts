import { describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { systemIds } from '../../clock/ids.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { forbidden, unavailable } from '../../faults/fault.ts'
import { silentLog, type Log } from '../../log/log.ts'
import { capturedLog } from '../../testkit/captured-log.ts'
import { makeCertificate } from '../../testkit/certificate.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import { acknowledge, refuse } from '../acknowledge.ts'
import { parseMessage, tryParseMessage } from '../parse.ts'
import { RawPeer } from '../../testkit/raw-peer.ts'
import { connectMllp } from './client.ts'
import type { ClientTls } from './tls.ts'
import { startMllpServer, type ConnectionRefusal, type MllpServer, type MllpServerOptions } from './server.ts'

const VT = '\u000b'
const FS = '\u001c'
const hl7 = (id: string, more = '') => `MSH|^~\\&|APP|FAC|X|Y|20260304||ADT^A01|${id}|P|2.5.1\rPID|1${more}\r`
const framed = (text: string) => `${VT}${text}${FS}\r`
const deps = { clock: systemClock, ids: systemIds, log: silentLog }

/** What a receiver does that answers AA to what it can read and AR to the rest. */
const answerAll = async (bytes: Uint8Array) => {
  const { message, refused } = tryParseMessage(bytes)
  return (message === undefined ? refuse(refused, deps) : acknowledge(message, { code: 'AA' }, deps)).bytes
}

async function listen(options: Partial<MllpServerOptions> = {}, clock = deps.clock, log: Log = deps.log) {
  const server = await startMllpServer({ port: 0, onMessage: answerAll, ...options }, { ...deps, clock, log })
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) })
}

const codes = (answers: readonly string[]) =>
  answers.map((answer) => {
    const message = parseMessage(Buffer.from(answer, 'latin1'))
    return `${message.get('MSA-1')} ${message.get('MSA-2')}`
  })

describe('whatever way the bytes come', () => {
  it.each([
    ['byte by byte', Array.from(framed(hl7('1'))), ['AA 1']],
    ['three in one read', [['1', '2', '3'].map((id) => framed(hl7(id))).join('')], ['AA 1', 'AA 2', 'AA 3']],
    [
      'one and a half, then the rest',
      [framed(hl7('1')) + framed(hl7('2')).slice(0, 20), framed(hl7('2')).slice(20)],
      ['AA 1', 'AA 2'],
    ],
    ['FS and CR apart', [`${VT}${hl7('1')}${FS}`, '\r', framed(hl7('2'))], ['AA 1', 'AA 2']],
    ['FS without CR', [`${VT}${hl7('1')}${FS}`, `${VT}${hl7('2')}${FS}`], ['AA 1', 'AA 2']],
    ['garbage before VT', [`HELLO\r\n\r\n${framed(hl7('1'))}`], ['AA 1']],
    ['a missing end block, then a new frame', [`${VT}${hl7('lost')}`, framed(hl7('2'))], ['AA 2']],
    ['no HL7, then a good message', [framed('{"hello":1}') + framed(hl7('2'))], ['AR ', 'AA 2']],
    ['an empty frame, then a good message', [framed('') + framed(hl7('2'))], ['AR ', 'AA 2']],
  ])('answers each message once and in order: %s', async (_what, pieces, answers) => {
    await using server = await listen()
    using peer = await RawPeer.open(server.port)
    await peer.write(...pieces)
    expect(codes(await peer.answered(answers.length))).toEqual(answers)
    expect(server.counters.answersSent).toBe(answers.length)
  })

  it('hands Latin-1 bytes on as they are, so that MSH-18 decides', async () => {
    await using server = await listen()
    using peer = await RawPeer.open(server.port)
    const text = 'MSH|^~\\&|K\xfcche|F|X|Y|1||ADT^A01|1|P|2.5.1||||||8859/1\r'
    await peer.write(framed(text))
    const [answer = ''] = await peer.answered(1)
    expect(answer).toContain('|K\xfcche|')
    expect(parseMessage(Buffer.from(answer, 'latin1')).get('MSH-5')).toBe('Küche')
  })

  it('takes a message of fifty million bytes', async () => {
    await using server = await listen({ frameBytesMax: 60_000_000 })
    using peer = await RawPeer.open(server.port)
    const big = 'QUJD'.repeat(12_500_000)
    await peer.write(framed(`${hl7('1')}OBX|1|ED|X||^^^Base64^${big}\r`), framed(hl7('2')))
    expect(codes(await peer.answered(2))).toEqual(['AA 1', 'AA 2'])
  })

  it('counts noise and broken frames and tells the channel of them', async () => {
    const events: string[] = []
    await using server = await listen({ onEvent: ({ kind, length }) => events.push(`${kind} ${length}`) })
    using peer = await RawPeer.open(server.port)
    await peer.write(`??${VT}abc${framed(hl7('1'))}`)
    await peer.answered(1)
    expect(events).toEqual(['noise 2', 'resync 3'])
    expect(server.counters).toMatchObject({ noiseBytes: 2, framesBroken: 1, framesReceived: 1 })
  })

  it('tells the channel of bytes in which no frame ever begins, and of a frame that the connection cut off', async () => {
    const clock = new SimulatedClock()
    const events: string[] = []
    await using server = await listen({ onEvent: ({ kind, head }) => events.push(`${kind} ${head.toString()}`) }, clock)
    using peer = await RawPeer.open(server.port)
    await peer.write('MSH|^~')
    await waitFor(() => server.counters.bytesReceived === 6, { what: 'the bytes' })
    await clock.advance(61_000)
    expect(events).toEqual(['noise MSH|^~'])
    expect(peer.socket.destroyed).toBe(false)
    await peer.write(`${VT}MSH|`)
    await waitFor(() => server.counters.bytesReceived === 11, { what: 'the frame' })
    peer.socket.resetAndDestroy()
    await waitFor(() => events.length === 2, { what: 'the cut frame' })
    expect(events[1]).toBe('cut MSH|')
    expect(server.counters.framesBroken).toBe(1)
  })

  it('answers a sender that ends its side right after sending', async () => {
    await using server = await listen()
    using peer = await RawPeer.open(server.port)
    peer.socket.end(Buffer.from(framed(hl7('1')) + framed(hl7('2'))))
    expect(codes(await peer.answered(2))).toEqual(['AA 1', 'AA 2'])
    await peer.closed()
  })
})

describe('a size limit', () => {
  it('lets a message of exactly that size pass and refuses one of a byte more, with its control id', async () => {
    const frameBytesMax = 500
    const fits = hl7('1', `|${'x'.repeat(frameBytesMax - hl7('1').length - 1)}`)
    await using server = await listen({ frameBytesMax })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(fits))
    expect(codes(await peer.answered(1))).toEqual(['AA 1'])
    await peer.write(framed(fits.replace('|1|P', '|2|P').replace('PID|', 'PID|x')))
    const answers = await peer.answered(2)
    expect(codes(answers)).toEqual(['AA 1', 'AR 2'])
    expect(answers[1]).toContain('larger than this listener takes')
    await peer.closed()
    expect(server.counters.framesOversize).toBe(1)
  })

  it.each([
    ['answered by whoever keeps a record of it', 'answers', ['AR 9']],
    ['answered all the same where that fails', 'fails', ['AR 1']],
    ['answered once where that fails afterwards', 'answers and fails', ['AR 9']],
    ['not answered where nobody wants an answer', '', []],
  ])('is %s', async (_what, does, told) => {
    const seen: string[] = []
    const onOversize: MllpServerOptions['onOversize'] = async ({ head, length }, _peer, send) => {
      seen.push(`${Buffer.from(head).toString('latin1', 0, 4)} ${length > 50}`)
      if (does.includes('answers')) await send(acknowledge(parseMessage(hl7('9')), { code: 'AR' }, deps).bytes)
      if (does.includes('fails')) throw new Error('the database is away')
    }
    await using server = await listen({ frameBytesMax: 50, onOversize })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1', 'x'.repeat(60))))
    await peer.closed()
    expect(codes(peer.answers)).toEqual(told)
    expect(seen).toEqual(['MSH| true'])
  })
})

describe('a message that failed', () => {
  const failures = [
    { asked: '|||', told: 'AE 1', oversize: 'AR 2' },
    { asked: '|||AL|AL', told: 'CE 1', oversize: 'CR 2' },
    { asked: '|||AL|NE', told: 'CE 1', oversize: 'CR 2' },
    { asked: '|||ER|SU', told: 'CE 1', oversize: 'CR 2' },
    { asked: '|||NE|AL', told: 'AE 1', oversize: 'AR 2' },
    { asked: '|||SU|ER', told: 'AE 1', oversize: 'AR 2' },
    { asked: '|||NE|SU', told: undefined, oversize: undefined },
    { asked: '|||NE|NE', told: undefined, oversize: undefined },
  ]
  it.each(failures)('is answered as its sender asks with $asked: $told, too large $oversize', async (expected) => {
    const { asked, told, oversize } = expected
    const onMessage = () => Promise.reject(new Error('the database is away'))
    await using server = await listen({ onMessage, frameBytesMax: 500 })
    using peer = await RawPeer.open(server.port)
    const text = (id: string, rest = '') => hl7(id, rest).replace('|2.5.1', `|2.5.1${asked}`)
    await peer.write(framed(text('1')), framed(text('2', 'x'.repeat(600))))
    await peer.closed()
    expect(codes(peer.answers)).toEqual([told, oversize].filter((code) => code !== undefined))
  })

  const acceptFirst: MllpServerOptions['onMessage'] = async (bytes, _peer, send) => {
    await send(acknowledge(parseMessage(bytes), { code: 'CA' }, deps).bytes)
    throw new Error('the database is away')
  }
  const keepFirst: MllpServerOptions['onMessage'] = async (_bytes, _peer, _send, markAccepted) => {
    markAccepted()
    throw new Error('the database is away')
  }

  it.each([
    ['after CA', 'AL|AL', acceptFirst, ['CA 1', 'AE 1']],
    ['after CA', 'AL|ER', acceptFirst, ['CA 1', 'AE 1']],
    ['after CA', 'AL|SU', acceptFirst, ['CA 1']],
    ['after CA', 'AL|NE', acceptFirst, ['CA 1']],
    ['after it was safe', 'ER|AL', keepFirst, ['AE 1']],
    ['after it was safe', 'ER|SU', keepFirst, []],
  ])('%s is refused by the application alone, where %s is asked for', async (_when, asked, onMessage, told) => {
    await using server = await listen({ onMessage })
    using peer = await RawPeer.open(server.port)
    peer.socket.end(Buffer.from(framed(hl7('1').replace('|2.5.1', `|2.5.1|||${asked}`))))
    await peer.closed()
    expect(codes(peer.answers)).toEqual(told)
  })

  it('is answered as its channel has it, where that says otherwise', async () => {
    const onMessage = () => Promise.reject(new Error('the database is away'))
    const answersWanted = () => ({ accept: 'NE', application: 'AL' }) as const
    await using server = await listen({ onMessage, answersWanted })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1').replace('|2.5.1', '|2.5.1|||NE|NE')))
    expect(codes(await peer.answered(1))).toEqual(['AE 1'])
  })

  it('is answered so too where nobody can read it', async () => {
    const onMessage = (bytes: Uint8Array) => Promise.reject(tryParseMessage(bytes).refused ?? new Error('it was read'))
    const answersWanted = () => ({ accept: 'AL', application: 'AL' }) as const
    await using server = await listen({ onMessage, answersWanted })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed('hello'))
    expect(codes(await peer.answered(1))).toEqual(['CR '])
  })
})

describe('one connection', () => {
  it('has one message at work at a time and is not read while too many wait', async () => {
    const release: (() => void)[] = []
    let running = 0
    let runningMost = 0
    const onMessage = async (bytes: Uint8Array) => {
      runningMost = Math.max(runningMost, ++running)
      await new Promise<void>((resolve) => release.push(resolve))
      running--
      return answerAll(bytes)
    }
    await using server = await listen({ onMessage, unansweredMax: 3 })
    using peer = await RawPeer.open(server.port)
    const total = 400
    const filler = `|${'x'.repeat(50_000)}`
    const sent = peer.write(...Array.from({ length: total }, (_, index) => framed(hl7(String(index), filler))))
    await waitFor(() => release.length === 1, { what: 'the first message' })
    // The rest stays in the sender's and the system's buffers: far fewer bytes were read than were offered.
    expect(server.counters.bytesReceived).toBeLessThan((total * 50_000) / 2)
    for (let done = 0; done < total; done++) {
      await waitFor(() => release.length > done, { what: `message ${done}` })
      release[done]?.()
    }
    await sent
    expect(codes(await peer.answered(total))).toEqual(Array.from({ length: total }, (_, index) => `AA ${index}`))
    expect(runningMost).toBe(1)
  })

  it('lives on when the record of an event fails', async () => {
    const onEvent = () => {
      throw new Error('the record is full')
    }
    await using server = await listen({ onEvent })
    using peer = await RawPeer.open(server.port)
    await peer.write(`noise${framed(hl7('1'))}`)
    expect(codes(await peer.answered(1))).toEqual(['AA 1'])
  })

  it('lives on when a handler fails, and the sender hears why it may hear', async () => {
    const onMessage = async (bytes: Uint8Array) => {
      const id = parseMessage(bytes).get('MSH-10')
      if (id === '1') throw new TypeError('secret internals')
      if (id === '2') throw forbidden('This facility may not send here.')
      return id === '3' ? undefined : answerAll(bytes)
    }
    await using server = await listen({ onMessage })
    using peer = await RawPeer.open(server.port)
    await peer.write(...['1', '2', '3', '4'].map((id) => framed(hl7(id))))
    const answers = await peer.answered(3)
    expect(codes(answers)).toEqual(['AE 1', 'AR 2', 'AA 4'])
    expect(answers[0]).not.toContain('secret')
    expect(answers[1]).toContain('This facility may not send here.')
    const reasons = answers.map((answer) => parseMessage(Buffer.from(answer, 'latin1')).getText('ERR-5'))
    expect(reasons).toEqual(['INTERNAL', 'FORBIDDEN', undefined])
    expect(server.counters.handlerFailures).toBe(2)
  })

  it('writes into its log why a handler failed, which the sender is not told', async () => {
    const captured = capturedLog()
    const onMessage = () => Promise.reject(unavailable('Later.', { logged: 'No space left on device' }))
    const server = await startMllpServer({ port: 0, onMessage }, { ...deps, log: captured.log })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1')))
    const [answer] = await peer.answered(1)
    expect(answer).toContain('Later.')
    expect(answer).not.toContain('No space')
    expect(captured.events('mllp.handler-failed')).toMatchObject([
      { host: '127.0.0.1', error: 'No space left on device' },
    ])
    await server.close({ graceMs: 0 })
  })
})

describe('deadlines', () => {
  const received = (server: MllpServer, bytes: number) =>
    waitFor(() => server.counters.bytesReceived >= bytes, { what: `${bytes} bytes` })

  it('close a sender that is too slow with a frame', async () => {
    const clock = new SimulatedClock()
    await using server = await listen({ frameTimeoutMs: 5_000 }, clock)
    using peer = await RawPeer.open(server.port)
    await peer.write(`${VT}MSH`)
    await received(server, 4)
    await clock.advance(3_000)
    expect(peer.socket.destroyed).toBe(false)
    await peer.write('|')
    await received(server, 5)
    await clock.advance(3_000)
    await peer.closed()
    expect(server.counters.frameTimeouts).toBe(1)
  })

  it('leave a sender its time that is slow with a large frame, until nothing comes any more', async () => {
    const clock = new SimulatedClock()
    const captured = capturedLog(clock)
    const cut: number[] = []
    const onEvent = ({ length }: { readonly length: number }) => cut.push(length)
    await using server = await listen({ frameTimeoutMs: 5_000, onEvent }, clock, captured.log)
    using peer = await RawPeer.open(server.port)
    const piece = 'x'.repeat(300_000)
    await peer.write(`${VT}MSH`)
    for (let pieces = 1; pieces <= 6; pieces++) {
      await peer.write(piece)
      await received(server, 4 + pieces * piece.length)
      await clock.advance(4_000)
    }
    expect(peer.socket.destroyed).toBe(false)
    await clock.advance(15_000)
    await peer.closed()
    expect(server.counters.frameTimeouts).toBe(1)
    expect(captured.events('mllp.frame-too-slow')).toHaveLength(1)
    expect(cut).toEqual([3 + 6 * piece.length])
  })

  it.each(['', '\r', '\r\n'])(
    'answer a sender in UTF-16 of which FS and %j may be letters, when nothing follows',
    async (more) => {
      const clock = new SimulatedClock()
      await using server = await listen({}, clock)
      using peer = await RawPeer.open(server.port)
      const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1')
      const text = utf16(`${hl7('1', '||7||രാജു')}ZZZ|no end`)
      await peer.write(`${VT}${text}${FS}${more}`)
      await received(server, text.length + 2 + more.length)
      expect(server.counters.framesReceived).toBe(0)
      await clock.advance(2_000)
      await waitFor(() => server.counters.answersSent === 1, { what: 'the answer' })
      // One whose last segment has ended waits for nothing.
      await peer.write(framed(utf16(hl7('2', '||7||രാജ^രാജു'))))
      await waitFor(() => server.counters.answersSent === 2, { what: 'the second answer' })
      expect(server.counters).toMatchObject({ framesReceived: 2, framesBroken: 0, noiseBytes: 0 })
    },
  )

  it('do not count the time in which we did not read', async () => {
    const clock = new SimulatedClock()
    let release = () => {}
    const onMessage = async (bytes: Uint8Array) => {
      if (parseMessage(bytes).get('MSH-10') === '1') await new Promise<void>((resolve) => (release = resolve))
      return answerAll(bytes)
    }
    await using server = await listen({ onMessage, unansweredMax: 1, frameTimeoutMs: 5_000 }, clock)
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1')) + framed(hl7('2')).slice(0, 30))
    await waitFor(() => server.counters.framesReceived === 1, { what: 'the first message' })
    await clock.advance(60_000)
    await peer.write(framed(hl7('2')).slice(30))
    release()
    expect(codes(await peer.answered(2))).toEqual(['AA 1', 'AA 2'])
    expect(server.counters.frameTimeouts).toBe(0)
  })

  it('leave alone a connection on which a frame has begun, however long nothing had come before it', async () => {
    const clock = new SimulatedClock()
    await using server = await listen({ idleTimeoutMs: 60_000, frameTimeoutMs: 5_000 }, clock)
    using peer = await RawPeer.open(server.port)
    await clock.advance(59_000)
    const message = framed(hl7('1'))
    await peer.write(message.slice(0, 30))
    await received(server, 30)
    await clock.advance(2_000)
    await peer.write(message.slice(30))
    expect(codes(await peer.answered(1))).toEqual(['AA 1'])
    await clock.advance(60_000)
    await peer.closed()
    expect(server.counters).toMatchObject({ idleTimeouts: 1, frameTimeouts: 0 })
  })

  it('close a connection without messages, whatever noise it makes', async () => {
    const clock = new SimulatedClock()
    await using server = await listen({ idleTimeoutMs: 60_000 }, clock)
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1')))
    await peer.answered(1)
    await clock.advance(50_000)
    await peer.write('noise')
    await received(server, hl7('1').length + 8)
    await clock.advance(11_000)
    await peer.closed()
    expect(server.counters.idleTimeouts).toBe(1)
  })

  it('close a sender that never reads its answers, and bound what waits for it', async () => {
    const clock = new SimulatedClock()
    const answer = Buffer.alloc(8_000_000, 0x41)
    await using server = await listen({ onMessage: async () => answer, writeTimeoutMs: 10_000 }, clock)
    using peer = await RawPeer.open(server.port)
    peer.socket.pause()
    await peer.write(...Array.from({ length: 20 }, (_, index) => framed(hl7(String(index)))))
    await waitFor(() => server.counters.framesReceived >= 10, { what: 'the messages' })
    await waitFor(
      async () => {
        await clock.advance(1_000)
        return server.counters.writeTimeouts === 1
      },
      { everyMs: 5, what: 'the write deadline' },
    )
    expect(server.counters.answersSent).toBeLessThan(20)
    peer.socket.resume()
    await peer.closed()
  })
})

describe('who may connect', () => {
  it('is limited in number', async () => {
    await using server = await listen({ connectionsMax: 2 })
    using first = await RawPeer.open(server.port)
    using second = await RawPeer.open(server.port)
    using third = await RawPeer.open(server.port)
    await third.closed()
    expect(server.counters).toMatchObject({ connectionsOpen: 2, connectionsRefused: 1 })
    first.socket.destroy()
    await waitFor(() => server.counters.connectionsOpen === 1, { what: 'the place to be free' })
    using fourth = await RawPeer.open(server.port)
    await fourth.write(framed(hl7('4')))
    await second.write(framed(hl7('2')))
    expect(codes([...(await fourth.answered(1)), ...(await second.answered(1))])).toEqual(['AA 4', 'AA 2'])
  })

  it('is somebody new in the place of whoever came first and has said nothing for as long as a frame may take', async () => {
    const clock = new SimulatedClock()
    const told: string[] = []
    const onRefused = ({ reason }: ConnectionRefusal) => void told.push(reason)
    await using server = await listen({ connectionsMax: 3, frameTimeoutMs: 60_000, onRefused }, clock)
    using sender = await RawPeer.open(server.port)
    await sender.write(framed(hl7('1')))
    await sender.answered(1)
    using silent = await RawPeer.open(server.port)
    using second = await RawPeer.open(server.port)
    await clock.advance(59_999)
    using early = await RawPeer.open(server.port)
    await early.closed()
    await clock.advance(1)
    using late = await RawPeer.open(server.port)
    await silent.closed()
    await late.write(framed(hl7('2')))
    await sender.write(framed(hl7('3')))
    expect(codes([...(await late.answered(1)), ...(await sender.answered(2))])).toEqual(['AA 2', 'AA 1', 'AA 3'])
    expect(second.socket.destroyed).toBe(false)
    expect(server.counters).toMatchObject({ connectionsOpen: 3, connectionsRefused: 1, silentReplaced: 1 })
    expect(told).toEqual(['limit', 'silent'])
  })

  it.each(['POST / HTTP/1.1\r\nhost: localhost\r\n\r\n', 'GET /a HTTP/1.1\r\n'])(
    'is no browser: what comes with %j is not read',
    async (head) => {
      const taken: string[] = []
      const onMessage = async (bytes: Uint8Array) => {
        taken.push(parseMessage(bytes).get('MSH-10') ?? '')
        return answerAll(bytes)
      }
      const told: ConnectionRefusal[] = []
      const onEvent = () => void taken.push('noise')
      await using server = await listen({ onMessage, onEvent, onRefused: (refusal) => told.push(refusal) })
      for (const pieces of [[head + framed(hl7('1'))], [head], [...head.split(''), framed(hl7('2'))]]) {
        using peer = await RawPeer.open(server.port)
        await peer.write(...pieces)
        await peer.closed()
        expect(peer.answers).toEqual([])
      }
      expect([taken, server.counters.httpRequests]).toEqual([[], 3])
      const refusal = { reason: 'http', host: '127.0.0.1' }
      expect(told).toEqual([refusal, refusal, refusal])
    },
  )

  it.each([[['127.0.0.0/8']], [['127.0.0.1']], [['::1', '127.0.0.1']]])('are the addresses %j', async (allowed) => {
    await using server = await listen({ allowed })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1')))
    expect(codes(await peer.answered(1))).toEqual(['AA 1'])
  })

  it.each([[['10.0.0.0/8', '::1']], [[]]])('is nobody else than %j', async (allowed) => {
    await using server = await listen({ allowed })
    using peer = await RawPeer.open(server.port)
    await peer.closed()
    expect(server.counters).toMatchObject({ connectionsRefused: 1, connectionsAccepted: 0 })
  })

  it.each([
    ['address', { allowed: ['10.0.0.0/8'] }],
    ['limit', { connectionsMax: 0 }],
  ] as const)('is told in the log with the port, the sender and the reason: %s', async (reason, options) => {
    const log = capturedLog()
    const refused: ConnectionRefusal[] = []
    const onRefused = (refusal: ConnectionRefusal) => void refused.push(refusal)
    await using server = await listen({ ...options, onRefused }, deps.clock, log.log)
    using peer = await RawPeer.open(server.port)
    await peer.closed()
    const told = { host: '127.0.0.1', port: server.port, state: reason }
    expect(log.events('mllp.connection-refused')).toMatchObject([told])
    expect(refused).toEqual([{ reason, host: '127.0.0.1' }])
  })

  it.each<['address' | 'limit', Partial<MllpServerOptions>]>([
    ['address', { allowed: ['10.0.0.0/8'] }],
    ['limit', { connectionsMax: 0 }],
  ])('is refused once for its %s, and no handshake of its failed', async (reason, options) => {
    const { cert, key } = await makeCertificate({ name: 'localhost' })
    const log = capturedLog()
    const refused: ConnectionRefusal[] = []
    const onRefused = (refusal: ConnectionRefusal) => void refused.push(refusal)
    await using server = await listen({ tls: { cert, key }, onRefused, ...options }, deps.clock, log.log)
    for (let count = 1; count <= 3; count++) {
      using peer = await RawPeer.open(server.port)
      await peer.closed()
    }
    expect(refused).toEqual(Array.from({ length: 3 }, () => ({ reason, host: '127.0.0.1' })))
    expect(server.counters).toMatchObject({ connectionsRefused: 3, tlsFailures: 0 })
    expect(log.events('mllp.tls-failed')).toEqual([])
  })

  it('is told in the log with the port and the sender when TLS fails', async () => {
    const log = capturedLog()
    const refused: ConnectionRefusal[] = []
    const { cert, key } = await makeCertificate({ name: 'localhost' })
    const onRefused = (refusal: ConnectionRefusal) => void refused.push(refusal)
    await using server = await listen({ tls: { cert, key }, onRefused }, deps.clock, log.log)
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1')))
    await peer.closed()
    expect(log.events('mllp.tls-failed')).toMatchObject([{ host: '127.0.0.1', port: server.port }])
    expect(refused).toEqual([{ reason: 'tls', host: '127.0.0.1' }])
  })

  it('is told in the log with its address and why, where the handshake fails for a certificate', async () => {
    const log = capturedLog()
    const authority = await makeCertificate({ name: 'authority' })
    const own = await makeCertificate({ name: 'localhost', issuer: authority })
    const stranger = await makeCertificate({ name: 'stranger' })
    const ca = authority.cert
    await using server = await listen({ tls: { ...own, clientCa: ca } }, deps.clock, log.log)
    const refused = async (tls: ClientTls) => {
      const before = server.counters.tlsFailures
      const sent = connectMllp({ host: 'localhost', port: server.port, tls }, deps).then((one) =>
        one.send(Buffer.from(hl7('1'))),
      )
      await expect(sent).rejects.toMatchObject({ kind: 'unavailable' })
      await waitFor(() => server.counters.tlsFailures > before, { what: 'the failure to be counted' })
    }
    await refused({ ca })
    await refused({ ca, cert: stranger.cert, key: stranger.key })
    await refused({ ca: stranger.cert })
    const from = { host: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/), port: server.port }
    expect(log.events('mllp.tls-failed')).toMatchObject([
      { ...from, error: expect.stringContaining('peer did not return a certificate') },
      { ...from, error: 'The certificate of the sender is refused: DEPTH_ZERO_SELF_SIGNED_CERT' },
      { ...from, error: expect.stringContaining('may not trust our certificate') },
    ])
  })

  it('is shown the certificate that is renewed meanwhile', async () => {
    const [first, second] = [await makeCertificate({ name: 'localhost' }), await makeCertificate({ name: 'localhost' })]
    let own = first
    const tls = {
      get cert() {
        return own.cert
      },
      get key() {
        return own.key
      },
    }
    await using server = await listen({ tls })
    const answered = async (ca: string) => {
      const client = await connectMllp({ host: 'localhost', port: server.port, tls: { ca } }, deps)
      const answer = await client.send(Buffer.from(hl7('1')))
      await client.close()
      return answer.length > 0
    }
    expect(await answered(first.cert)).toBe(true)
    own = second
    expect(await answered(second.cert)).toBe(true)
    await expect(answered(first.cert)).rejects.toMatchObject({ code: 'MLLP_TLS' })
  })

  it('refuses an address list that is none', async () => {
    await expect(listen({ allowed: ['10.0.0.0/99'] })).rejects.toThrow(/neither an address nor a network/)
  })
})

describe('closing', () => {
  it('finishes the message at work, sends its answer, takes no other, and then closes', async () => {
    let release = () => {}
    const onMessage = async (bytes: Uint8Array) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return answerAll(bytes)
    }
    await using server = await listen({ onMessage })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1')) + framed(hl7('2')))
    await waitFor(() => server.counters.framesReceived === 2, { what: 'both messages' })
    const closing = server.close()
    release()
    await closing
    await peer.closed()
    expect(codes(peer.answers)).toEqual(['AA 1'])
  })

  it('does not wait for ever for a handler that hangs', async () => {
    const server = await listen({ onMessage: () => new Promise(() => {}) })
    using peer = await RawPeer.open(server.port)
    await peer.write(framed(hl7('1')))
    await waitFor(() => server.counters.framesReceived === 1, { what: 'the message' })
    await server.close({ graceMs: 1 })
    await peer.closed()
    expect(server.counters.connectionsOpen).toBe(0)
  })

  it('frees the port, and a port that is taken is said to be', async () => {
    const server = await listen()
    const { port } = server
    await expect(listen({ port })).rejects.toMatchObject({ kind: 'unavailable', code: 'MLLP_PORT' })
    await server.close()
    await using again = await listen({ port })
    expect(again.port).toBe(port)
  })
})
