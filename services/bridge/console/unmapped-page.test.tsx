import { expect, it } from 'vitest'
import { renderPage } from '../../../packages/views/render.ts'
import type { UnmappedCodeRow } from '../store/unmapped-codes.ts'
import { attack, frameModel, isText } from './testing/transaction-frame.ts'
import { OneCodePage, UnmappedPage, type OneCodeModel, type UnmappedModel } from './unmapped-page.tsx'

const at = new Date('2026-03-04T10:15:00Z')
const row: UnmappedCodeRow = {
  ...{
    id: '0190',
    sending_application: 'LAB',
    sending_facility: 'CENTRAL',
    target: 'http://loinc.org',
    system: 'urn:x',
  },
  ...{ code: 'GLU', display: 'Glucose', path: 'OBX-3', uses: '1200', first_seen_at: at, last_seen_at: at },
  ...{ mapped_code: null, mapped_display: null, mapped_at: null, mapped_by: null },
}

const shown = (changes: Partial<UnmappedModel> = {}): string => {
  const page = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
  return renderPage(<UnmappedPage model={{ ...frameModel, status: 'open', rows: [row], page, ...changes }} />)
}

it('asks of each open code what it means', () => {
  expect(shown()).toContain('1,200 times')
  expect(shown()).toContain('action="/console/codes/0190/map"')
  expect(shown(), 'which of twenty').toContain('aria-label="Map it: GLU of CENTRAL"')
})

it.each([
  [0, 0, 'No message had to be run again.'],
  [1, 0, '1 message was run again with it.'],
  [7, 0, '7 messages were run again with it.'],
  [1_000, 1_500, '1,000 of 2,500 messages were run again with it so far; the others follow, the oldest first.'],
])('says that %i messages were run again, and that %i follow', (rerun, following, words) => {
  expect(shown({ done: { code: 'GLU', mappedCode: '15074-8', rerun, following } })).toContain(words)
})

const mapped = { ...row, mapped_code: '15074-8', mapped_display: 'Glucose', mapped_at: at, mapped_by: 'admin' }

it('shows what was mapped, by whom, and where it is changed', () => {
  const page = shown({ status: 'mapped', rows: [mapped] })
  expect(page).toContain('15074-8')
  expect(page).toContain('href="/console/codes/0190"')
})

const alone = (changes: Partial<OneCodeModel> = {}): string =>
  renderPage(<OneCodePage model={{ ...frameModel, row, ...changes }} />)

it('changes what is mapped by naming what it replaces', () => {
  expect(alone({ row: mapped })).toContain('<input type="hidden" name="replaces" value="15074-8"')
  expect(alone({ row: mapped })).toContain('Change it')
  expect(alone()).not.toContain('replaces')
})

it('shows again what was written, with what is wrong about it', () => {
  const page = alone({ given: { code: 'glucose', display: 'Sugar', error: 'must be a LOINC code' } })
  for (const words of ['value="glucose"', 'value="Sugar"', 'It must be a LOINC code.']) expect(page).toContain(words)
})

it.each([
  ['open', 'Every code is known'],
  ['mapped', 'Nothing was mapped here yet'],
] as const)('says so when none is %s', (status, words) => {
  expect(shown({ status, rows: [] })).toContain(words)
})

it('shows codes and senders as text', () => {
  const odd = { code: attack, display: attack, path: attack, target: attack, sending_application: attack }
  const done = { code: attack, mappedCode: attack, rerun: 1, following: 0 }
  expect(isText(shown({ rows: [{ ...row, ...odd, sending_facility: attack }], done }))).toBe(true)
  const given = { code: attack, display: attack, error: attack }
  expect(isText(alone({ row: { ...mapped, ...odd, mapped_code: attack }, given }))).toBe(true)
})
