import { expect, it } from 'vitest'
import { isFhirId } from './fhir-id.ts'

it.each(['a', '0', 'Amina-1.2', '.', 'x'.repeat(64)])('%j is an id', (text) => {
  expect(isFhirId(text)).toBe(true)
})

it.each(['', 'a b', 'a_b', 'a/b', 'ä', 'a\n', 'a\u0000', '%61', 'x'.repeat(65)])('%j is none', (text) => {
  expect(isFhirId(text)).toBe(false)
})
