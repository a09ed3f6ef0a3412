import { describe, expect, it } from 'vitest'
import type { DiagnosticReport, Observation, ObservationComponent } from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { SmallStore } from './testing/small-store.ts'
import { toTransaction } from './transaction.ts'

const six = '20260304060000+0400'
const seven = '20260304070000+0400'

interface Sent {
  readonly time?: string
  readonly number?: string
  readonly flag?: string
}

const obx = (code: string, value: string, status: string, { time = six, number = '', flag = '' }: Sent = {}) =>
  `OBX|1|NM|${code}^Pressure^LN||${value}|mm[Hg]^^UCUM||${flag}|||${status}|||${time}|||||||${number}`
const systolic = (value: string, status: string, sent?: Sent) => obx('8480-6', value, status, sent)
const diastolic = (value: string, status: string, sent?: Sent) => obx('8462-4', value, status, sent)

const header = 'MSH|^~\\&|MON|CENTRAL|||20260304091500+0400||ORU^R01|1|P|2.5.1'
const patient = 'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'
const report = (...results: readonly string[]) => [
  `OBR|1||V-1^MON|VITALS^Vital signs^L|||${six}${'|'.repeat(18)}F`,
  ...results,
]

/** What is stored after messages with these segments, and which of the results stand in the report. */
function after(...messages: readonly (readonly string[])[]) {
  const store = new SmallStore()
  for (const segments of messages) {
    const mapping = mapInPasses([header, patient, ...segments].join('\r'))
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    store.apply(mapping)
  }
  const results = [...store.resources].flatMap(([reference, one]) =>
    one.resourceType === 'Observation' ? [[reference, shown(one)] as const] : [],
  )
  const named = store.ofType<DiagnosticReport>('DiagnosticReport').flatMap(({ result = [] }) => result)
  const reported = results.filter(([reference]) => named.some((one) => one.reference === reference))
  return { results: results.map(([, text]) => text), reported: reported.map(([, text]) => text) }
}

/** `panel final 120/80`; what has no value is told by the reason. */
function shown({ code, component, status, ...own }: Observation): string {
  const parts = component ?? [{ code, ...own }]
  const order = parts.toSorted((one, other) => codeOf(other.code).localeCompare(codeOf(one.code)))
  const what = component === undefined ? codeOf(code) : 'panel'
  return `${what} ${status} ${order.map(valueOf).join('/')}`
}

const codeOf = (code: Observation['code']): string => code.coding?.[0]?.code ?? ''

const valueOf = ({ valueQuantity, dataAbsentReason, interpretation: [flag] = [] }: ObservationComponent): string =>
  [valueQuantity?.value ?? dataAbsentReason?.coding?.[0]?.code, flag?.coding?.[0]?.code].filter(Boolean).join(' ')

const pair = report(systolic('240', 'F', { flag: 'HH' }), diastolic('80', 'F'))

describe('a blood pressure', () => {
  it.each([
    ['both corrected', [systolic('140', 'C'), diastolic('81', 'C')], 'panel corrected 140/81'],
    ['the systolic corrected alone', [systolic('140', 'C')], 'panel corrected 140/80'],
    ['the diastolic corrected alone', [diastolic('90', 'C')], 'panel corrected 240 HH/90'],
    ['one corrected beside the other', [systolic('140', 'C'), diastolic('80', 'F')], 'panel corrected 140/80'],
    ['one sent again', [systolic('140', 'F')], 'panel final 140/80'],
    ['one still to come', [systolic('140', 'F'), diastolic('', 'I')], 'panel registered 140/temp-unknown'],
    ['one that could not be had', [systolic('', 'X'), diastolic('80', 'F')], 'panel final unknown/80'],
    ['one taken back alone', [systolic('240', 'W')], 'panel corrected error/80'],
    ['one taken back beside the other', [systolic('', 'D'), diastolic('80', 'F')], 'panel corrected error/80'],
  ])('%s changes the panel that is stored, and nothing stands beside it', (_what, results, expected) => {
    expect(after(pair, report(...results))).toEqual({ results: [expected], reported: [expected] })
  })

  it('both taken back are an error and leave the report', () => {
    const { results, reported } = after(pair, report(systolic('240', 'W'), diastolic('', 'W')))
    expect(results).toEqual(['panel entered-in-error 240 HH/80'])
    expect(reported).toEqual([])
  })

  it('is found by the numbers of its halves no less', () => {
    const numbered = report(systolic('240', 'F', { number: 'N-1' }), diastolic('80', 'F', { number: 'N-2' }))
    expect(after(numbered, report(systolic('140', 'C', { number: 'N-1' }))).results).toEqual(['panel corrected 140/80'])
    expect(after(numbered, report(systolic('', 'W', { number: 'N-1' })))).toEqual({
      results: ['panel corrected error/80'],
      reported: ['panel corrected error/80'],
    })
  })

  it('a half without panel is a result of its own, corrected and taken back as such', () => {
    const alone = report(systolic('240', 'F'))
    expect(after(alone)).toEqual({ results: ['8480-6 final 240'], reported: ['8480-6 final 240'] })
    expect(after(alone, report(systolic('140', 'C'))).results).toEqual(['8480-6 corrected 140'])
    expect(after(alone, report(systolic('240', 'W')))).toEqual({
      results: ['8480-6 entered-in-error 240'],
      reported: [],
    })
  })

  it('a half is written once where nothing is stored', () => {
    const mapping = mapInPasses([header, patient, ...report(systolic('240', 'F'))].join('\r'))
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    const { entry = [] } = toTransaction(mapping)
    expect(entry.filter(({ resource }) => resource?.resourceType === 'Observation')).toHaveLength(1)
  })

  it('of several in a report the one of its time is corrected', () => {
    const both = report(
      ...[systolic('240', 'F'), diastolic('80', 'F')],
      ...[systolic('130', 'F', { time: seven }), diastolic('70', 'F', { time: seven })],
    )
    expect(after(both, report(systolic('120', 'C', { time: seven }))).results).toEqual([
      'panel final 240/80',
      'panel corrected 120/70',
    ])
  })

  it('outside a report each time has its own', () => {
    const measured = (value: string, time: string) => [systolic(value, 'F', { time }), diastolic('80', 'F', { time })]
    expect(after(measured('120', six), measured('130', seven), measured('131', seven)).results).toEqual([
      'panel final 120/80',
      'panel final 131/80',
    ])
  })
})

it('several answers are told anew together', () => {
  const answers = (values: string) => report(`OBX|1|CWE|S^Symptoms^L||${values}||||||F`)
  const { results } = after(answers('A^a^L~B^b^L'), answers('C^c^L~D^d^L'))
  expect(results).toHaveLength(1)
  expect(results[0]?.split('/')).toHaveLength(2)
})
