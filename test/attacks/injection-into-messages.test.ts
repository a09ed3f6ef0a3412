import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { Fault } from '../../packages/faults/fault.ts'
import type { FhirResource, Quantity, Ratio } from '../../packages/fhir/r4.ts'
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
import { oneOf, tryCases } from '../../packages/testkit/cases.ts'
import { casesOf, casesTimeoutMs as timeout } from '../../packages/testkit/extent.ts'
import { hostileText, textsIn, withText } from './hostile-text.ts'

/** Whatever somebody writes into a field: what leaves has the form that it had. */

const amount = (value: number, unit: string): Quantity => ({ value, unit })
const ratio = (numerator: Quantity, denominator: Quantity): Ratio => ({ numerator, denominator })

// Made cases and plain assertions: whatever else looks at a case costs more than the case.
const tries = casesOf({ daily: 4_000, long: 310_000 })
const resources: readonly FhirResource[] = [
  { ...patient, address: [{ line: ['1 Street'], city: 'Town', country: 'KE' }], maritalStatus: { text: 'M' } },
  ...[merged, encounter('in-progress', 'IMP'), observation('HH', { valueString: 'text', note: [{ text: 'note' }] })],
  ...[report('final'), order('108252007'), prescription('active')],
  {
    ...{ resourceType: 'MedicationRequest', id: 'infusion', status: 'active', intent: 'order', subject: {} },
    medicationReference: { reference: 'Medication/compound', display: 'Heparin in saline' },
    dosageInstruction: [
      {
        doseAndRate: [{ doseQuantity: amount(500, 'mL'), rateRatio: ratio(amount(20, 'mL'), amount(1, 'h')) }],
        maxDosePerPeriod: ratio(amount(1_000, 'mL'), amount(1, 'd')),
      },
    ],
  },
]
const store: readonly FhirResource[] = [
  ...[patient, observation('HH')],
  {
    ...{ resourceType: 'Medication', id: 'compound', code: { text: 'Heparin in saline' } },
    ingredient: [
      { itemCodeableConcept: { text: 'Saline' }, strength: ratio(amount(500, 'mL'), amount(500, 'mL')) },
      { itemCodeableConcept: { text: 'Heparin' }, strength: ratio(amount(25_000, '[IU]'), amount(500, 'mL')) },
    ],
  },
]
const contextOf = (held: readonly FhirResource[]) => ({
  authorities: { base: 'https://corridor.example', namespaces: new Map<string, string>() },
  resolve: ({ reference }: { readonly reference?: string | undefined }) =>
    held.find(({ resourceType, id }) => `${resourceType}/${id}` === reference),
  sender: { application: 'CORRIDOR', facility: 'HIE' },
  receiver: { application: 'PHARM', facility: 'CENTRAL' },
  at: new Date('2026-03-04T05:06:07Z'),
  controlId: '0123456789abcdef0123',
  isChange: false,
  transactionId: 't-1',
  messageType: 'ADT^A08',
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

/** Every place of these resources where a text stands. */
const placesIn = (held: readonly FhirResource[]) =>
  held.flatMap((resource) => textsIn(resource).map((path) => ({ resource, path })))

describe('an HL7 message that leaves', { timeout }, () => {
  const allowed = new Set([
    ...['MSH', 'EVN', 'PID', 'PV1', 'MRG', 'ORC', 'OBR', 'OBX', 'NTE', 'RXC', 'RXE', 'RXO', 'RXR', 'TQ1', 'ZHP', ''],
  ])

  it('has the segments that it has without anything hostile in it', () => {
    // Losing a value may lose its segment; no value may add one, nor a field, a component or a repetition.
    const places = placesIn(resources).map(({ resource, path }) => {
      const honest = [resource, withText(resource, path, 'harmless')].map((one) => sent(one, store) ?? '')
      return {
        ...{ resource, path },
        segmentsMax: Math.max(...honest.map((text) => segmentNames(text).length)),
        delimitersMax: Math.max(...honest.map(delimitersIn)),
      }
    })
    tryCases(
      tries,
      (choose) => ({ ...oneOf(choose, places), text: hostileText(choose) }),
      ({ resource, path, text, segmentsMax, delimitersMax }) => {
        const message = sent(withText(resource, path, text), store)
        if (message === undefined) return
        assert.ok(isFramed(message))
        const names = segmentNames(message)
        assert.deepEqual(
          names.filter((name) => !allowed.has(name)),
          [],
        )
        assert.ok(names.length <= segmentsMax, `has ${names.length} segments, not ${segmentsMax}`)
        const delimiters = delimitersIn(message)
        assert.ok(delimiters <= delimitersMax, `has ${delimiters} delimiters, not ${delimitersMax}`)
      },
    )
  })

  it('about a patient with a hostile name still names one patient', () => {
    tryCases(casesOf({ daily: 2_000, long: 155_000 }), hostileText, (text) => {
      const hostile = {
        ...patient,
        name: [{ family: text, given: [text] }],
        identifier: [{ system: text, value: text }],
      }
      const message = sent(encounter('in-progress', 'IMP'), [hostile]) ?? ''
      assert.equal(segmentNames(message).filter((name) => name === 'PID').length, 1)
      assert.ok(isFramed(message))
    })
  })
})

describe('an answer to a message', { timeout }, () => {
  const request = (controlId: string, sender: string): Message =>
    parseMessage(
      Buffer.from(`MSH|^~\\&|${sender}|${sender}|HUB|CORRIDOR|20260304||ADT^A01|${controlId}|P|2.5.1\rPID|1`),
    )
  const deps = { clock: systemClock, ids: systemIds }

  it('has its own segments only, whatever the sender calls itself and its message', () => {
    tryCases(
      tries,
      (choose) => ({ controlId: hostileText(choose), sender: hostileText(choose) }),
      ({ controlId, sender }) => {
        const asked = request(escapeText(controlId, standardDelimiters), escapeText(sender, standardDelimiters))
        const issue = { code: '207' as const, text: controlId, severity: 'E' as const }
        const { text } = acknowledge(asked, { code: 'AE', text: sender, issues: [issue] }, deps)
        assert.equal(segmentNames(text).join(), 'MSH,MSA,ERR,')
        assert.ok(isFramed(text))
      },
    )
  })

  it('to bytes that are no message is one too', () => {
    tryCases(tries, hostileText, (bytes) => {
      const answer = answerTo(bytes)
      assert.match(segmentNames(answer).join(), /^MSH(,MSA|,ERR|,)*$/)
      assert.ok(isFramed(answer))
    })
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

describe('an audit record', { timeout }, () => {
  const names = ['sendingFacility', 'sendingApplication', 'controlId', 'messageType', 'operator', 'peer'] as const

  it('is one frame and one line with the elements that every record has', () => {
    const source = { sourceId: 'bridge', site: 'HIE', patientAuthority: '1.2.3.4' }
    const xmlOf = (given: object) => {
      const record = auditRecordOf(finishedMessage(given), '4711')
      return record === undefined ? '' : dicomXml(record, source)
    }
    const elements = (xml: string) =>
      xml
        .match(/<[A-Za-z]+/g)
        ?.sort()
        .join() ?? ''
    const honest = elements(xmlOf(Object.fromEntries(names.map((name) => [name, 'harmless']))))
    // One costs as much as seven log events, of which the other test tries more.
    tryCases(casesOf({ daily: 4_000, long: 20_000 }), hostileText, (text) => {
      const xml = xmlOf({ ...Object.fromEntries(names.map((name) => [name, text])), messageType: `ADT^${text}` })
      assert.equal(elements(xml), honest)
      const sender = { host: text, app: text }
      const frames = [1, 2].map(() => syslogFrame(syslogMessage({ at: new Date(0), processId: text, xml }, sender)))
      const read = new SyslogDeframer({ messageBytesMax: 1_000_000 }).push(Buffer.concat(frames))
      assert.equal(read.length, 2)
      for (const line of read) assert.match(line, /^<85>1 \S+ \S+ \S+ \S+ IHE\+RFC-3881 - \ufeff[^\r\n]*$/)
    })
  })
})

describe('a log event', { timeout }, () => {
  it('is one line of JSON, whatever its fields hold', () => {
    const lines: string[] = []
    const log = makeLog({ level: 'debug', sink: { write: (line) => void lines.push(line) }, clock: systemClock })
    tryCases(casesOf({ daily: 4_000, long: 40_000 }), hostileText, (text) => {
      lines.length = 0
      log
        .with({ service: text, clientId: text })
        .error(text, { error: text, route: text, requestId: text, stack: text })
      assert.equal(lines.length, 1)
      const [line = ''] = lines
      assert.match(line, /^\{[^\r\n\u001b\u0000]*\}\n$/)
      assert.equal((JSON.parse(line) as { level?: unknown }).level, 'error')
    })
  })
})

describe('a short message', { timeout }, () => {
  it('says the same about a hostile resource as about any other', () => {
    const about = { transactionId: 't-1', timeZone: 'Africa/Nairobi' }
    const places = placesIn([...resources, appointment('booked')]).filter(({ path }) => path[0] !== 'resourceType')
    tryCases(
      tries,
      (choose) => ({ ...oneOf(choose, places), text: hostileText(choose) }),
      ({ resource, path, text }) => {
        assert.match(smsText(withText(resource, path, text), about), /^[A-Za-z0-9 .:-]+$/)
      },
    )
  })
})

const delimitersIn = (text: string) => text.match(/[|^~&]/g)?.length ?? 0
