import { describe, expect, it } from 'vitest'
import type { Practitioner } from '../../../packages/fhir/r4.ts'
import { testContext } from '../mapping/testing/context.ts'
import { mapInPasses } from '../mapping/testing/map-in-passes.ts'
import { memoryFhirStore } from '../testing/memory-fhir-store.ts'
import { findStored } from './find-stored.ts'
import { planWrites } from './plan-writes.ts'

/** A store that gets messages one after the other, as PERSIST joins them. */
class Exchange {
  readonly #store = memoryFhirStore()
  #sent = 0

  /** How many numbers of the message somebody has to look at. */
  async send(type: string, ...segments: readonly string[]): Promise<number> {
    const [event = '', code = 'CENTRAL'] = type.split('@')
    const time = `202603041015${String(++this.#sent).padStart(2, '0')}`
    const facility = { ...testContext().facility, code }
    const text = [`MSH|^~\\&|HIS|${code}|||${time}||${event}|${this.#sent}|P|2.5.1`, ...segments].join('\r')
    const mapped = mapInPasses(text, { facility })
    if (mapped.refused !== undefined) throw new Error(mapped.refused[0]?.text)
    const { signal } = new AbortController()
    const deps = { store: this.#store, breakers: { call: <T>(_name: string, work: () => T) => work() } }
    const stored = await findStored(mapped.writes, signal, deps)
    for (const { resource, key, stored: before } of planWrites(mapped, stored, 'https://corridor.example').writes) {
      if (before === undefined) await this.#store.updateMatching(resource, { identifier: `${key.system}|${key.value}` })
      else await this.#store.update({ ...resource, id: before.id })
    }
    return [...(stored.taken?.values() ?? [])].flat().filter(({ isDoubtful }) => isDoubtful).length
  }

  async enter(practitioner: Omit<Practitioner, 'resourceType'> & { readonly id: string }): Promise<void> {
    await this.#store.update({ resourceType: 'Practitioner', ...practitioner })
  }

  people(): Practitioner[] {
    // Sound: they say that they are.
    return [...this.#store.resources.values()].filter(
      ({ resourceType }) => resourceType === 'Practitioner',
    ) as unknown as Practitioner[]
  }

  numbers(): (string | undefined)[][] {
    return this.people().map(({ identifier = [] }) => identifier.map(({ value }) => value))
  }
}

const staff = (key: string, numbers: string, name: string, event = 'MAD') => [
  'MFI|STF||UPD|||AL',
  `MFE|${event}|R1||${key}|CWE`,
  `STF|${key}|${numbers}|${name}`,
]
const result = (number: string, doctor: string) => [
  'PID|1||4711^^^CENTRAL^MR||Diallo^Amina',
  `ORC|RE||${number}^LAB`,
  `OBR|1||${number}^LAB|K^Potassium^L|||20260304|||||||||${doctor}`,
  'OBX|1|NM|K^Potassium^L||4.1|mmol/L|||||F',
]
const national = '1112223334^^^NPI&1.2.840.99&ISO^NPI'
const byNational = '1112223334^Okafor^Chidi^^^^^^NPI&1.2.840.99&ISO^^^^NPI'

describe('whoever works here', () => {
  it('and was named by a result before the staff file told of them is one person', async () => {
    const exchange = new Exchange()
    await exchange.send('ORU^R01', ...result('F1', '2001^Okafor'))
    expect(await exchange.send('MFN^M02', ...staff('2001', '2001^^^&1.2.3&ISO^EI', 'Okafor^Chidi'))).toBe(0)
    expect(await exchange.send('ORU^R01', ...result('F2', '2001^Okafor'))).toBe(0)
    expect(exchange.people()).toMatchObject([{ name: [{ family: 'Okafor', given: ['Chidi'] }], active: true }])
    expect(exchange.numbers()).toEqual([['2001', '2001']])
  })

  it('and has a number without an authority in the staff file is whom an order means by it', async () => {
    const exchange = new Exchange()
    await exchange.send('MFN^M02', ...staff('R9', '2001', 'Okafor^Chidi'))
    await exchange.send('ORU^R01', ...result('F1', '2001^Okafor'))
    expect(exchange.numbers()).toEqual([['2001', 'R9']])
  })

  it('at two places under one national number is one person with the numbers of both', async () => {
    const exchange = new Exchange()
    await exchange.send('MFN^M02', ...staff('2001', `2001^^^CENTRAL^EI~${national}`, 'Okafor^Chidi'))
    await exchange.send('MFN^M02@LAKESIDE', ...staff('77', `77^^^LAKESIDE^EI~${national}`, 'Okafor^Chidi'))
    expect(await exchange.send('ORU^R01', ...result('F1', byNational))).toBe(0)
    expect(exchange.numbers()).toEqual([['2001', '1112223334', '2001', '77', '77']])
  })

  it('is not somebody else of the same file who has one of their numbers', async () => {
    const exchange = new Exchange()
    await exchange.send('MFN^M02', ...staff('2001', '2001^^^CENTRAL^EI~HOUSE-1^^^CENTRAL^DEA', 'Okafor^Chidi'))
    await exchange.send('MFN^M02', ...staff('2002', '2002^^^CENTRAL^EI~HOUSE-1^^^CENTRAL^DEA', 'Mensah^Kofi'))
    expect(exchange.people()).toMatchObject([{ name: [{ family: 'Okafor' }] }, { name: [{ family: 'Mensah' }] }])
  })

  it('and was entered twice is one of both, the one in use and of whom most is known, with a warning', async () => {
    const exchange = new Exchange()
    const system = 'urn:oid:1.2.840.99'
    const npi = { system, value: '1112223334' }
    await exchange.enter({ id: 'a-little', identifier: [npi] })
    await exchange.enter({ id: 'b-most', identifier: [npi, { system: 'urn:oid:1.2.3', value: '2001' }] })
    await exchange.enter({ id: 'c-gone', active: false, identifier: [npi, { system: 'x', value: '1' }, npi] })
    expect(await exchange.send('ORU^R01', ...result('F1', byNational))).toBe(1)
    expect(await exchange.send('MFN^M02', ...staff('2001', national, 'Okafor^Chidi'))).toBe(1)
    expect(exchange.people().map(({ id, name }) => [id, name?.[0]?.family])).toEqual([
      ['a-little', undefined],
      ['b-most', 'Okafor'],
      ['c-gone', undefined],
    ])
  })

  it('stays who they are where another number of theirs is that of two others', async () => {
    const exchange = new Exchange()
    await exchange.enter({ id: 'one', identifier: [{ system: 'urn:oid:1.2.3', value: '2001' }] })
    await exchange.enter({ id: 'two', identifier: [{ system: 'urn:oid:1.2.840.99', value: '1112223334' }] })
    expect(await exchange.send('MFN^M02', ...staff('2001', `2001^^^&1.2.3&ISO~${national}`, 'Okafor^Chidi'))).toBe(1)
    expect(exchange.numbers()).toEqual([['2001', '2001'], ['1112223334']])
  })
})
