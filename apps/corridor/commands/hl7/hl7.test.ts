import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../packages/clock/clock.ts'
import { systemIds } from '../../../../packages/clock/ids.ts'
import { silentLog } from '../../../../packages/log/log.ts'
import { makeCertificate } from '../../../../packages/testkit/certificate.ts'
import { freePort } from '../../../../packages/testkit/free-port.ts'
import {
  acknowledge,
  frame,
  parseMessage,
  startMllpServer,
  type Answer,
  type MllpServer,
} from '../../../../packages/hl7/index.ts'
import { addHl7Commands } from './hl7.ts'

const admit = [
  'MSH|^~\\&|PAS|CENTRAL|HUB|CORRIDOR|20260304101500||ADT^A01^ADT_A01|MSG1|P|2.5.1',
  'EVN|A01|20260304101400',
  'PID|1||778899^^^CENTRAL&1.2.40.0.34.99.1&ISO^MR||Diallo^Amina|""|19800512|F',
  'PV1|1|I|3W^301^A^CENTRAL||||||||||||||||V1^^^CENTRAL',
  'ZPI|own',
].join('\r')
const query = 'MSH|^~\\&|PAS|CENTRAL|||20260304||QBP^Q11|MSG2|P|2.5.1\rQPD|x|y'
const deps = { clock: systemClock, ids: systemIds }
const noName: Answer = {
  ...{ code: 'AE', text: 'No name.' },
  issues: [
    {
      ...{ code: '101', severity: 'E', text: 'No name.', location: { segment: 'PID', field: 5 } },
      applicationCode: { code: 'FIELD_MISSING' },
    },
  ],
}

let folder = ''
let server: MllpServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corridor-hl7-'))
  server = await startMllpServer(
    {
      port: 0,
      // Queries are refused, so that both answers are seen.
      onMessage: async (bytes) => {
        const message = parseMessage(bytes)
        if (message.getText('MSH-10') === 'NONE1') return undefined
        if (message.getText('MSH-10') === 'ERR1') return acknowledge(message, noName, deps).bytes
        if (message.getText('MSH-10') === 'CA1') return acknowledge(message, { code: 'CA' }, deps).bytes
        const isQuery = message.getText('MSH-9.1') === 'QBP'
        return acknowledge(message, isQuery ? { code: 'AR', text: 'Wrong port' } : { code: 'AA' }, deps).bytes
      },
    },
    { ...deps, log: silentLog },
  )
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

describe('corridor hl7 show', () => {
  it('prints places, names and values, and says what is to be deleted', async () => {
    const { out, code } = await run(['show', await file(admit)])
    expect(out).toContain('PID  Patient Identification')
    expect(out).toMatch(/PID-3 +Patient Identifier List\n +PID-3\.1 +778899/)
    expect(out).toMatch(/PID-3\.4 +CENTRAL & 1\.2\.40\.0\.34\.99\.1 & ISO/)
    expect(out).toMatch(/PID-6 +Mother's Maiden Name +"" \(delete\)/)
    expect(out).toContain('ZPI  the sender’s own')
    expect(code).toBe(0)
  })

  it.each([
    ['frames', Buffer.concat([frame(Buffer.from(admit)), frame(Buffer.from(query))])],
    ['a batch', Buffer.from(`BHS|^~\\&\r${admit}\r${query}\rBTS|2`)],
    ['one after the other', Buffer.from(`${admit}\n${query}\n`)],
  ])('finds two messages in %s', async (_how, bytes) => {
    const { out } = await run(['show', await file(bytes)])
    expect(out).toContain('(1 of 2)')
    expect(out).toContain('(2 of 2)')
  })

  it('shows a segment of 100,000 fields', async () => {
    const { out } = await run(['show', '-'], `${admit}\rZZZ${'|x'.repeat(100_000)}`)
    expect(out.slice(out.indexOf('ZZZ')).trimEnd().split('\n')).toHaveLength(100_001)
  })

  it('reads standard input', async () => {
    expect((await run(['show', '-'], admit)).out).toContain('standard input')
  })
})

describe('corridor hl7 convert', () => {
  it('prints resources that refer to each other, one a line', async () => {
    const { out, code } = await run(['convert', '--ndjson', '--zone', 'UTC', await file(admit)])
    const resources = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { resourceType: string; id: string })
    const patient = resources.find(({ resourceType }) => resourceType === 'Patient')
    expect(out).toContain(`"subject":{"reference":"Patient/${patient?.id}"`)
    expect(out).not.toContain('urn:uuid:')
    expect(code).toBe(0)
  })

  it('prints a transaction of conditional updates', async () => {
    const { out } = await run(['convert', '--bundle', '--zone', 'UTC', await file(admit)])
    expect(JSON.parse(out)).toMatchObject({ resourceType: 'Bundle', type: 'transaction' })
    expect(out).toContain('"url": "Patient?identifier=')
  })

  it.each([
    [['convert'], '20260304101500+0300', '+03:00'],
    [['convert'], '20260304101500Z', '+00:00'],
    [['convert', '--zone', 'Asia/Kathmandu'], '20260304101500+0300', '+05:45'],
  ])('reads times without offset as the bridge does: %j with MSH-7 %s', async (words, sent, offset) => {
    const lines = [
      `MSH|^~\\&|EHR|CENTRAL|||${sent}||ADT^A01|MSG3|P|2.5.1`,
      'PID|1||778899^^^CENTRAL^MR',
      `PV1|1|I${'|'.repeat(17)}V1${'|'.repeat(25)}20260304090000`,
    ]
    const { out } = await run([...words, '-'], lines.join('\r'))
    expect(out).toContain(`"start": "2026-03-04T09:00:00${offset}"`)
  })

  it('says why a message is refused, and exits with 1', async () => {
    const { out, err, code } = await run(['convert', await file(query)])
    expect([out, code]).toEqual(['', 1])
    expect(err).toContain('This query is not answered here.')
  })
})

