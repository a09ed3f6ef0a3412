import { describe, expect, it } from 'vitest'
import type { FhirResource, Practitioner } from '../../../../packages/fhir/r4.ts'
import { parseMessage } from '../../../../packages/hl7/index.ts'
import { encounter, merged, observation, order, patient, prescription, report } from '../testing/clinical-resources.ts'
import { messageOf } from './message-of.ts'
import { isAddressedTo, type MessageContext } from './outbound-message.ts'

const doctor: Practitioner = {
  resourceType: 'Practitioner',
  id: 'doc',
  identifier: [{ value: '2001' }],
  name: [{ family: 'Okafor', given: ['Chidi'] }],
}
const store: readonly FhirResource[] = [patient, doctor, observation('HH')]

const context: MessageContext = {
  authorities: { base: 'https://corridor.example', namespaces: new Map() },
  resolve: ({ reference }) => store.find(({ resourceType, id }) => `${resourceType}/${id}` === reference),
  sender: { application: 'CORRIDOR', facility: 'HIE' },
  receiver: { application: 'PHARM', facility: 'CENTRAL' },
  at: new Date('2026-03-04T05:06:07Z'),
  controlId: '0123456789abcdef0123',
  transactionId: 't-1',
  messageType: 'ADT^A08',
  isChange: false,
}

/** More than a call may have arguments. */
const manyOf = <Item>(item: Item): Item[] => Array.from({ length: 600_000 }, () => item)

const lines = (resource: FhirResource, given: Partial<MessageContext> = {}) =>
  messageOf(resource, { ...context, ...given })
    .split('\r')
    .filter((line) => line !== '')
const header = (type: string) =>
  `MSH|^~\\&|CORRIDOR|HIE|PHARM|CENTRAL|20260304050607+0000||${type}|0123456789abcdef0123|P|2.5.1||||||UNICODE UTF-8`
const pid = 'PID|1||778899^^^&1.2.3&ISO||Okonkwo^Amara||19800504|F|||||+999 555 0100^PRS^CP^^^^^^^^^+999 555 0100'
const hop = 'ZHP|1|CORRIDOR^HIE|t-1'

