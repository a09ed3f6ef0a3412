import { describe, expect, it } from 'vitest'
import { seededIds, seededRandom } from '../clock/ids.ts'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { adtA01, adtA08, oruR01, vxuV04 } from './hl7-messages.ts'

function makeDeps() {
  const clock = new SimulatedClock('2026-05-04T03:02:01Z')
  return { clock, ids: seededIds(seededRandom(1), clock) }
}

const segmentsOf = (message: string) => message.split('\r').map((segment) => segment.split('|'))

describe.each([
  ['ADT^A01^ADT_A01', adtA01, ['MSH', 'EVN', 'PID', 'PV1', '']],
  ['ADT^A08^ADT_A01', adtA08, ['MSH', 'EVN', 'PID', 'PV1', '']],
  ['ORU^R01^ORU_R01', oruR01, ['MSH', 'PID', 'PV1', 'OBR', 'OBX', '']],
  ['VXU^V04^VXU_V04', vxuV04, ['MSH', 'PID', 'ORC', 'RXA', '']],
])('%s', (type, build, names) => {
  it('has its segments, each ended by CR', () => {
    const segments = segmentsOf(build({}, makeDeps()))
    expect(segments.map(([name]) => name)).toEqual(names)
    expect(segments[0]?.[8]).toBe(type)
    expect(segments[0]?.[6]).toBe('20260504030201+0000')
  })

  it('has its own control id of at most twenty signs, every time', () => {
    const deps = makeDeps()
    const controlIds = Array.from({ length: 100 }, () => segmentsOf(build({}, deps))[0]?.[9] ?? '')
    expect(new Set(controlIds).size).toBe(100)
    for (const controlId of controlIds) expect(controlId).toMatch(/^[0-9A-F]{20}$/)
  })

  it('says what the test wants it to say', () => {
    const fields = { controlId: 'C1', sendingFacility: 'LAKESIDE', familyName: "O'Neil\\T\\Sons", more: ['ZZZ|1'] }
    const segments = segmentsOf(build(fields, makeDeps()))
    expect(segments[0]).toMatchObject({ 3: 'LAKESIDE', 9: 'C1' })
    expect(segments.find(([name]) => name === 'PID')?.[5]).toBe("O'Neil\\T\\Sons^Ngozi")
    expect(segments.at(-2)).toEqual(['ZZZ', '1'])
  })
})

it('puts every field at its place', () => {
  const deps = makeDeps()
  const results = [{ code: '8867-4', name: 'Heart rate', value: '72', unit: '/min' }]
  const [, pid, pv1, obr, obx] = segmentsOf(
    oruR01({ patientId: '7', visitNumber: 'V7', orderNumber: 'O7', results }, deps),
  )
  expect(pid).toMatchObject({ 3: '7^^^CENTRAL^MR', 7: '19840317', 8: 'F', 13: '+234805550147' })
  expect(pv1).toMatchObject({ 2: 'I', 19: 'V7' })
  expect(obr).toMatchObject({ 2: 'O7', 7: '20260504030201+0000', 22: '20260504030201+0000', 25: 'F' })
  expect(obx).toMatchObject({
    2: 'NM',
    3: '8867-4^Heart rate^LN',
    5: '72',
    6: '/min',
    11: 'F',
    14: '20260504030201+0000',
  })
  const rxa = segmentsOf(vxuV04({ lotNumber: 'LOT' }, deps))[3]
  expect(rxa).toMatchObject({ 3: '20260504', 5: '03^MMR^CVX', 15: 'LOT', 20: 'CP' })
})
