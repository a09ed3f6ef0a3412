import { expect, it } from 'vitest'
import { catalogueFaults } from '../../../packages/views/words/testing/catalogue-faults.ts'
import { catalogues } from './words.ts'

it('says everything in five languages, with the same values in it', () => {
  expect(catalogueFaults(catalogues, ['area'])).toEqual([])
})
