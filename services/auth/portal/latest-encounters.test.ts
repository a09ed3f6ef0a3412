import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Encounter, Patient } from '../../../ports/fhir-store/resources.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'
import type { TestBrowser } from '../testing/test-browser.ts'

let auth: TestAuth
let browser: TestBrowser
beforeAll(async () => {
  auth = await startTestAuth()
  browser = auth.browser()
  await browser.signIn()
})
afterAll(() => auth?.[Symbol.asyncDispose]())
beforeEach(() => {
  auth.fhir.stored.splice(0)
  auth.fhir.requests.splice(0)
})

const patient = (id: string): Patient => ({ resourceType: 'Patient', id, name: [{ family: 'Otieno', given: [id] }] })

/** So many visits of one patient, the last in this year. */
const visits = (id: string, year: number, count: number) =>
  Array.from({ length: count }, (_, at): Encounter => ({
    ...{ resourceType: 'Encounter', id: `${id}-${at}`, status: 'finished', class: { code: 'AMB' } },
    subject: { reference: `Patient/${id}` },
    period: {
      start: `${year}-01-01T00:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}Z`,
    },
  }))

/** The year in the last column, or what stands there. */
async function lastSeen(): Promise<Readonly<Record<string, string>>> {
  const page = await (await browser.get('/portal?search=Otieno')).text()
  const rows = page.split('<tr').map((row) => row.split('</tr>')[0] ?? '')
  return Object.fromEntries(
    rows.flatMap((row) => {
      const id = /\/portal\/patients\/([^"]*)"/.exec(row)?.[1]
      if (id === undefined) return []
      const cell = row.split('<td').at(-1) ?? ''
      return [[id, /datetime="(\d{4})/.exec(cell)?.[1] ?? cell.replaceAll(/^[^>]*>|<[^>]*>/g, '').trim()]]
    }),
  )
}

const searches = () => auth.fhir.requests.filter(({ url }) => url.startsWith('/fhir/Encounter')).length

it('of a patient whose visits are older than a hundred of another one is found, and who had none was not seen yet', async () => {
  auth.fhir.stored.push(patient('often'), patient('long-ago'), patient('never'))
  auth.fhir.stored.push(...visits('often', 2026, 101), ...visits('long-ago', 2019, 1))
  expect(await lastSeen()).toEqual({ often: '2026', 'long-ago': '2019', never: 'not yet' })
  expect(searches()).toBe(2)
})

it('is asked for once where a page holds all', async () => {
  auth.fhir.stored.push(patient('often'), patient('never'), ...visits('often', 2026, 100))
  expect(await lastSeen()).toEqual({ often: '2026', never: 'not yet' })
  expect(searches()).toBe(1)
})

it('is not known after three pages on which somebody is not, and that is what the list says', async () => {
  const busy = ['first', 'second', 'third'].flatMap((id, at) => [patient(id), ...visits(id, 2026 - at, 101)])
  auth.fhir.stored.push(...busy, patient('hidden'), ...visits('hidden', 2001, 1))
  expect(await lastSeen()).toEqual({ first: '2026', second: '2025', third: '2024', hidden: '–' })
  expect(searches()).toBe(3)
})

it('of a visit without a time is not known either', async () => {
  const undated = visits('undated', 2026, 1).map(({ period: _period, ...visit }) => visit)
  auth.fhir.stored.push(patient('undated'), ...undated)
  expect(await lastSeen()).toEqual({ undated: '–' })
})