describe('corridor hl7 validate', () => {
  it('accepts what the bridge would take, and says what becomes of it', async () => {
    const { out, code } = await run(['validate', await file(admit)])
    expect(out).toContain('.hl7: AA on adt\n    becomes Patient, 4 Location, Encounter, Provenance\n')
    expect(out).toContain('warning ZPI: A segment of the sender’s own is kept in the raw message only.')
    expect(out).toContain('1 of 1 messages would be taken.')
    expect(code).toBe(0)
  })

  it('names the place of what is wrong', async () => {
    const { out, code } = await run([
      'validate',
      await file(admit.replace('|MSG1|', '||').replace('PID|1||778899^^^CENTRAL&1.2.40.0.34.99.1&ISO^MR', 'PID|1||')),
    ])
    expect(out).toContain('MSH-10')
    expect(out).toContain('PID-3')
    expect(code).toBe(1)
  })

  it.each([
    [
      'no sender',
      admit.replace('|CENTRAL|HUB', '||HUB'),
      'AE on adt',
      'MSH-4: MSH-4, the sending facility, is missing.',
    ],
    [
      'a message for training',
      admit.replace('|P|', '|T|'),
      'AR on adt',
      'The processing id T is not taken here, only P.',
    ],
    ['a type that nobody takes', admit.replace('ADT^A01', 'BAR^P01'), 'AR\n', 'The message type BAR is not taken here'],
    ['an event that nobody takes', admit.replace('ADT^A01', 'ADT^A90'), 'AR on adt', 'This event is not taken'],
    ['no message', 'hello', 'AR\n', 'The message does not begin with an MSH segment.'],
  ])('refuses %s as a bridge in production does', async (_what, message, answer, says) => {
    const { out, code } = await run(['validate', '-'], message)
    expect(out).toContain(`✗ standard input: ${answer}`)
    expect(out).toContain(says)
    expect(code).toBe(1)
  })

  it('judges as the bridge of a configuration would, whose secrets it need not read', async () => {
    const configuration = await file(
      [
        'database: { urlFile: /nowhere/database-url }',
        'bridge: { facilityCode: CENTRAL, frameBytesMax: 1024, channels: { adt: { allowProcessingIds: [P, T] }, oru: { enabled: false } } }',
      ].join('\n'),
    )
    const training = admit.replace('|CENTRAL|HUB', '||HUB').replace('|P|', '|T|')
    const result = 'MSH|^~\\&|LAB|CENTRAL|||20260304||ORU^R01|R1|P|2.5.1\rPID|1||7^^^CENTRAL^MR'
    const large = `${training.replace('MSG1', 'MSG3')}|${'x'.repeat(1_024)}`
    const { out } = await run(['validate', '-'], `${training}\r${result}\r${large}`, false, configuration)
    expect(out).toContain('(1 of 3): AA on adt')
    expect(out).toContain('(2 of 3): AR\n')
    expect(out).toMatch(/\(3 of 3\): AR on adt\n +error The message is larger than the 1024 bytes/)
  })

  it('warns of codes that have no counterpart in what ships, and of no others', async () => {
    const results = [
      'MSH|^~\\&|LAB|CENTRAL|||20260304101500+0100||ORU^R01|R1|P|2.5.1',
      'PID|1||7^^^CENTRAL^MR||Diallo^Amina||19800512|F',
      'OBR|1||5|718-7^Hemoglobin^LN|||20260304101500+0100',
      'OBX|1|NM|718-7^Hemoglobin^LN||13.2|g/dL^^UCUM|||||F',
      'OBX|2|NM|OWN7^Own^L||7|g/dL^^UCUM|||||F',
    ].join('\n')
    const { out } = await run(['validate', '-'], results)
    expect(out).toContain('becomes Patient, 2 Observation, DiagnosticReport, Provenance')
    expect(out.match(/warning \S+: The code has no counterpart.*/g)).toEqual([
      'warning OBX[1]-3: The code has no counterpart in http://loinc.org.',
    ])
  })
})

