import { describe, expect, it } from 'vitest'
import type { DiagnosticReport, Observation } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { loinc } from '../mapping/terms.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const systolic = (value: string, status: string) => `OBX|1|NM|SYS^Systolic^WARD||${value}|mm[Hg]|||||${status}`
const diastolic = (value: string, status: string) => `OBX|2|NM|DIA^Diastolic^WARD||${value}|mm[Hg]|||||${status}`

const meanings = { SYS: `${loinc}|8480-6`, DIA: `${loinc}|8462-4` }

/** Reports of one number, one after the other, from a ward that has its own codes for a blood pressure. */
async function after(...reports: readonly (readonly string[])[]) {
  const world = new StagesWorld(meanings)
  for (const results of reports) await tell(world, ...results)
  return world
}

async function tell(world: StagesWorld, ...results: readonly string[]): Promise<void> {
  const obr = segment('OBR', { 3: 'F-1^WARD', 4: 'VITALS^Vital signs^WARD', 7: '20260304060000', 25: 'F' })
  expect(await world.send('oru', 'ORU^R01', obr, ...results)).toMatchObject({ status: 'SUCCESS' })
}

const shown = ({ status, component = [] }: Observation) =>
  [status, ...component.map(({ valueQuantity }) => valueQuantity?.value)].join(' ')

it('a blood pressure in the codes of a ward is one panel', async () => {
  const world = await after([systolic('240', 'F'), diastolic('80', 'F')])
  expect(world.all<Observation>('Observation').map(shown)).toEqual(['final 240 80'])
})

it.each([
  ['the systolic', [systolic('140', 'C')], 'corrected 140 80'],
  ['the diastolic', [diastolic('90', 'C')], 'corrected 240 90'],
  ['both', [systolic('140', 'C'), diastolic('90', 'C')], 'corrected 140 90'],
])('its correction of %s changes the panel, and nothing stands beside it', async (_what, correction, expected) => {
  const world = await after([systolic('240', 'F'), diastolic('80', 'F')], correction)
  expect(world.all<Observation>('Observation').map(shown)).toEqual([expected])
  const [report] = world.all<DiagnosticReport>('DiagnosticReport')
  expect(report?.result).toHaveLength(1)
})

it('both taken back are an error, and leave the report', async () => {
  const world = await after([systolic('240', 'F'), diastolic('80', 'F')], [systolic('', 'W'), diastolic('', 'W')])
  expect(world.all<Observation>('Observation').map(shown)).toEqual(['entered-in-error 240 80'])
  const [report] = world.all<DiagnosticReport>('DiagnosticReport')
  expect(report?.result).toBeUndefined()
})

describe('halves that are stored as results of their own', () => {
  const held = (world: StagesWorld) => {
    const results = world.all<Observation>('Observation').map((one) => `Observation/${one.id} ${shown(one)}`)
    const [found] = world.all<DiagnosticReport>('DiagnosticReport')
    return found?.result?.map(({ reference = '' }) =>
      results
        .find((one) => one.startsWith(reference))
        ?.split(' ')
        .slice(1),
    )
  }
  const standing = (world: StagesWorld) =>
    world.all<Observation>('Observation').flatMap((one) => (one.status === 'entered-in-error' ? [] : [shown(one)]))

  it('are told in the panel once their codes have a meaning, and the message is run again', async () => {
    const translations: Record<string, string> = {}
    const world = new StagesWorld(translations)
    const both = [systolic('240', 'F'), diastolic('80', 'F')]
    await tell(world, ...both)
    expect(standing(world)).toEqual(['final', 'final'])
    Object.assign(translations, meanings)
    await tell(world, ...both)
    expect(standing(world)).toEqual(['final 240 80'])
    expect(held(world)).toEqual([['final', '240', '80']])
  })

  describe('and have numbers (OBX-21)', () => {
    const numbered = (obx: string, number: string) => `${obx}${'|'.repeat(10)}${number}^WARD`
    const pair = (value: string, status: string) => [
      numbered(systolic(value, status), 'N-1'),
      numbered(diastolic('80', status), 'N-2'),
    ]

    async function mappedLate() {
      const translations: Record<string, string> = {}
      const world = new StagesWorld(translations)
      await tell(world, ...pair('240', 'F'))
      Object.assign(translations, meanings)
      await tell(world, ...pair('240', 'F'))
      return world
    }

    it('are told in the panel, which has their numbers', async () => {
      const world = await mappedLate()
      expect(standing(world)).toEqual(['final 240 80'])
      expect(held(world)).toEqual([['final', '240', '80']])
      await tell(world, ...pair('240', 'F'))
      expect(standing(world)).toEqual(['final 240 80'])
    })

    it('are corrected in the panel', async () => {
      const world = await mappedLate()
      await tell(world, numbered(systolic('140', 'C'), 'N-1'))
      expect(standing(world)).toEqual(['corrected 140 80'])
      await tell(world, ...pair('150', 'C'))
      expect(standing(world)).toEqual(['corrected 150 80'])
    })

    it('stay where they are another patient’s', async () => {
      const bare = (obx: string, number: string) => `${obx}${'|'.repeat(10)}${number}`
      const world = new StagesWorld(meanings)
      await tell(world, bare(systolic('240', 'F'), '1'))
      const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
      const obr = segment('OBR', { 3: 'F-2^WARD', 4: 'VITALS^Vital signs^WARD', 7: '20260304060000', 25: 'F' })
      await world.send('oru', 'ORU^R01', other, obr, bare(systolic('120', 'F'), '1'), bare(diastolic('80', 'F'), '2'))
      expect(standing(world)).toEqual(['final', 'final 120 80'])
    })

    it('are corrected in the panel, where both had the number before', async () => {
      const world = await mappedLate()
      const [half, , panel] = world.all<Observation>('Observation')
      const number = panel?.identifier?.find(({ value }) => value === 'N-1')
      if (half === undefined || number === undefined) throw new Error('the half and the number are stored')
      await world.store.update({ ...half, id: half.id ?? '', status: 'final', identifier: [number] })
      await tell(world, numbered(systolic('140', 'C'), 'N-1'))
      expect(standing(world)).toEqual(['final', 'corrected 140 80'])
      await tell(world, ...pair('150', 'C'))
      expect(standing(world)).toEqual(['corrected 150 80'])
    })
  })

  it('are told in the panel when the other half has come', async () => {
    const world = await after([systolic('120', 'F')], [systolic('120', 'F'), diastolic('80', 'F')])
    expect(standing(world)).toEqual(['final 120 80'])
    expect(held(world)).toEqual([['final', '120', '80']])
  })

  it('stay where they were measured at another time', async () => {
    const at = (time: string, obx: string) => `${obx}|||${time}`
    const [alone, pair] = ['20260304060500', '20260304120000']
    const world = await after(
      [at(alone, systolic('120', 'F'))],
      [at(pair, systolic('130', 'F')), at(pair, diastolic('80', 'F'))],
    )
    expect(standing(world)).toEqual(['final', 'final 130 80'])
    expect(held(world)).toEqual([['final'], ['final', '130', '80']])
  })
})

it('the store is asked once more only where a translation has shown what a result is', async () => {
  const world = await after([systolic('240', 'F'), diastolic('80', 'F')])
  expect(world.finds).toBe(2)
  const plain = await after(['OBX|1|NM|HR^Heart rate^WARD||80|/min|||||F'])
  expect(plain.finds).toBe(1)
})
