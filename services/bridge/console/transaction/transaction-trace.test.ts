import { describe, expect, it } from 'vitest'
import { parseMessage } from '../../../../packages/hl7/index.ts'
import { mapMessage } from '../../mapping/map-message.ts'
import { testContext } from '../../mapping/testing/context.ts'
import { elementsOf } from './transaction-elements.ts'
import { traceFields } from './transaction-trace.ts'

/** What each field became, as `Type.path`. */
async function traced(...segments: readonly string[]): Promise<(segment: number, field: number) => readonly string[]> {
  const message = parseMessage(Buffer.from(segments.join('\r')))
  const mapped = mapMessage(message, testContext())
  if (mapped.refused !== undefined) throw new Error('The message should be mapped.')
  const names = new Map(
    mapped.writes.flatMap((write, at) =>
      elementsOf(write, at).map(
        ({ id, path, value }) => [id, `${write.resource.resourceType}.${path} ${value}`] as const,
      ),
    ),
  )
  const trace = await traceFields(message, mapped, (changed) => mapMessage(changed, testContext()))
  return (segment, field) => (trace.get(`${segment}-${field}`) ?? []).map((id) => names.get(id) ?? '')
}

const header = (type: string) => `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304091500+0400||${type}|C1|P|2.5.1`

describe('what a field of an admission became', async () => {
  const became = await traced(
    header('ADT^A01^ADT_A01'),
    'EVN|A01|20260304091500+0400',
    'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F|||12 Rose Street^^Curepipe',
    'PV1|1|I|WARD^2^^CENTRAL',
  )

  it.each([
    ['the name', 2, 5, ['Patient.name[0].family RAMGOOLAM', 'Patient.name[0].given[0] Amina']],
    ['the day of birth', 2, 7, ['Patient.birthDate 1980-01-15']],
    ['the sex', 2, 8, ['Patient.gender female']],
    ['the number of a line', 2, 1, []],
  ])('%s', (_what, segment, field, elements) => {
    expect(became(segment, field)).toEqual(elements)
  })

  it('finds the number of a patient in the identifier, and not in what refers to the patient', () => {
    expect(became(2, 3)).toContain('Patient.identifier[0].value 4711')
    expect(became(2, 3).filter((element) => element.includes('subject.reference'))).toEqual([])
  })

  it('finds the class of a visit in the visit', () => {
    expect(became(3, 2)).toContainEqual(expect.stringMatching(/^Encounter\.class/))
  })
})

it('tells two results apart', async () => {
  const became = await traced(
    header('ORU^R01^ORU_R01'),
    'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina',
    'OBR|1|P-1|F-1|58410-2^CBC panel^LN|||20260304080000+0400',
    'OBX|1|NM|718-7^Hemoglobin^LN||13.2|g/dL|||||F',
    'OBX|2|NM|2345-7^Glucose^LN||5.4|mmol/L|||||F',
  )
  expect(became(3, 5)).toEqual(['Observation.valueQuantity.value 13.2'])
  expect(became(4, 5)).toEqual(['Observation.valueQuantity.value 5.4'])
})

describe('a message with an attachment', () => {
  const withAttachment = (bytes: number) =>
    [
      header('MDM^T02^MDM_T02'),
      'EVN|T02|20260304091500+0400',
      'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F',
      'PV1|1|I|WARD^2^^CENTRAL',
      'TXA|1|CN|AP|20260304091500||||||||DOC1^HIS|||||AU',
      `OBX|1|ED|11502-2^Report^LN||^application^pdf^Base64^${'QUJD'.repeat(bytes / 4)}||||||F`,
    ].join('\r')

  it.each([
    ['2 KB', 2_000, { atLeast: 30, atMost: 100 }],
    ['400 KB', 400_000, { atLeast: 5, atMost: 20 }],
    ['12 MB', 12_000_000, { atLeast: 0, atMost: 1 }],
  ])('of %s is mapped so often that the work stays the same', async (_size, bytes, { atLeast, atMost }) => {
    const times = await timesMapped(withAttachment(bytes))
    expect(times).toBeGreaterThanOrEqual(atLeast)
    expect(times).toBeLessThanOrEqual(atMost)
  })

  it('leaves everybody else his turn between two mappings', async () => {
    let turns = 0
    let waiting = setImmediate(function next() {
      turns++
      waiting = setImmediate(next)
    })
    const times = await timesMapped(withAttachment(2_000))
    clearImmediate(waiting)
    expect(turns).toBeGreaterThanOrEqual(times - 1)
  })

  it.each([
    ['with fields without end', '|a'],
    ['of separators alone', '|'],
  ])('is not mapped for each field of a segment %s', async (_what, field) => {
    const times = await timesMapped(`${withAttachment(4)}\rZZZ${field.repeat(200_000)}`)
    expect(times).toBeLessThan(50)
  })

  async function timesMapped(text: string): Promise<number> {
    const message = parseMessage(Buffer.from(text))
    const mapped = mapMessage(message, testContext())
    if (mapped.refused !== undefined) throw new Error('The message should be mapped.')
    let times = 0
    await traceFields(message, mapped, () => {
      times++
      return mapped
    })
    return times
  }
})

describe('a segment whose name is none', () => {
  it.each(['ZPIX|1|x', 'Z|1|x', 'ZP|1|x', '1AB|1|x'])('keeps no other field from being told: %s', async (line) => {
    const message = parseMessage(`${header('ADT^A01^ADT_A01')}\rPID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina\r${line}\r`)
    const mapped = mapMessage(message, testContext())
    if (mapped.refused !== undefined) throw new Error('The message should be mapped.')
    const work = () => traceFields(message, mapped, (changed) => mapMessage(changed, testContext()))
    const trace = await Promise.resolve().then(work)
    expect([...trace.keys()]).toContain('1-5')
    expect([...trace.keys()].filter((place) => place.startsWith('2-'))).toEqual([])
  })
})