describe('corridor hl7 send', () => {
  it('shows each answer, and exits with 1 when one was refused', async () => {
    const { out, code } = await run(['send', '--port', String(server.port), await file(`${admit}\r${query}`)])
    expect(out).toMatch(/^AA {2}ADT\^A01 {2}MSG1/m)
    expect(out).toMatch(/^AR {2}QBP\^Q11 {2}MSG2 .*Wrong port/m)
    expect(out).toContain('1 of 2 messages were accepted.')
    expect(code).toBe(1)
  })

  it('says of CA that it is no answer to what the message says', async () => {
    const { out, code } = await run(['send', '--port', String(server.port), await file(admit.replace('MSG1', 'CA1'))])
    expect(out).toMatch(/^CA {2}ADT\^A01 {2}CA1 .*only received so far/m)
    expect(code).toBe(0)
  })

  it('says where something is wrong, and nothing twice', async () => {
    const { out } = await run(['send', '--port', String(server.port), await file(admit.replace('MSG1', 'ERR1'))])
    expect(out).toMatch(/^AE {2}ADT\^A01 {2}ERR1 .*\.hl7 {2}No name\.; 101 FIELD_MISSING at PID\^1\^5$/m)
  })

  it('says of a message that wants no answer why there was none', async () => {
    const silent = admit.replace('|MSG1|P|2.5.1', '|NONE1|P|2.5.1|||NE|NE')
    const { err, code } = await run(['send', '--port', String(server.port), '--timeout', '1', await file(silent)])
    expect(err).toContain('0 of 1 messages were answered.\nBy its MSH-15 and MSH-16 it wants no answer')
    expect(err).not.toContain('TLS')
    expect(code).toBe(1)
  })

  it('exits with 0 when all were accepted, and shows only the sum of many', async () => {
    const many = Array.from({ length: 60 }, (_none, index) => admit.replace('MSG1', `M${index}`)).join('\r')
    const { out, code } = await run(['send', '--port', String(server.port), await file(many)])
    expect(out).toBe('60 of 60 messages were accepted.\n')
    expect(code).toBe(0)
  })

  it('goes over TLS, to a receiver whose authority is known', async () => {
    const { cert, key } = await makeCertificate({ name: 'localhost' })
    const onMessage = async (bytes: Uint8Array) => acknowledge(parseMessage(bytes), { code: 'AA' }, deps).bytes
    const safe = await startMllpServer({ port: 0, tls: { cert, key }, onMessage }, { ...deps, log: silentLog })
    const words = ['send', '--tls', '--host', 'localhost', '--port', String(safe.port)]
    try {
      expect((await run([...words, '--ca', await file(cert), await file(admit)])).code).toBe(0)
      await expect(run([...words, await file(admit)])).rejects.toThrow('TLS with the receiver failed (DEPTH_ZERO')
    } finally {
      await safe.close()
    }
  })

  it('sends each under a control id of its own where that is wanted, and changes nothing else', async () => {
    const taken: string[] = []
    const onMessage = async (bytes: Uint8Array) => {
      taken.push(Buffer.from(bytes).toString('latin1'))
      return acknowledge(parseMessage(bytes), { code: 'AA' }, deps).bytes
    }
    const own = await startMllpServer({ port: 0, onMessage }, { ...deps, log: silentLog })
    const latin = Buffer.from(
      `${admit.replace('|P|2.5.1', '|P|2.5.1||||||8859/1').replace('Amina', 'Ren\xe9')}\r`,
      'latin1',
    )
    const words = ['send', '--port', String(own.port), '--new-ids', await file(Buffer.concat([latin, latin]))]
    const { out, code } = await run(words)
    await own.close()
    expect([code, taken.length]).toEqual([0, 2])
    const [first = '', second = ''] = taken.map((text) => text.split('|')[9])
    expect(first).toMatch(/^[\w-]{20}$/)
    expect(second).not.toBe(first)
    expect(taken.map((text) => text.replace(first, 'MSG1').replace(second, 'MSG1').trimEnd())).toEqual(
      [latin, latin].map((bytes) => bytes.toString('latin1').trimEnd()),
    )
    expect(out).toContain(`AA  ADT^A01  ${second}`)
  })

  it('colours answers for a terminal', async () => {
    const { out } = await run(['send', '--port', String(server.port), await file(admit)], '', true)
    expect(out).toContain('\u001B[32mAA\u001B[0m')
  })
})

