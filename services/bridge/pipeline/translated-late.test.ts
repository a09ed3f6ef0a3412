import { expect, it } from 'vitest'
import type { DiagnosticReport, Observation } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { loinc } from '../mapping/terms.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const systolic = (value: string, status: string) => `OBX|1|NM|SYS^Systolic^WARD||${value}|mm[Hg]|||||${status}`
const diastolic = (value: string, status: string) => `OBX|2|NM|DIA^Diastolic^WARD||${value}|mm[Hg]|||||${status}`

/** Reports of one number, one after the other, from a ward that has its own codes for a blood pressure. */
async function after(...reports: readonly (readonly string[])[]) {
  const world = new StagesWorld({ SYS: `${loinc}|8480-6`, DIA: `${loinc}|8462-4` })
  const obr = segment('OBR', { 3: 'F-1^WARD', 4: 'VITALS^Vital signs^WARD', 7: '20260304060000', 25: 'F' })
  for (const results of reports) {
    expect(await world.send('oru', 'ORU^R01', obr, ...results)).toMatchObject({ status: 'SUCCESS' })
  }
  return world
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

it('the store is asked once more only where a translation has shown what a result is', async () => {
  const world = await after([systolic('240', 'F'), diastolic('80', 'F')])
  expect(world.finds).toBe(2)
  const plain = await after(['OBX|1|NM|HR^Heart rate^WARD||80|/min|||||F'])
  expect(plain.finds).toBe(1)
})
