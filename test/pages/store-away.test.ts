import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { pass, refuse } from '../../packages/testkit/fault-modes.ts'
import { startFaultProxy, type FaultProxy } from '../../packages/testkit/fault-proxy.ts'
import { freePort } from '../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { lookFaults } from './page-faults.ts'
import { signedIn } from './signed-in.ts'

let corridor: TestCorridor
let store: FaultProxy
let browser: TestBrowser

beforeAll(async () => {
  const port = await freePort()
  store = await startFaultProxy({ port })
  corridor = await testCorridor({
    ...{ services: ['auth', 'fhir', 'consent', 'referral'], apart: true },
    settings: { 'fhir.port': String(port), 'fhir.url': `${store.url}/fhir`, 'outbound.deadlineMs': '1000' },
  })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
  await store?.[Symbol.asyncDispose]()
})

const open = (service: 'consent' | 'referral', path: string, user: string) =>
  signedIn(`${corridor.url(service)}${path}`, user, { browser, expectedErrors: [/status of 502/] })

describe('while the FHIR store is away', () => {
  it('a form that needs it comes back with all that was typed, and goes through afterwards', async () => {
    const consent = await open('consent', '/patients/amina-diallo/new', 'clinician')
    await consent.getByLabel('Vaccinations').check()
    await consent.getByLabel('Visits').check()
    await consent.getByLabel('Note').fill('Said "yes"\non the telephone')
    const referral = await open('referral', '/new?patient=amina-diallo', 'clinician')
    await referral.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
    await referral.getByLabel('What is asked').fill('   ')
    await referral.getByRole('textbox', { name: /^Note/ }).fill('Two\nlines')
    await store.set(refuse)
    await consent.getByRole('button', { name: 'See what it changes' }).click()
    await referral.getByRole('button', { name: 'Keep as draft' }).click()
    for (const page of [consent, referral]) await page.getByText('What you wrote is not lost').waitFor()
    expect(await lookFaults(consent, 'form-kept')).toEqual([])
    await store.set(pass)
    for (const page of [consent, referral]) await page.getByRole('button', { name: 'Send it again' }).click()
    await consent.getByRole('heading', { name: 'What it changes' }).waitFor()
    await consent.getByRole('button', { name: 'Change it' }).click()
    expect(await consent.getByLabel('Note').inputValue()).toBe('Said "yes"\non the telephone')
    expect(await consent.getByLabel('Visits').isChecked()).toBe(true)
    await consent.getByRole('button', { name: 'See what it changes' }).click()
    await consent.getByRole('button', { name: 'Keep it' }).click()
    await consent.waitForURL('**?kept=*')
    await referral.getByText('Something is missing').waitFor()
    expect(await referral.getByRole('textbox', { name: /^Note/ }).inputValue()).toBe('Two\nlines')
    await Promise.all([consent, referral].map((page) => page.close()))
  })

  it('staff and patients read what does not need it, and are told why it names nobody', async () => {
    const draft = await open('referral', '/new?patient=amina-diallo', 'clinician')
    await draft.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
    await draft.getByLabel('What is asked').fill('Cardiology')
    await draft.getByRole('button', { name: 'Keep as draft' }).click()
    await draft.waitForURL('**/referrals/*')
    const at = new URL(draft.url()).pathname
    await draft.getByRole('button', { name: 'Send' }).click()
    await draft.getByText('The referral is sent.').waitFor()
    await draft.close()
    const baraka = await open('referral', '/', 'clinician2')
    const admin = await open('consent', '/patients/kofi-mensah', 'admin')
    const amina = await open('referral', '/', 'patient')
    const kofis = await admin.locator('a[href$="/revoke"]').first().getAttribute('href')
    await store.set(refuse)
    try {
      const patient = /Patient\/amina-diallo/
      await reads(baraka, `${corridor.url('referral')}/`, /Patient\/amina-diallo[^]*Organization\/central-hospital/)
      await reads(baraka, `${corridor.url('referral')}/patients/amina-diallo`, patient)
      await reads(baraka, `${corridor.url('referral')}${at}`, patient)
      await baraka.getByRole('button', { name: 'Mark as received' }).click()
      await baraka.getByText('The work is marked as received.').waitFor()
      expect(await lookFaults(baraka, 'names-away')).toEqual([])
      await reads(admin, `${corridor.url('consent')}/patients/kofi-mensah`, /Patient\/kofi-mensah[^]*What counts/)
      await reads(admin, `${corridor.url('consent')}/admin/records`, /Organization\/central-hospital/)
      await reads(admin, `${corridor.url('consent')}/admin`, /kofi-mensah/)
      await reads(admin, `${corridor.url('consent')}${kofis}`, /Patient\/kofi-mensah[^]*Revoke it/)
      for (const [service, path] of [
        ['referral', '/'],
        ['referral', at],
        ['consent', '/'],
      ] as const) {
        const answer = await amina.goto(`${corridor.url(service)}${path}?lang=fr`)
        expect([answer?.status(), await amina.textContent('.alert')]).toEqual([
          200,
          expect.stringContaining('Les noms'),
        ])
      }
      const missing = await baraka.goto(`${corridor.url('referral')}/new?patient=amina-diallo`)
      expect(missing?.status()).toBe(502)
      await store.set(pass)
      await baraka.getByRole('link', { name: 'Try again' }).click()
      await baraka.getByLabel('What is asked').waitFor()
      await reads(admin, `${corridor.url('consent')}/admin`, /Adisa Bello\s+admin[^]*Kofi Mensah\s+kofi-mensah/, 0)
    } finally {
      await store.set(pass)
    }
    await Promise.all([baraka, admin, amina].map((page) => page.close()))
  })
})

async function reads(page: Page, address: string, said: RegExp, warnings = 1): Promise<void> {
  const answer = await page.goto(address)
  expect([address, answer?.status()]).toEqual([address, 200])
  expect(await page.innerText('body')).toMatch(said)
  expect(await page.getByText('The names cannot be shown at the moment').count()).toBe(warnings)
}
