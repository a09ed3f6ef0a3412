import { expect, it } from 'vitest'
import { renderPage } from '../../../../packages/views/render.ts'
import { SearchPage, type SearchModel } from './search-page.tsx'
import { attack, frameModel, isText } from '../testing/transaction-frame.ts'
import { transactionRow } from '../testing/transaction-row.ts'

const shown = (
  changes: Partial<NonNullable<SearchModel['found']>> & Pick<Partial<SearchModel>, 'words'> = {},
): string => {
  const { words = {}, ...rest } = changes
  const page = { number: 0, size: 20, totalElements: 0, totalPages: 0 }
  const found = { rows: [], page, isCut: false, ...rest }
  return renderPage(<SearchPage model={{ ...frameModel, words, found }} />)
}

it('says what to do when nothing is found', () => {
  expect(shown()).toContain('No message is like that')
})

it.each([
  [1, 1, false, '1 message'],
  [45, 3, false, '45 messages'],
  [10_000, 500, true, 'More than 10,000 messages'],
])('of %i says how many there are', (totalElements, totalPages, isCut, words) => {
  const page = { number: 0, size: 20, totalElements, totalPages }
  expect(shown({ rows: [transactionRow()], page, isCut })).toContain(words)
})

it('keeps what was searched for when it pages', () => {
  const page = { number: 1, size: 20, totalElements: 45, totalPages: 3 }
  const html = shown({ rows: [transactionRow()], page, words: { facilityCode: 'CENTRAL', status: 'ERROR' } })
  expect(html).toContain('href="/console/messages?facilityCode=CENTRAL&amp;status=ERROR&amp;page=2"')
})

it('sends dead letters that were found through once more, and nothing else', () => {
  const page = { number: 0, size: 20, totalElements: 45, totalPages: 3 }
  const found = (words: SearchModel['words']) => shown({ rows: [transactionRow()], page, words })
  const html = found({ status: 'DEAD', from: '2026-03-04', messageType: 'ADT' })
  expect(html).toContain('action="/console/dead-letters/retry"')
  expect(html).toContain('name="search" value="status=DEAD&amp;from=2026-03-04&amp;messageType=ADT"')
  expect(html).toContain('aria-label="Retry 45 dead letters"')
  for (const words of [{}, { status: 'ERROR' }, { status: 'DEAD', q: 'DIALLO' }]) {
    expect(found(words)).not.toContain('/console/dead-letters/retry')
  }
})

it('shows what came from messages, and what was typed, as text', () => {
  const words = { q: attack, controlId: attack, patientId: attack, facilityCode: attack, messageType: attack }
  const said = { message_type: attack, control_id: attack, facility_code: attack, patient: attack, error_code: attack }
  expect(isText(shown({ words, rows: [transactionRow({ ...said, id: attack })] }))).toBe(true)
})

it('stays small with a full page of rows', () => {
  const rows = Array.from({ length: 100 }, () => transactionRow({ control_id: 'A'.repeat(60) }))
  expect(shown({ rows }).length).toBeLessThan(80_000)
})

it('keeps the form, with what was typed, and says at the field what is wrong', () => {
  const words = { q: 'ab', controlId: 'C1', from: '2026-13-45' }
  const faults = { from: 'No day.', q: 'Too short.' }
  const html = renderPage(<SearchPage model={{ ...frameModel, words, faults }} />)
  expect(html).toContain('This search cannot be carried out')
  expect(html).toMatch(/#field-q">Text in the message<.*#field-from">From day \(UTC\)<\/a>: No day./)
  expect(html).toContain('<p class="error" id="field-q-error">Too short.</p>')
  expect(html).toContain('<p class="error" id="field-from-error">No day.</p>')
  expect(html).toContain('value="C1"')
  expect(html).not.toContain('0 messages')
})

it('shows a dash where nobody has said from where a message is', () => {
  expect(shown({ rows: [transactionRow({ facility_code: null, sending_facility: '' })] })).toContain('<bdi>–</bdi>')
})

it('says in which zone a day begins', () => {
  expect(shown()).toContain('From day (UTC)')
})

it('says of a text how far back it was looked for', () => {
  expect(shown({ words: { q: 'DIALLO' } })).toContain('the newest 50,000 messages of these days')
  expect(shown({ words: { controlId: 'C1' } })).not.toContain('newest 50,000')
})