describe('the message of', () => {
  it.each<[string, FhirResource, readonly string[]]>([
    [
      'a merged patient is ADT^A40 with both records',
      merged,
      [header('ADT^A40^ADT_A39'), 'EVN|A40|20260304050607+0000', pid, 'MRG|111^^^&1.2.3&ISO', hop],
    ],
    [
      'any other patient is ADT^A31',
      patient,
      [header('ADT^A31^ADT_A05'), 'EVN|A31|20260304050607+0000', pid, 'PV1|1|N', hop],
    ],
    [
      'a visit that was no visit is ADT^A23',
      encounter('entered-in-error', 'IMP'),
      [header('ADT^A23^ADT_A21'), 'EVN|A23|20260304050607+0000', pid, `PV1|1|I${'|'.repeat(17)}V1`, hop],
    ],
    [
      'a stay that goes on is ADT^A01',
      encounter('in-progress', 'IMP'),
      [header('ADT^A01^ADT_A01'), 'EVN|A01|20260304050607+0000', pid, `PV1|1|I${'|'.repeat(17)}V1`, hop],
    ],
    [
      'a finished stay is ADT^A03',
      encounter('finished', 'IMP'),
      [header('ADT^A03^ADT_A03'), 'EVN|A03|20260304050607+0000', pid, `PV1|1|I${'|'.repeat(17)}V1`, hop],
    ],
    [
      'a report is ORU^R01 with its results',
      report('final'),
      [
        header('ORU^R01^ORU_R01'),
        pid,
        'ORC|RE|R1|||CM',
        'OBR|1|R1||24323-8^^LN|||||||||||||||||||||F',
        'OBX|1|NM|2823-3^^LN||6.5|mmol/L^^UCUM||HH|||F|||20260304050000+0000',
        hop,
      ],
    ],
    [
      'a laboratory order is OML^O21',
      order('108252007', { priority: 'stat', requester: { reference: 'Practitioner/doc' } }),
      [
        header('OML^O21^OML_O21'),
        pid,
        'ORC|NW|O1|||IP|||||||2001^Okafor^Chidi',
        'TQ1|1||||||||S',
        'OBR|1|O1||24323-8^^LN|S|||||||||||2001^Okafor^Chidi',
        hop,
      ],
    ],
    [
      'an imaging order is OMI^O23 with what a worklist needs',
      order('363679005'),
      [
        header('OMI^O23^OMI_O23'),
        pid,
        'ORC|NW|O1|||IP',
        'OBR|1|O1||24323-8^^LN',
        expect.stringMatching(/^IPC\|O1\|O1\|2\.25\.\d{36,39}$/),
        hop,
      ],
    ],
    [
      'a prescription is RDE^O11',
      prescription('active'),
      [header('RDE^O11^RDE_O11'), pid, 'PV1|1|N', 'ORC|NW|P1|||IP', 'RXE||^Lisinopril 10 mg', hop],
    ],
  ])('%s', (_, resource, expected) => {
    expect(lines(resource)).toEqual(expected)
    expect(parseMessage(Buffer.from(messageOf(resource, context))).getText('MSH-10')).toBe(context.controlId)
  })

  it('a deleted patient is ADT^A29, also where the record is linked', () => {
    const link = [{ type: 'refer' as const, other: { reference: 'Patient/golden' } }]
    expect(lines({ ...patient, active: false, link }, { messageType: 'ADT^A29' })).toEqual([
      header('ADT^A29^ADT_A21'),
      'EVN|A29|20260304050607+0000',
      pid,
      'PV1|1|N',
      hop,
    ])
  })

  it.each(['108252007', '363679005'])('an order holds what whoever carries it out must know: %s', (category) => {
    const url = 'https://corridor.example/StructureDefinition/relevant-clinical-information'
    const answer = { ...observation('N'), id: 'pregnant', valueString: 'yes', note: [{ text: 'Week 12' }] }
    const { valueQuantity: _value, ...asked } = answer
    const whole = order(category, {
      extension: [{ url, valueString: 'Allergic to contrast medium' }],
      supportingInfo: [{ reference: 'Observation/pregnant' }, { reference: 'Observation/gone' }],
    })
    const told = lines(whole, {
      resolve: ({ reference }) => (reference === 'Observation/pregnant' ? asked : undefined),
    })
    expect(told.find((line) => line.startsWith('OBR|'))).toBe(
      'OBR|1|O1||24323-8^^LN|||||||||Allergic to contrast medium',
    )
    const from = told.findIndex((line) => line.startsWith('OBX|'))
    expect(told[from]).toMatch(/^OBX\|1\|ST\|2823-3\^\^LN\|\|yes\|/)
    expect(told[from + 1]).toBe('NTE|1||Week 12')
    expect(told.slice(from + 2).map((line) => line.slice(0, 3))).toEqual(
      category === '363679005' ? ['IPC', 'ZHP'] : ['ZHP'],
    )
  })

  it.each([order('108252007'), order('363679005'), prescription('active')])(
    'an order that was there before is changed, not made anew',
    (changed) => {
      const message = parseMessage(Buffer.from(messageOf(changed, { ...context, isChange: true })))
      expect(message.getText('ORC-1')).toBe('XO')
    },
  )

  it.each([
    [order('108252007', { status: 'revoked' }), 'ORC|CA|O1|||CA'],
    [order('363679005', { status: 'entered-in-error' }), 'ORC|CA|O1|||ER'],
    [prescription('cancelled'), 'ORC|CA|P1|||CA'],
    [prescription('stopped'), 'ORC|DC|P1|||DC'],
  ])('an order that was taken back is neither made nor changed', (takenBack, orc) => {
    expect(lines(takenBack)).toContain(orc)
    expect(messageOf(takenBack, { ...context, isChange: true }).split('\r')).toContain(orc)
  })

  it('a report holds its notes, those of its results, and every file once', () => {
    const pdf = { contentType: 'application/pdf', data: 'JVBERi0xLjQK' }
    const scan = { contentType: 'image/png', data: 'iVBORw0K' }
    const document: FhirResource = {
      ...{ resourceType: 'DocumentReference', id: 'scan', status: 'current' },
      content: [{ attachment: scan }],
    }
    const { valueQuantity: _value, ...plain } = observation('HH')
    const pictured: FhirResource = { ...plain, id: 'picture', derivedFrom: [{ reference: 'DocumentReference/scan' }] }
    const noted: FhirResource = { ...observation('HH'), note: [{ text: 'Called at 11:02\nby Ann' }] }
    const url = 'http://hl7.org/fhir/5.0/StructureDefinition/extension-DiagnosticReport.note'
    const told = new Map<string | undefined, FhirResource>([
      ['Observation/potassium', noted],
      ['Observation/picture', pictured],
      ['DocumentReference/scan', document],
    ])
    const whole = messageOf(
      {
        ...report('final'),
        result: [{ reference: 'Observation/potassium' }, { reference: 'Observation/picture' }],
        presentedForm: [scan, pdf],
        extension: [{ url, valueAnnotation: { text: 'Slightly haemolysed' } }],
      },
      { ...context, resolve: ({ reference }) => told.get(reference) },
    )
    const said = whole.split('\r').filter((line) => /^(OBR|OBX|NTE)/.test(line))
    expect(said.map((line) => line.split('|').slice(0, 6).join('|'))).toEqual([
      'OBR|1|R1||24323-8^^LN|',
      'NTE|1||Slightly haemolysed',
      'OBX|1|NM|2823-3^^LN||6.5',
      String.raw`NTE|1||Called at 11:02\.br\by Ann`,
      'OBX|2|ED|2823-3^^LN||^image^png^Base64^iVBORw0K',
      'OBX|3|ED|24323-8^^LN||^application^pdf^Base64^JVBERi0xLjQK',
    ])
  })

  it('orders and prescriptions hold what was noted on them', () => {
    const note = [{ text: 'Patient is on heparin' }]
    expect(lines(order('108252007', { note }))).toContain('NTE|1||Patient is on heparin')
    expect(lines({ ...prescription('active'), note })).toContain('NTE|1||Patient is on heparin')
  })

  it('a result with 600,000 flags can be made', () => {
    const message = messageOf(observation('HH', { interpretation: manyOf({ coding: [{ code: 'HH' }] }) }), context)
    expect(message.split('~')).toHaveLength(600_001)
  })

  it('a report whose result has 600,000 notes can be made', () => {
    const result = observation('HH', { note: manyOf({ text: 'x' }) })
    const told = { ...report('final'), result: [{ reference: 'Observation/potassium' }] }
    expect(messageOf(told, { ...context, resolve: () => result }).split('\rNTE')).toHaveLength(600_001)
  })

  it('a patient whose survivor is gone cannot be made', () => {
    const lost = { ...context, resolve: () => undefined }
    expect(() => messageOf(merged, lost)).toThrow(/remains after the merge/)
  })

  it('what HL7v2 has no message for cannot be made', () => {
    expect(() => messageOf({ resourceType: 'Basic', code: {} }, context)).toThrow(/no HL7v2 message for a Basic/)
  })

  it.each([
    [{ application: 'PHARM', facility: 'CENTRAL' }, true],
    [{ application: 'PHARM', facility: 'LAKESIDE' }, false],
    [{ application: 'OTHER', facility: 'CENTRAL' }, false],
    [{ application: undefined, facility: undefined }, false],
  ])('is addressed to its receiver alone: %o is %s', (receiver, expected) => {
    expect(isAddressedTo(receiver, messageOf(patient, context))).toBe(expected)
  })

  it.each([
    { application: undefined, facility: undefined },
    { application: 'A|B', facility: String.raw`C^D&E\F~G` },
  ])('is addressed to %o as it was written', (receiver) => {
    expect(isAddressedTo(receiver, messageOf(patient, { ...context, receiver }))).toBe(true)
  })

  it('names with separators stays one field', () => {
    const nasty = { ...patient, name: [{ family: 'O|K^~\\&\r\u000bPID|2' }] }
    expect(lines(nasty)).toHaveLength(5)
  })
})
