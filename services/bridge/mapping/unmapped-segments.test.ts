import { describe, expect, it } from 'vitest'
import { families } from './families.ts'
import { caseMessages } from './testing/case-files.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segmentsRead } from './unmapped-segments.ts'

const typeOf = (segments: readonly string[]) => segments[0]?.split('|')[8]?.split('^')[0] ?? ''
const nameOf = (segment: string) => segment.slice(0, 3)

const messages = caseMessages().map((text) => text.split(/[\r\n]+/).filter((segment) => segment !== ''))
/** A full example of each segment that the cases have. */
const samples = new Map(messages.flat().map((segment) => [nameOf(segment), segment]))

const mappedFrom = (segments: readonly string[]) => mapInPasses(`${segments.join('\r')}\r`)
const writtenBy = (segments: readonly string[]) => {
  const mapping = mappedFrom(segments)
  return mapping.refused === undefined ? JSON.stringify(mapping.writes) : undefined
}
const keptIn = (segments: readonly string[]) =>
  mappedFrom(segments).warnings.flatMap(({ kind, path }) => (kind === 'kept-segment' ? [path] : []))

describe.each(Object.keys(families))('a segment of %s', (type) => {
  const own = messages.filter((segments) => typeOf(segments) === type)
  const read = segmentsRead[type] ?? new Set<string>()
  const strangers = [...samples].filter(([name]) => name !== 'MSH' && name !== 'EVN' && !read.has(name))

  it('that it does not read changes nothing at the end of a message, and is told of', () => {
    const message = own.find((segments) => writtenBy(segments) !== undefined) ?? []
    const before = writtenBy(message)
    const withAll = strangers.map(([name, sample]) => ({ name, segments: [...message, sample] }))
    const named = (some: typeof withAll) => some.map(({ name }) => name)
    expect(named(withAll.filter(({ segments }) => writtenBy(segments) !== before))).toEqual([])
    expect(named(withAll.filter(({ name, segments }) => keptIn(segments).at(-1)?.startsWith(name) !== true))).toEqual(
      [],
    )
  })

  it('that it reads is not told of', () => {
    for (const segments of own) {
      expect(keptIn(segments).filter((path) => read.has(nameOf(path)))).toEqual([])
    }
  })
})

it('an allergy in a result is told of', () => {
  const result = ['MSH|^~\\&|LAB|CENTRAL|HUB|CORRIDOR|20260304||ORU^R01|C1|P|2.5.1', 'PID|1||7^^^CENTRAL^MR||OBI^ADA']
  const observed = ['OBR|1||F1|718-7^Hb^LN', 'OBX|1|NM|718-7^Hb^LN||13|g/dL|||||F']
  const allergy = 'AL1|1|DA|1191^Aspirin^RXN'
  const { warnings } = mappedFrom([...result, allergy, ...observed])
  expect(warnings).toContainEqual(
    expect.objectContaining({ kind: 'kept-segment', text: expect.stringContaining('not read in ORU') }),
  )
})