describe('what cannot be done is said in a sentence', () => {
  it.each([
    ['a file that is not there', ['show', '/nowhere/x.hl7'], 'cannot be read'],
    ['no port', ['send', '--port', 'x', '-'], '--port must be a whole number'],
    ['no zone', ['convert', '--zone', 'Mars/X', '-'], 'is not a time zone'],
    ['a certificate without key', ['send', '--port', '1', '--cert', 'x.pem', '-'], 'go together. Give both, or none.'],
    ['a key without certificate', ['send', '--port', '1', '--key', 'x.pem', '-'], 'go together. Give both, or none.'],
  ])('%s', async (_what, words, text) => {
    await expect(run(words, admit)).rejects.toThrow(text)
  })

  it.each([
    ['a message that was cut', (message: Buffer) => message.subarray(0, 90)],
    ['one that is not framed', (message: Buffer) => message.subarray(1, -2)],
  ])('what a file of frames has beside them: %s', async (_what, partOf) => {
    const framed = frame(Buffer.from(admit))
    const path = await file(Buffer.concat([framed, partOf(frame(Buffer.from(admit.replace('MSG1', 'MSG9')))), framed]))
    for (const word of ['show', 'convert', 'validate']) {
      const { out, err, code } = await run([word, path])
      expect([code, err]).toEqual([1, expect.stringContaining(`Part of ${path} is left out`)])
      expect(out).not.toBe('')
    }
    await expect(run(['send', '--port', String(server.port), path])).rejects.toThrow('Nothing was sent')
    // What stands between frames is mostly the end of a line, or nothing that matters.
    const recorded = await file(Buffer.concat([framed, Buffer.from('\r\n# next\n'), framed]))
    expect(await run(['send', '--port', String(server.port), recorded])).toMatchObject({ code: 0, err: '' })
  })

  it('an empty file', async () => {
    const empty = await file(' \r\n')
    await expect(run(['show', empty])).rejects.toThrow('There is no HL7 message')
  })

  it('a receiver that is not there', async () => {
    const words = ['send', '--port', String(await freePort()), await file(admit)]
    await expect(run(words)).rejects.toThrow('cannot be reached (ECONNREFUSED).')
  })
})

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `${systemIds.uuid()}.hl7`)
  await writeFile(path, content)
  return path
}

async function run(words: readonly string[], input = '', hasColour = false, configuration?: string) {
  const said = { out: '', err: '', code: 0 }
  const terminal = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
    isInteractive: false,
    hasColour,
  }
  const corridor = new Command('corridor').exitOverride()
  addHl7Commands(corridor, {
    terminal,
    input: Readable.from([Buffer.from(input)]),
    common: (command) => command,
    choiceOf: () => ({ environment: {}, file: configuration }),
    finish: (code) => {
      said.code = code
    },
  })
  await corridor.parseAsync(['node', 'corridor', 'hl7', ...words])
  return said
}
