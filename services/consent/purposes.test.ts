import { describe, expect, it } from 'vitest'
import { openPackage } from '../../packages/fhir/compile/package-folder.ts'
import type { CodeSystemConcept } from '../../packages/fhir/r4.ts'
import { isKindOf, isPurposeOfHl7, purposeCode, purposePattern } from './purposes.ts'

describe('a purpose of use', () => {
  it.each([
    ['TREATMENT', 'TREAT'],
    ['treatment', 'TREAT'],
    ['EMERGENCY', 'ETREAT'],
    ['RESEARCH', 'HRESCH'],
    ['PUBLIC-HEALTH', 'PUBHLTH'],
    ['public_health', 'PUBHLTH'],
    ['PAYMENT', 'HPAYMT'],
    ['OPERATIONS', 'HOPERAT'],
    ['BREAK_GLASS', 'BTG'],
    ['TREAT', 'TREAT'],
    ['x_local_y', 'X-LOCAL-Y'],
  ])('%s has the code %s', (word, code) => {
    expect(purposeCode(word)).toBe(code)
  })

  it.each([
    ['T', true],
    ['TREAT', true],
    ['urn:x.y_z-1', true],
    ['A'.repeat(64), true],
    ['A'.repeat(65), false],
    ['', false],
    [' TREAT', false],
    ['TREAT!', false],
    ['TREAT\n', false],
  ])('%j can be one: %s', (text, expected) => {
    expect(purposePattern.test(text)).toBe(expected)
  })

  it('is a kind of the ones that it is below in the code system of R4, but for emergencies', () => {
    const { concept = [] } = openPackage().read('CodeSystem', 'v3-ActReason')
    const root = find(concept, 'PurposeOfUse')
    const lines = linesIn(root?.concept ?? [], [])
    const codes = lines.map(([code]) => code)
    expect(codes).toHaveLength(59)
    expect(codes.filter(isPurposeOfHl7)).toEqual(codes)
    // People are asked about these by themselves.
    const apart: Readonly<Record<string, string>> = { ETREAT: 'TREAT', ERTREAT: 'TREAT', BTG: 'TREAT ETREAT' }
    for (const [code, above] of lines) {
      const of = [code, ...above].filter((one) => !apart[code]?.split(' ').includes(one))
      expect([code, codes.filter((purpose) => isKindOf(code, purpose)).sort()]).toEqual([code, of.sort()])
    }
  })

  it.each(['X-LOCAL', 'HRESC', '', 'constructor'])('%j is none of HL7’s, and a kind of itself alone', (code) => {
    expect([isPurposeOfHl7(code), isKindOf(code, code), isKindOf(code, 'HRESCH')]).toEqual([false, true, false])
  })
})

function find(concepts: readonly CodeSystemConcept[], wanted: string): CodeSystemConcept | undefined {
  for (const one of concepts) {
    const found = one.code === wanted ? one : find(one.concept ?? [], wanted)
    if (found !== undefined) return found
  }
  return undefined
}

/** Every code with those that it is below. */
const linesIn = (concepts: readonly CodeSystemConcept[], above: readonly string[]): [string, readonly string[]][] =>
  concepts.flatMap(({ code, concept = [] }) => [[code, above], ...linesIn(concept, [code, ...above])])
