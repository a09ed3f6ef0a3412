import { expect, it } from 'vitest'
import { catalogueFaults } from '../../../packages/views/words/testing/catalogue-faults.ts'
import { catalogues, wordsOf } from './words.ts'

/** Words that are spelt alike in some of the languages. */
const alikeByRight = ['totalVaccinations', 'appName', 'date', 'doseHeading', 'dose', 'lot', 'codes', 'codeOf', 'source']

it('says everything in five languages, with the same values in it', () => {
  expect(catalogueFaults(catalogues, alikeByRight)).toEqual([])
})

it('has the number in the form of the language', () => {
  expect(wordsOf('ar').count('overdueAlert', 2)).toBe('لقاحان متأخران')
  expect(wordsOf('en').count('overdueAlert', 1)).toBe('1 vaccine is overdue')
  expect(wordsOf('fr').count('overdueAlert', 0)).toBe('0 vaccin est en retard')
})
