import { expect, it } from 'vitest'
import { renderPage } from '../../../packages/views/render.ts'
import type { PatientReview } from '../../../ports/patient-index/patient-reviews.ts'
import { ReviewPage, type ReviewModel } from './review-page.tsx'
import { attack, frameModel, isText } from './testing/transaction-frame.ts'

const review: PatientReview = {
  ...{ id: '0190', goldenId: 'g1', candidateGoldenId: 'g2', candidatePatientId: 'p2', score: 0.99999 },
  ...{ grade: 'probable', comparisons: [] },
}

const shown = (changes: Partial<ReviewModel> = {}): string => {
  const page = { number: 0, size: 10, totalElements: 1, totalPages: 1 }
  return renderPage(<ReviewPage model={{ ...frameModel, pairs: [], page, ...changes }} />)
}

it('marks what differs, and never says that two records are wholly alike', () => {
  const rows = [{ label: 'Name', one: 'Awa', other: 'Ama', is: 'differs' }] as const
  const html = shown({ pairs: [{ review, rows, isHalf: false }] })
  expect(html).toContain('<td class="differs"><bdi>Awa</bdi></td>')
  expect(html).toContain('99.9 % alike')
  expect(html).toContain('action="/console/review/0190/confirm"')
})

it('asks for no decision about a record that nobody can see', () => {
  const rows = [{ label: 'Name', one: '–', other: 'Ama', is: 'unknown' }] as const
  const html = shown({ pairs: [{ review, rows, isHalf: true }] })
  expect(html).toContain('One of the two records cannot be seen')
  expect(html).not.toContain('action="/console/review')
})

it.each([
  ['confirm', 'the two records are merged'],
  ['reject', 'They stay two people'],
] as const)('says what came of %s', (decided, words) => {
  expect(shown({ decided })).toContain(words)
})

it('says so when nobody waits', () => {
  expect(shown()).toContain('Nobody waits for a decision')
})

it('shows names as text', () => {
  const rows = [{ label: 'Name', one: attack, other: attack, is: 'agrees' }] as const
  expect(isText(shown({ pairs: [{ review, rows, isHalf: false }] }))).toBe(true)
})
