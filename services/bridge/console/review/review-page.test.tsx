import { expect, it } from 'vitest'
import { renderPage } from '../../../../packages/views/render.ts'
import type { PatientReview } from '../../../../ports/patient-index/patient-reviews.ts'
import { ReviewPage, type ReviewModel } from './review-page.tsx'
import { attack, frameModel, isText } from '../testing/transaction-frame.ts'

const review: PatientReview = {
  ...{ id: '0190', goldenId: 'g1', candidateGoldenId: 'g2', candidatePatientId: 'p2', score: 0.99999 },
  ...{ grade: 'probable', comparisons: [] },
}

const people = [
  { id: 'p1', name: 'Awa Ali' },
  { id: 'p2', name: 'Ama Ali' },
] as const

const shown = (changes: Partial<ReviewModel> = {}): string => {
  const page = { number: 0, size: 10, totalElements: 1, totalPages: 1 }
  return renderPage(<ReviewPage model={{ ...frameModel, pairs: [], page, ...changes }} />)
}

it('marks what differs, and never says that two records are wholly alike', () => {
  const rows = [{ label: 'Name', one: 'Awa', other: 'Ama', is: 'differs' }] as const
  const html = shown({ pairs: [{ review, rows, people, isHalf: false }] })
  expect(html).toContain('<td class="differs"><bdi>Awa</bdi></td>')
  expect(html).toContain('99.9 % alike')
})

it('merges nobody at once: it asks who is meant, with a way to answer that needs no script', () => {
  const page = { number: 3, size: 10, totalElements: 31, totalPages: 4 }
  const html = shown({ pairs: [{ review, rows: [], people, isHalf: false }], page })
  expect(html).toContain('type="button" data-opens="merge-0190" aria-label="One person: Awa Ali and Ama Ali"')
  expect(html).toContain('aria-label="Two people: Awa Ali and Ama Ali"')
  const [dialog = ''] = /<dialog id="merge-0190".*?<\/dialog>/s.exec(html) ?? []
  expect(dialog).toContain('<bdi>Awa Ali</bdi> and <bdi>Ama Ali</bdi>')
  const [plain = ''] = /<noscript>.*?<\/noscript>/s.exec(html) ?? []
  for (const asked of [dialog, plain]) {
    expect(asked).toContain('action="/console/review/0190/confirm"')
    expect(asked, 'the reader stays on their page').toContain('name="page" value="3"')
    expect(asked).toContain('name="one" value="p1"')
  }
  expect(html.match(/0190\/confirm/g), 'there is no other way').toHaveLength(2)
})

it('tells its pairs apart, also those of the same names', () => {
  const pair = { review, rows: [], people, isHalf: false } as const
  const html = shown({ pairs: [pair, { ...pair, review: { ...review, id: '0191' } }] })
  expect(html).toContain('aria-label="Pair 1: Awa Ali and Ama Ali"')
  expect(html).toContain('aria-label="Pair 2: Awa Ali and Ama Ali"')
})

it('asks for no decision about a record that nobody can see', () => {
  const rows = [{ label: 'Name', one: '–', other: 'Ama', is: 'unknown' }] as const
  const html = shown({ pairs: [{ review, rows, people, isHalf: true }] })
  expect(html).toContain('One of the two records cannot be seen')
  expect(html).not.toContain('action="/console/review')
})

it.each([
  ['confirm', 'are one person now; the two records are merged'],
  ['reject', 'stay two people'],
] as const)('says what came of %s', (decision, words) => {
  const names = ['Awa', 'Ama'] as const
  expect(shown({ decided: { decision, names } })).toContain(`<bdi>Awa</bdi> and <bdi>Ama</bdi> ${words}`)
})

it('says so when nobody waits', () => {
  expect(shown()).toContain('Nobody waits for a decision')
})

it('shows names as text', () => {
  const rows = [{ label: 'Name', one: attack, other: attack, is: 'agrees' }] as const
  const person = { id: 'p1', name: attack }
  expect(isText(shown({ pairs: [{ review, rows, people: [person, person], isHalf: false }] }))).toBe(true)
})
