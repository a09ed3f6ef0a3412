import { assert as check, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { Fault } from '../../packages/faults/fault.ts'
import type { FhirResource } from '../../packages/fhir/r4.ts'
import {
  acknowledge,
  escapeText,
  parseMessage,
  refuse,
  standardDelimiters,
  type Message,
} from '../../packages/hl7/index.ts'
import { Hl7Fault } from '../../packages/hl7/hl7-fault.ts'
import { makeLog } from '../../packages/log/log.ts'
import { syslogFrame, syslogMessage } from '../../ports/audit-repository/syslog.ts'
import { SyslogDeframer } from '../../ports/audit-repository/syslog-deframer.ts'
import { auditRecordOf } from '../../services/bridge/audit/audit-record.ts'
import { dicomXml } from '../../services/bridge/audit/dicom-xml.ts'
import { finishedMessage } from '../../services/bridge/audit/testing/finished-messages.ts'
import { messageOf } from '../../services/bridge/outbound/messages/message-of.ts'
import { smsText } from '../../services/bridge/outbound/sms-text.ts'
import {
  appointment,
  encounter,
  merged,
  observation,
  order,
  patient,
  prescription,
  report,
} from '../../services/bridge/outbound/testing/clinical-resources.ts'
import { runs } from '../../packages/testkit/runs.ts'
import { hostileText, textsIn, withText } from './hostile-text.ts'

/** Whatever somebody writes into a field: what leaves has the form that it had. */

const tries = runs(4_000)
const resources: readonly FhirResource[] = [
  { ...patient, address: [{ line: ['1 Street'], city: 'Town', country: 'KE' }], maritalStatus: { text: 'M' } },
  ...[merged, encounter('in-progress', 'IMP'), observation('HH', { valueString: 'text', note: [{ text: 'note' }] })],
  ...[report('final'), order('108252007'), prescription('active')],
]
const store: readonly FhirResource[] = [patient, observation('HH')]
const contextOf = (held: readonly FhirResource[]) => ({
  authorities: { base: 'https://corridor.example', namespaces: new Map<string, string>() },
  resolve: ({ reference }: { readonly reference?: string | undefined }) =>
    held.find(({ resourceType, id }) => `${resourceType}/${id}` === reference),
  sender: { application: 'CORRIDOR', facility: 'HIE' },
  receiver: { application: 'PHARM', facility: 'CENTRAL' },
  at: new Date('2026-03-04T05:06:07Z'),
  controlId: '0123456789abcdef0123',
  transactionId: 't-1',
})

const segmentNames = (text: string) => text.split('\r').map((line) => line.slice(0, 3))
const isFramed = (text: string) => !/[\u000b\u001c\n]/.test(text)

/** The segments of the message, or undefined where the resource is refused. */
function sent(resource: FhirResource, held: readonly FhirResource[]): string | undefined {
  try {
    return messageOf(resource, contextOf(held))
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined
    throw thrown
  }
}

describe('an HL7 message that leaves', () => {
  it('has the segments that it has without anything hostile in it', () => {
    const places = resources.flatMap((resource) => textsIn(resource).map((path) => ({ resource, path })))
    check(
      property(constantFrom(...places), hostileText, ({ resource, path }, text) => {
        const message = sent(withText(resource, path, text), store)
        if (message === undefined) return
        expect(isFramed(message)).toBe(true)
        const allowed = new Set([
          'MSH',
          'EVN',
          'PID',
          'PV1',
          'MRG',
          'ORC',
          'OBR',
          'OBX',
          'NTE',
          'RXE',
          'RXO',
          'RXR',
          'TQ1',
          'ZHP',
          '',
        ])
        expect(segmentNames(message).filter((name) => !allowed.has(name))).toEqual([])
        // Losing a value may lose its segment; no value may add one.
        const honest = sent(withText(resource, path, 'harmless'), store) ?? ''
        const original = sent(resource, store) ?? ''
        const most = Math.max(segmentNames(honest).length, segmentNames(original).length)
        expect(segmentNames(message).length).toBeLessThanOrEqual(most)
        // Nor a field, a component or a repetition.
        expect(delimitersIn(message)).toBeLessThanOrEqual(Math.max(delimitersIn(honest), delimitersIn(original)))
      }),
      tries,
    )
  })

  it('about a patient with a hostile name still names one patient', () => {
    check(
      property(hostileText, (text) => {
        const hostile = {
          ...patient,
          name: [{ family: text, given: [text] }],
          identifier: [{ system: text, value: text }],
        }
        const message = sent(encounter('in-progress', 'IMP'), [hostile]) ?? ''
        expect(segmentNames(message).filter((name) => name === 'PID')).toHaveLength(1)
        expect(isFramed(message)).toBe(true)
      }),
      runs(2_000),
    )
  })
})

describe('an answer to a message', () => {
  const request = (controlId: string, sender: string): Message =>
    parseMessage(
      Buffer.from(`MSH|^~\\&|${sender}|${sender}|HUB|CORRIDOR|20260304||ADT^A01|${controlId}|P|2.5.1\rPID|1`),
    )
  const deps = { clock: systemClock, ids: systemIds }

  it('has its own segments only, whatever the sender calls itself and its message', () => {
    check(
      property(hostileText, hostileText, (controlId, sender) => {
        const asked = request(escapeText(controlId, standardDelimiters), escapeText(sender, standardDelimiters))
        const issue = { code: '207' as const, text: controlId, severity: 'E' as const }
        const { text } = acknowledge(asked, { code: 'AE', text: sender, issues: [issue] }, deps)
        expect(segmentNames(text)).toEqual(['MSH', 'MSA', 'ERR', ''])
        expect(isFramed(text)).toBe(true)
      }),
      tries,
    )
  })

  it('to bytes that are no message is one too', () => {
    check(
      property(hostileText, (bytes) => {
        const answer = answerTo(bytes)
        expect(segmentNames(answer)[0]).toBe('MSH')
        expect(segmentNames(answer).filter((name) => !['MSH', 'MSA', 'ERR', ''].includes(name))).toEqual([])
        expect(isFramed(answer)).toBe(true)
      }),
      tries,
    )
  })

  function answerTo(bytes: string): string {
    try {
      return acknowledge(parseMessage(Buffer.from(bytes)), { code: 'AA' }, deps).text
    } catch (thrown) {
      if (thrown instanceof Hl7Fault) return refuse(thrown, deps).text
      throw thrown
    }
  }
})

describe('an audit record', () => {
  const names = ['sendingFacility', 'sendingApplication', 'controlId', 'messageType', 'operator', 'peer'] as const

  it('is one frame and one line with the elements that every record has', () => {
    const source = { sourceId: 'bridge', site: 'HIE', patientAuthority: '1.2.3.4' }
    const xmlOf = (given: object) => {
      const record = auditRecordOf(finishedMessage(given), '4711')
      return record === undefined ? '' : dicomXml(record, source)
    }
    const elements = (xml: string) =>
      [...xml.matchAll(/<([A-Za-z]+)/g)].map(([, name]) => String(name)).sort((a, b) => a.localeCompare(b))
    const honest = elements(xmlOf(Object.fromEntries(names.map((name) => [name, 'harmless']))))
    check(
      property(hostileText, (text) => {
        const xml = xmlOf({ ...Object.fromEntries(names.map((name) => [name, text])), messageType: `ADT^${text}` })
        expect(elements(xml)).toEqual(honest)
        const sender = { host: text, app: text }
        const frames = [1, 2].map(() => syslogFrame(syslogMessage({ at: new Date(0), processId: text, xml }, sender)))
        const read = new SyslogDeframer({ messageBytesMax: 1_000_000 }).push(Buffer.concat(frames))
        expect(read).toHaveLength(2)
        for (const line of read) expect(line).toMatch(/^<85>1 \S+ \S+ \S+ \S+ IHE\+RFC-3881 - \ufeff[^\r\n]*$/)
      }),
      tries,
    )
  })
})

describe('a log event', () => {
  it('is one line of JSON, whatever its fields hold', () => {
    const lines: string[] = []
    const log = makeLog({ level: 'debug', sink: { write: (line) => void lines.push(line) }, clock: systemClock })
    check(
      property(hostileText, (text) => {
        lines.length = 0
        log
          .with({ service: text, clientId: text })
          .error(text, { error: text, route: text, requestId: text, stack: text })
        expect(lines).toHaveLength(1)
        expect(lines[0]).toMatch(/^\{[^\r\n\u001b\u0000]*\}\n$/)
        expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error' })
      }),
      tries,
    )
  })
})

describe('a short message', () => {
  it('says the same about a hostile resource as about any other', () => {
    const about = { transactionId: 't-1' }
    const places = [...resources, appointment('booked')].flatMap((resource) =>
      textsIn(resource).map((path) => ({ resource, path })),
    )
    check(
      property(constantFrom(...places), hostileText, ({ resource, path }, text) => {
        if (path[0] === 'resourceType') return
        const said = smsText(withText(resource, path, text), about)
        expect(said).toMatch(/^[A-Za-z0-9 .:-]+$/)
      }),
      tries,
    )
  })
})

const delimitersIn = (text: string) => [...text.matchAll(/[|^~&]/g)].length
