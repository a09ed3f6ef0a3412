import { describe, expect, it } from 'vitest'
import type { DiagnosticReport, Observation, ServiceRequest, Specimen } from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

const patient = 'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'
const header = (type: string, controlId: string) =>
  `MSH|^~\\&|LAB|CENTRAL|||20260304091500+0400||${type}|${controlId}|P|2.5.1`

const order = (control: string) =>
  [header('ORM^O01', control), patient, `ORC|${control}|P-1^HIS`, 'OBR|1|P-1^HIS||58410-2^CBC^LN|S'].join('\r')

/** A report with one OBX for each pair of value and status. */
const report = (controlId: string, status: string, ...results: readonly (readonly [value: string, status: string])[]) =>
  [
    header('ORU^R01', controlId),
    patient,
    'ORC|RE|P-1^HIS|F-1^LAB',
    `OBR|1|P-1^HIS|F-1^LAB|58410-2^CBC^LN|||20260304080000+0400${'|'.repeat(18)}${status}`,
    ...results.map(([value, own], index) => `OBX|${index + 1}|NM|R${index + 1}^Result^L||${value}|g/dL|||||${own}`),
  ].join('\r')

function storeAfter(...messages: readonly string[]) {
  const store = new SmallStore()
  for (const message of messages) {
    const mapping = mapInPasses(message)
    if (mapping.refused !== undefined) throw new Error('a message of the test is refused')
    store.apply(mapping)
  }
  return {
    orders: store.ofType<ServiceRequest>('ServiceRequest'),
    reports: store.ofType<DiagnosticReport>('DiagnosticReport'),
    results: store.ofType<Observation>('Observation'),
    specimens: store.ofType<Specimen>('Specimen'),
  }
}

