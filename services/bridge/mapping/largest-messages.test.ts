import { describe, expect, it } from 'vitest'
import type {
  CodeableConcept,
  Composition,
  DiagnosticReport,
  FhirResource,
  Identifier,
  Observation,
  Patient,
  Provenance,
  Reference,
} from '../../../packages/fhir/r4.ts'
import { parseMessage, Segment } from '../../../packages/hl7/index.ts'
import { distinctIdentifiers, isAmong } from './distinct-identifiers.ts'
import { Draft } from './draft.ts'
import { contentOf } from './families/mdm/content.ts'
import { EarlierResults } from './families/oru/parent-result.ts'
import { recordsForIndex } from './golden-link.ts'
import { mapMessage } from './map-message.ts'
import type { Write } from './mapped.ts'
import { mergeWrite } from './merge.ts'
import { Members, type PutObservation } from './observations.ts'
import type { OrderGroup } from './order-group.ts'
import { testContext } from './testing/context.ts'

/**
 * A message may have 16 MB and 100,000 segments, and whoever sends one must not stop the process for the others. Work that
 * grows with the square of these numbers would take longer than any test may. A call can have some 120,000 arguments, and
 * in the threads of the tests, whose stack is larger, less than 500,000.
 */

const many = (count: number, textOf: (index: number) => string, between = '~'): string =>
  Array.from({ length: count }, (_, index) => textOf(index)).join(between)

const messageOf = (type: string, ...segments: readonly string[]): string =>
  [`MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||${type}|L1|P|2.5.1`, ...segments, ''].join('\r')

function mapped(text: string): readonly FhirResource[] {
  const mapping = mapMessage(parseMessage(text), testContext())
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  return mapping.writes.map(({ resource }) => resource)
}

function only<R extends FhirResource>(type: R['resourceType'], resources: readonly FhirResource[]): R {
  const found = resources.filter((resource) => resource.resourceType === type)
  expect(found).toHaveLength(1)
  // Sound: it says that it is one.
  return found[0] as R
}

const pid = 'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'

describe('a message is mapped', () => {
  it('with a text whose second OBX has 600,000 lines', () => {
    const line = (number: number, value: string) => `OBX|${number}|TX|R^Report^L||${value}||||||F`
    const obr = 'OBR|1|P1|F1|R^Report^L'
    const resources = mapped(
      messageOf(
        'ORU^R01',
        pid,
        obr,
        line(1, 'a'),
        line(
          2,
          many(600_000, () => 'b'),
        ),
      ),
    )
    expect(only<Observation>('Observation', resources).valueString?.split('\n')).toHaveLength(600_001)
  })

  it('with a note of 600,000 lines on its document', () => {
    const document = ['TXA|1|DS|TX|20260304||||||||D-1', 'OBX|1|TX|R^Report^L||A text||||||F']
    const resources = mapped(messageOf('MDM^T02', pid, ...document, `NTE|1||${many(600_000, () => 'b')}`))
    expect(only<Composition>('Composition', resources).section?.[0]?.text?.div.split('<br/>')).toHaveLength(600_001)
  })

  it('with a prescription that 600,000 people have entered', () => {
    const orc = `ORC|NW|P-1^CPOE||||||||${many(600_000, () => '7^O')}`
    const resources = mapped(messageOf('RDE^O11', pid, orc, 'RXE|1^BID^D7^20260304|1234^Digoxin^L|0.125||mg'))
    expect(only<Provenance>('Provenance', resources).agent.length).toBeGreaterThan(600_000)
  })

  it('with someone who works for 150,000 services', () => {
    const stf = `STF|2005||New^Nurse||||||${many(150_000, () => 'W')}`
    const resources = mapped(messageOf('MFN^M02', 'MFI|STF||UPD|||SU', 'MFE|MAD|R1||2005', stf))
    const role = resources.find((one) => one.resourceType === 'PractitionerRole')
    expect(role?.healthcareService).toHaveLength(150_000)
  })
})

it('the notes of a document are looked for once, and not once for each OBX', () => {
  const obx = (index: number) => `OBX|${index}|TX|R^Report^L||line ${index}||||||F\rNTE|1||note ${index}`
  const message = parseMessage(messageOf('MDM^T02', pid, many(1_000, obx, '\r')))
  let looks = 0
  const all = new Proxy(message.all, {
    get: (segments, name) => {
      looks++
      return Reflect.get(segments, name) as unknown
    },
  })
  const [part] = contentOf({ all }, new Draft(message, testContext()))
  expect(part?.text?.split('\n').slice(0, 3)).toEqual(['line 0', 'note 0', 'line 1'])
  expect(part?.text?.split('\n')).toHaveLength(2_000)
  expect(looks).toBeLessThan(10 * message.all.length)
})

