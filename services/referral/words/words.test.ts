import { expect, it } from 'vitest'
import { catalogueFaults } from '../../../packages/views/words/testing/catalogue-faults.ts'
import { catalogues } from './words.ts'

// In French these are spelt as in English.
const alike = ['shares_AllergyIntolerance', 'shares_Immunization', 'shares_DocumentReference', 'note']

it('says everything in five languages, with the same values in it', () => {
  expect(catalogueFaults(catalogues, alike)).toEqual([])
})