describe('an order and its results', () => {
  it('the final result takes the place of the preliminary one and completes the order', () => {
    const { orders, reports, results } = storeAfter(
      order('NW'),
      report('1', 'P', ['9', 'P']),
      report('2', 'F', ['10', 'F'], ['5', 'F']),
    )
    expect(orders.map(({ status, priority }) => [status, priority])).toEqual([['completed', 'stat']])
    expect(reports.map(({ status, result }) => [status, result?.length])).toEqual([['final', 2]])
    expect(results.map(({ status, valueQuantity }) => [status, valueQuantity?.value])).toEqual([
      ['final', 10],
      ['final', 5],
    ])
  })

  it.each([
    ['S', 'stat'],
    ['STAT', 'stat'],
    ['^STAT', 'stat'],
    ['Routine', 'routine'],
    ['asap', 'asap'],
    ['URGENT', 'urgent'],
    ['1^Stat^99HIS', 'stat'],
    ['A^Stat', 'asap'],
  ])('is as urgent as its sender says, by a code or by a word: %s', (sent, expected) => {
    const ofObr = order('NW').replace(/S$/, sent)
    const ofTq1 = `${order('NW').replace(/S$/, 'R')}\rTQ1|1||||||||${sent}`
    for (const message of [ofObr, ofTq1]) {
      expect(storeAfter(message).orders.map(({ priority }) => priority)).toEqual([expected])
      expect(mapInPasses(message).warnings.filter(({ kind }) => kind === 'unknown-value')).toEqual([])
    }
  })

  it('that is reported tells why it is what it is, and keeps that beside its notes', () => {
    const told = report('1', 'X').replace('ORC|RE|P-1^HIS|F-1^LAB', '$&|||||||||||||HEM^Haemolysed^L')
    const [first] = storeAfter(`${told}\rNTE|1||Please send another tube.`).reports
    expect(
      first?.extension?.map(({ valueCodeableConcept, valueAnnotation }) => valueCodeableConcept ?? valueAnnotation),
    ).toMatchObject([{ text: 'Haemolysed' }, { text: 'Please send another tube.' }])
  })

  it('is of no urgency that R4 knows, with a warning, where nobody knows the code', () => {
    const message = order('NW').replace(/S$/, 'Z9^Whenever')
    expect(storeAfter(message).orders[0]).not.toHaveProperty('priority')
    expect(mapInPasses(message).warnings).toContainEqual(
      expect.objectContaining({ kind: 'unknown-value', path: 'OBR-5' }),
    )
  })

  it.each([
    ['CA', 'active'],
    ['HD', 'active'],
    ['OC', 'revoked'],
    ['DC', 'revoked'],
    ['SN', 'unknown'],
  ])('that nobody knows is what table 0119 makes of it: %s', (control, expected) => {
    expect(storeAfter(order(control)).orders.map(({ status }) => status)).toEqual([expected])
  })

  it.each([
    ['has its results', [order('NW'), report('1', 'F', ['9', 'F'])], 'completed'],
    ['was cancelled', [order('NW'), order('CR')], 'revoked'],
    ['is on hold', [order('NW'), order('OH')], 'on-hold'],
    ['goes on', [order('NW')], 'active'],
  ])('that %s stays so when it is asked to be cancelled or held', (_what, before, expected) => {
    for (const control of ['CA', 'HD'])
      expect(storeAfter(...before, order(control)).orders.map(({ status }) => status)).toEqual([expected])
  })

  it.each<[string, readonly string[], string]>([
    ['all results are final', ['F', 'F'], 'final'],
    ['one was corrected', ['F', 'C'], 'corrected'],
    ['one was amended', ['A', 'F'], 'amended'],
    ['one was not made', ['F', 'X'], 'final'],
    ['none was made', ['X', 'X'], 'cancelled'],
    ['all are preliminary', ['P', 'P'], 'preliminary'],
    ['all are still to come', ['I', 'I'], 'registered'],
    ['some are final', ['F', 'P'], 'partial'],
    ['nothing is said of any', ['', ''], 'unknown'],
  ])('a report without OBR-25 is what its results are: %s', (_what, statuses, expected) => {
    const { reports } = storeAfter(report('1', '', ...statuses.map((status) => ['9', status] as const)))
    expect(reports.map(({ status }) => status)).toEqual([expected])
  })

  it.each([
    ['CM', 'final'],
    ['A', 'partial'],
    ['IP', 'registered'],
    ['CA', 'cancelled'],
    ['', 'unknown'],
    ['?', 'unknown'],
  ])('a report without OBR-25 and OBX-11 is what ORC-5 (%s) says of its order', (status, expected) => {
    const ofOrder = (text: string) => text.replace('ORC|RE|P-1^HIS|F-1^LAB', `$&||${status}`)
    const none = storeAfter(ofOrder(report('1', '')))
    const unsaid = storeAfter(ofOrder(report('1', '', ['9', ''])))
    expect([none, unsaid].map(({ reports }) => reports[0]?.status)).toEqual([expected, expected])
  })

  it.each([
    ['F', 'IP', 'final'],
    ['F', 'SC', 'final'],
    ['P', 'A', 'preliminary'],
    ['C', 'CA', 'corrected'],
  ])(
    'a report of results (%s) stays what it is when its order is told of without any (ORC-5 %s)',
    (told, ordered, expected) => {
      const ofOrder = report('2', '').replace('ORC|RE|P-1^HIS|F-1^LAB', `$&||${ordered}`)
      expect(storeAfter(report('1', '', ['9', told]), ofOrder).reports.map(({ status }) => status)).toEqual([expected])
    },
  )

  it.each<[string, readonly string[], readonly string[], string]>([
    ['becomes final with its results', ['P', 'P'], ['F', 'F'], 'final'],
    ['is preliminary again with them', ['F'], ['P'], 'preliminary'],
    ['is corrected with one of them', ['F', 'F'], ['C'], 'corrected'],
    ['is partial once one of them is open again', ['F', 'F'], ['P'], 'partial'],
    ['is not final while others are not', ['P', 'P'], ['F'], 'preliminary'],
    ['has some of what was registered', ['I', 'I'], ['F'], 'partial'],
    ['stays what it was where nothing is said', ['F'], [''], 'final'],
  ])('a report without OBR-25 %s', (_what, first, second, expected) => {
    const told = (controlId: string, statuses: readonly string[]) =>
      report(controlId, '', ...statuses.map((status) => ['9', status] as const))
    expect(storeAfter(told('1', first), told('2', second)).reports.map(({ status }) => status)).toEqual([expected])
  })

  it.each([
    ['TQ1|1||BID~QHS', 'TQ1-3[1]'],
    ['TQ1|1||BID||||||R~PRN', 'TQ1-3'],
    ['TQ1|1||BID\rTQ1|2||QHS', 'TQ1[1]-1'],
  ])('warns of what an order has no place for: %s', (tq1, path) => {
    const message = order('NW').replace('\rOBR', `\r${tq1}\rOBR`)
    expect(storeAfter(message).orders[0]?.occurrenceTiming?.code?.text).toBe('BID')
    expect(mapInPasses(message).warnings.filter(({ kind }) => kind === 'not-kept')).toMatchObject([{ path }])
  })

  it.each([
    ['1^BID~1^QHS', 'ORC-7[1]'],
    ['1^BID^^^^PRN', 'ORC-7'],
  ])('warns of it before TQ1: %s', (orc7, path) => {
    const message = order('NW').replace('P-1^HIS\rOBR', `P-1^HIS|||||${orc7}\rOBR`)
    expect(mapInPasses(message).warnings.filter(({ kind }) => kind === 'not-kept')).toMatchObject([{ path }])
  })

  it('a result that is taken back stays as an error and leaves the report', () => {
    const { reports, results } = storeAfter(
      report('1', 'F', ['10', 'F'], ['5', 'F']),
      report('2', 'C', ['11', 'C'], ['5', 'D']),
    )
    expect(reports.map(({ status, result }) => [status, result?.length])).toEqual([['corrected', 1]])
    expect(results.map(({ status }) => status)).toEqual(['corrected', 'entered-in-error'])
  })

  it('a result that cannot be had loses the value that it had', () => {
    const { results } = storeAfter(report('1', 'P', ['10', 'P']), report('2', 'F', ['', 'X']))
    expect(results.map(({ status, valueQuantity }) => [status, valueQuantity])).toEqual([['cancelled', undefined]])
    expect(results[0]?.dataAbsentReason?.coding?.[0]?.code).toBe('unknown')
  })

  it('a corrected result loses what was said of the value that it had', () => {
    const flagged =
      report('1', 'P', ['7.0', 'P']).replace('g/dL|||||P', 'g/dL|12-16|LL||N|P') + '\rNTE|1||Called to ward'
    const { results } = storeAfter(flagged, report('2', 'C', ['14', 'C']))
    expect(results.map(({ status, valueQuantity }) => [status, valueQuantity?.value])).toEqual([['corrected', 14]])
    for (const element of ['interpretation', 'referenceRange', 'note', 'extension']) {
      expect(results[0]).not.toHaveProperty(element)
    }
  })

  it('how a result was measured holds until another way is said', () => {
    const measured = report('1', 'P', ['7.0', 'P']) + '|||202603040800|||METHOD^Method^L|DEVICE^LAB'
    const { results } = storeAfter(measured, report('2', 'C', ['14', 'C']))
    expect(results).toMatchObject([{ status: 'corrected', method: { text: 'Method' }, device: { type: 'Device' } }])
  })

  it.each([
    ['P', 'F', 'preliminary', 'final'],
    ['F', 'C', 'final', 'corrected'],
    ['F', 'X', 'final', 'cancelled'],
    ['A', 'F', 'preliminary', 'final'],
    ['R', 'Z', 'preliminary', 'preliminary'],
    ['', 'F', 'unknown', 'final'],
  ])('a result without OBX-11 has the status of its report: OBR-25 %s, then %s', (first, second, before, after) => {
    const told = [report('1', first, ['7.1', '']), report('2', second, ['12.1', ''])] as const
    expect(storeAfter(told[0]).results.map(({ status }) => status)).toEqual([before])
    expect(storeAfter(...told).results.map(({ status }) => status)).toEqual([after])
  })

  it('a text has the flags of all its lines', () => {
    const lines = [
      'OBX|1|TX|600-7^Culture^LN||Gram stain of blood culture:|||A|||F',
      'OBX|2|TX|600-7^Culture^LN||GRAM POSITIVE COCCI IN CLUSTERS|||AA~A|||F',
      'OBX|3|TX|600-7^Culture^LN||Called to ward|||""|||F',
    ]
    const { results } = storeAfter([report('1', 'F'), ...lines].join('\r'))
    expect(results.map(({ interpretation }) => interpretation?.map(({ coding }) => coding?.[0]?.code))).toEqual([
      ['A', 'AA'],
    ])
  })

  it.each([
    ['', 'completed'],
    ['CM', 'completed'],
    ['IP', 'active'],
    ['FINISHED', 'completed'],
  ])('a final result whose ORC-5 is "%s" leaves the order %s', (sent, status) => {
    const final = report('2', 'F', ['10', 'F']).replace('ORC|RE|P-1^HIS|F-1^LAB', `$&||${sent}`)
    expect(storeAfter(order('NW'), final).orders.map((one) => one.status)).toEqual([status])
  })

  it.each([
    ['an ORC PR', ['ORC|PR|P-9^HIS|F-9^LAB']],
    ['no ORC', []],
    ['a PID and no ORC', [patient]],
  ])('is not made of an earlier result that goes along with an order: with %s', (_what, before) => {
    const own = segment('OBR', { 1: '1', 2: 'P-1^HIS', 4: '58410-2^CBC^LN' })
    const earlier = segment('OBR', { 1: '1', 2: 'P-9^HIS', 3: 'F-9^LAB', 4: '718-7^Hb^LN', 7: '20260201', 25: 'F' })
    const result = 'OBX|1|NM|718-7^Hb^LN||9.9|g/dL|||||F'
    const segments = [header('OML^O21', '1'), patient, 'ORC|NW|P-1^HIS', own, ...before, earlier, result]
    const { orders, reports, results } = storeAfter(segments.join('\r'))
    expect(orders.filter(({ status }) => status === 'active').map(({ code }) => code?.text)).toEqual(['CBC'])
    expect([reports, results].map((list) => list.map(({ status }) => status))).toEqual([['final'], ['final']])
  })

  it.each([
    [segment('SPM', { 1: '1', 2: 'S-1^LAB', 4: 'WND', 8: 'KNEE^Knee', 9: 'LT^Left' }), 'Knee, Left', ['LT']],
    [segment('SPM', { 1: '1', 2: 'S-1^LAB', 4: 'WND', 8: 'DELTOID', 9: 'LT~PRX' }), 'DELTOID, LT, PRX', ['LT', 'PRX']],
    [
      segment('SPM', { 1: '1', 2: 'S-1^LAB', 4: 'WND', 8: 'LK^Left knee', 9: '7771000^Left^SCT' }),
      'Left knee',
      ['7771000'],
    ],
    [segment('SPM', { 1: '1', 2: 'S-1^LAB', 4: 'WND', 9: 'LT^Left' }), 'Left', ['LT']],
    [segment('SPM', { 1: '1', 2: 'S-1^LAB', 4: 'WND', 9: '+' }), '+', ['+']],
  ])('a specimen is of the side that its sender says: %s', (spm, text, codes) => {
    const sites = storeAfter(`${report('1', 'F', ['10', 'F'])}\r${spm}`).specimens.map(
      (one) => one.collection?.bodySite,
    )
    expect(sites.map((site) => site?.text)).toEqual([text])
    const told = sites[0]?.extension?.map(({ valueCodeableConcept }) => valueCodeableConcept?.coding?.[0]?.code)
    expect(told).toEqual(codes)
  })

  it('a specimen in OBR-15, and what is asked in OBR-44 to 46, are of a side, too', () => {
    const source = { 15: 'WND&Wound^^^KNEE&Knee^LT&Left' }
    const asked = { 44: '73560^X-ray of knee^C4', 45: 'LT^Left side^C4', 46: 'STAND^Standing^L' }
    const obr = segment('OBR', { 1: '1', 2: 'P-1^HIS', 4: 'KNEE^Knee^L', ...source, ...asked })
    const { orders, specimens } = storeAfter([header('ORM^O01', '1'), patient, 'ORC|NW|P-1^HIS', obr].join('\r'))
    expect(orders[0]?.orderDetail?.map(({ text }) => text)).toEqual(['X-ray of knee', 'Left side', 'Standing'])
    expect(specimens.map(({ collection }) => collection?.bodySite?.text)).toEqual(['Knee, Left'])
  })

  it.each(['RH^Hemolyzed^HL70490', '^Hemolyzed'])('a specimen that was rejected (SPM-21 %s) is no use', (reason) => {
    const spm = (values: string) => `SPM|1|S-1^LAB||BLD${'|'.repeat(20 - 4)}${values}`
    const statuses = (...specimens: readonly string[]) =>
      storeAfter(...specimens.map((one, at) => `${report(String(at), 'F', ['10', 'F'])}\r${one}`)).specimens
    expect(statuses(spm(`|${reason}`))).toMatchObject([{ status: 'unsatisfactory' }])
    expect(statuses(spm(`Y|${reason}`))).toMatchObject([{ status: 'unsatisfactory' }])
    expect(statuses(spm(`|${reason}`), spm('Y'))).toMatchObject([{ status: 'available' }])
  })

  it.each([
    ['CA', 'active'],
    ['OC', 'revoked'],
    ['DC', 'revoked'],
    ['OH', 'on-hold'],
    ['XO', 'active'],
    ['SC', 'active'],
  ])('%s after a new order leaves it %s', (control, status) => {
    expect(storeAfter(order('NW'), order(control)).orders.map((one) => one.status)).toEqual([status])
  })

  it.each([
    ['CR', 'revoked'],
    ['OC', 'revoked'],
    ['DC', 'revoked'],
    ['DR', 'revoked'],
    ['OD', 'revoked'],
    ['OH', 'on-hold'],
    ['HR', 'on-hold'],
    ['CA', 'active'],
    ['HD', 'active'],
    ['UC', 'active'],
  ])('%s leaves it %s, though ORC-5 says what it was until then', (control, status) => {
    for (const before of ['A', 'IP', 'SC']) {
      const told = order(control).replace(`ORC|${control}|P-1^HIS`, `$&|||${before}`)
      expect(storeAfter(order('NW'), told).orders.map((one) => one.status)).toEqual([status])
    }
  })

  it.each([
    ['OC', 'CM', 'completed'],
    ['CR', 'HD', 'on-hold'],
    ['OH', 'CA', 'revoked'],
    ['CA', 'CA', 'revoked'],
    ['NW', 'CM', 'completed'],
  ])('%s with %s in ORC-5 leaves it %s', (control, told, status) => {
    const message = order(control).replace(`ORC|${control}|P-1^HIS`, `$&|||${told}`)
    expect(storeAfter(order('NW'), message).orders.map((one) => one.status)).toEqual([status])
  })

  it.each([
    ['*HH*', 'HH', '*HH*'],
    ['ll!', 'LL', 'll!'],
    ['(AA)', 'AA', '(AA)'],
    ['HH', 'HH', undefined],
    ['H*', 'H*', 'H*'],
    ['C', 'C', 'C'],
  ])('a result with %s in OBX-8 has the flag %s, however much it stands out', (sent, code, text) => {
    const told = report('1', 'F', ['9', 'F']).replace('|g/dL|||', `|g/dL||${sent}|`)
    const [result] = storeAfter(told).results
    expect(result?.interpretation).toMatchObject([{ coding: [{ code }], ...(text === undefined ? {} : { text }) }])
  })

  it('a held order is active again when it is released', () => {
    expect(storeAfter(order('NW'), order('OH'), order('RL')).orders[0]?.status).toBe('active')
  })
})