it('the parent of each of 20,000 orders is found by its number', () => {
  const syntax = parseMessage(messageOf('ORU^R01'))
  const obx = new Segment('OBX|1|ST|ORG^Organism^L|1|E. coli||||||F', syntax)
  const earlier = new EarlierResults()
  // Sound: nothing else of a group or of a result is looked at.
  const results = Array.from({ length: 20_000 }, () => ({ obx, isMistake: false }) as PutObservation)
  for (const [index, result] of results.entries()) {
    earlier.add({ placer: { value: 'P1' }, filler: { value: `F${index}` } } as OrderGroup, [result])
  }
  const found = results.map((_, index) => {
    const obr = new Segment(`OBR|2${'|'.repeat(25)}ORG&Organism&L^1|||P1^F${index}`, syntax)
    return earlier.parentOf({ obr } as OrderGroup)
  })
  expect(found.every((result, index) => result === results[index])).toBe(true)
})

it('100,000 orders each add a member to the result that they were made for', () => {
  const parent: Observation = { resourceType: 'Observation', status: 'final', code: {}, hasMember: references(1) }
  const members = new Members()
  for (const reference of references(100_000)) members.add(parent, [reference])
  expect(parent.hasMember).toHaveLength(100_000)
})

const references = (count: number): Reference[] =>
  Array.from({ length: count }, (_, index) => ({ reference: `Observation/${index}` }))

describe('what is stored is joined', () => {
  const write = (resource: FhirResource, changes: Partial<Write>): Write => ({
    ...{ fullUrl: 'urn:uuid:1', key: { parameter: 'identifier', system: 's', value: '1' }, mode: 'upsert' },
    ...{ resource, defaults: {}, deletes: [], removes: [], ...changes },
  })
  const code: CodeableConcept = { coding: [{ code: '718-7' }] }
  const report = (result: Reference[]): DiagnosticReport => ({
    ...{ resourceType: 'DiagnosticReport', status: 'final', code, result },
  })

  it('with a message that takes 40,000 results back', () => {
    const removes = references(40_000).map(({ reference }) => ({ element: 'result', where: { reference } }))
    const { result: _none, ...said } = report([])
    const merged = mergeWrite(write(said, { removes: removes.slice(0, -1) }), report(references(40_000)))
    expect(merged).toMatchObject({ result: [{ reference: 'Observation/39999' }] })
    expect(mergeWrite(write(said, { removes }), report(references(40_000)))).not.toHaveProperty('result')
  })

  it('with a result that names one member 450,000 times, as it did before, and another no longer', () => {
    const members = (display: string): Reference[] =>
      Array.from({ length: 450_000 }, () => ({ reference: 'Observation/1', display }))
    const result = (hasMember: Reference[]): Observation => ({
      ...{ resourceType: 'Observation', status: 'final', code, hasMember },
    })
    const stored = result([{ reference: 'Observation/2' }, ...members('before')])
    const removes = [{ element: 'hasMember', where: { reference: 'Observation/2' } }]
    const said = members('now')
    const { hasMember } = mergeWrite(write(result(said), { removes }), stored) as Observation
    expect(hasMember).toHaveLength(450_000)
    expect(hasMember?.every((one, index) => one === said[index])).toBe(true)
  })

  it('with a record of the index for each of 40,000 patients, without the numbers that leave others', () => {
    const number = (index: number): Identifier => ({ system: 's', value: String(index) })
    const writes = Array.from({ length: 40_000 }, (_, index) => {
      const patient: Patient = { resourceType: 'Patient', identifier: [number(index), number(index + 1)] }
      return write(patient, { removes: [{ element: 'identifier', where: { system: 's', value: String(index) } }] })
    })
    const records = recordsForIndex(writes, writes)
    expect(records).toHaveLength(40_000)
    expect(records.at(-1)?.identifier).toEqual([number(40_000)])
  })
})

it('of 200,000 numbers each is kept once, and known again', () => {
  const numbers = Array.from({ length: 200_000 }, (_, index): Identifier => ({ system: 's', value: String(index) }))
  const distinct = distinctIdentifiers([...numbers, ...numbers])
  expect(distinct).toHaveLength(200_000)
  expect(distinct.every((one, index) => one === numbers[index])).toBe(true)
  const isKnown = isAmong(numbers)
  expect(numbers.every(isKnown)).toBe(true)
  expect(isKnown({ value: '1' })).toBe(false)
})

it('a system that ends where a value begins makes no other number of it', () => {
  const alike: Identifier[] = [{ system: 'a|b', value: 'c' }, { system: 'a', value: 'b|c' }, { value: 'c' }]
  expect(distinctIdentifiers(alike)).toEqual(alike)
})