describe('a file that is a result', () => {
  const file = (code: string, data: string, status: string) =>
    `OBX|1|ED|${code}^Report^L||^application^pdf^Base64^${data}||||||${status}`
  const told = (controlId: string, ...results: readonly string[]) => [report(controlId, 'F'), ...results].join('\r')
  const presented = (...messages: readonly string[]) =>
    storeAfter(...messages).reports.flatMap(({ presentedForm = [] }) => presentedForm.map(({ data }) => data))

  const both = told('1', file('PDF', 'QQ==', 'F'), file('SCAN', 'Qg==', 'F'))

  it('leaves its report when it is taken back, and no other does', () => {
    expect(presented(both)).toEqual(['QQ==', 'Qg=='])
    expect(presented(both, told('2', file('PDF', 'QQ==', 'D')))).toEqual(['Qg=='])
    expect(presented(both, told('2', 'OBX|1|ED|PDF^Report^L||||||||W'))).toEqual(['Qg=='])
    expect(presented(both, told('2', file('PDF', '', 'D'), file('SCAN', '', 'D')))).toEqual([])
  })

  it('gives its place to the file that corrects it', () => {
    expect(presented(both, told('2', file('PDF', 'Qw==', 'C')))).toEqual(['Qw==', 'Qg=='])
    expect(presented(both, told('2', file('PDF', 'Qw==', 'C')), both)).toEqual(['QQ==', 'Qg=='])
  })

  it('gives its place to a text', () => {
    const text = told('2', 'OBX|1|TX|PDF^Report^L||No malignancy||||||F')
    expect(presented(both, text)).toEqual(['Qg=='])
    const [first] = storeAfter(both, text).results
    expect(first).toMatchObject({ status: 'final', valueString: 'No malignancy' })
    expect(first).not.toHaveProperty('derivedFrom')
  })
})
