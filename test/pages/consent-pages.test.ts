import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  openBrowser,
  openBrowserMsMax,
  type PageOptions,
  type TestBrowser,
} from '../../packages/testkit/browser/browser.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../packages/testkit/tokens.ts'
import { onPaper } from './on-paper.ts'
import { lookFaults, pageFaults } from './page-faults.ts'
import { signedIn } from './signed-in.ts'

let corridor: TestCorridor
let browser: TestBrowser

beforeAll(async () => {
  const settings = { 'consent.enumerationPatientsMax': '3', 'consent.enumerationWindowSeconds': '86400' }
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent'], settings })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

const open = (path: string, user: string, options: PageOptions = {}) =>
  signedIn(`${corridor.url('consent')}${path}`, user, { browser, ...options })

it('lets a privacy officer record and revoke a consent, and see that the answer is now no and why', async () => {
  const page = await open('/', 'admin')
  expect(await pageFaults(page, 'consent-start')).toEqual([])
  await page.getByLabel('Find a patient').fill('Diallo')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/?search=Diallo')
  expect(await lookFaults(page, 'consent-find-patient', 'phone')).toEqual([])
  await page.getByRole('link', { name: /Amina/ }).first().click()
  await page.waitForURL('**/patients/amina-diallo')
  expect(await pageFaults(page, 'consent-nothing-recorded')).toEqual([])

  await page.getByRole('link', { name: 'Record a consent' }).click()
  await page.waitForURL('**/new')
  expect(await pageFaults(page, 'consent-new')).toEqual([])
  await page.getByLabel('Who', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText('Tick at least one kind').first().waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('types')
  expect(await pageFaults(page, 'consent-new-wrong')).toEqual([])
  await page.getByLabel('Results and vital signs').check()
  await page.getByLabel('For which purpose').selectOption({ label: 'Research' })
  await page.getByLabel('Until').fill('2099-03-04')
  await page.getByRole('textbox', { name: /^Note/ }).fill('<img src=x onerror=alert(1)>')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText('will be able to read results and vital signs for research').waitFor()
  expect(await pageFaults(page, 'consent-preview')).toEqual([])
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.waitForURL('**/patients/amina-diallo?kept=*')
  await page.getByText(/may read results and vital signs for research until 4 Mar 2099/).waitFor()
  // As the note, and in the exact record.
  await page.getByText('Exact record').click()
  await expect.poll(() => page.getByText('<img src=x onerror=alert(1)>').count()).toBe(2)
  expect(await pageFaults(page, 'consent-patient')).toEqual([])

  const ask = async () => {
    await page.goto(`${corridor.url('consent')}/ask?patient=amina-diallo`)
    await page.getByLabel('May', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
    await page.getByLabel('For which purpose').selectOption({ label: 'Research' })
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
  }
  await page.goto(`${corridor.url('consent')}/ask?patient=amina-diallo`)
  await page.getByLabel('Through which device or app').fill('not a device !!')
  await page.getByLabel('For which purpose').selectOption({ label: 'Research' })
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('neither has spaces').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('device')
  expect(await page.getByLabel('For which purpose').inputValue()).toBe('HRESCH')
  await ask()
  await page.getByText('Yes, Lakeside Clinic may read results').waitFor()
  await page.waitForLoadState()
  expect(await page.getByRole('cell', { name: 'Fits', exact: true }).count()).toBeGreaterThanOrEqual(5)
  expect(await lookFaults(page, 'consent-answer-yes', 'phone')).toEqual([])

  await page.getByRole('link', { name: 'Consents', exact: true }).last().click()
  await page.getByRole('link', { name: /^Revoke consent/ }).click()
  await page.getByText('will no longer be able to read results and vital signs for research').waitFor()
  expect(await pageFaults(page, 'consent-revoke')).toEqual([])
  const reason = page.getByRole('textbox', { name: /^Reason/ })
  await reason.fill('x'.repeat(257))
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByRole('alert').getByText('Reason: This may have at most 256 characters, and has 257.').waitFor()
  expect(await reason.inputValue()).toBe('x'.repeat(257))
  expect(await page.evaluate('document.activeElement.name')).toBe('reason')
  await reason.fill('She has changed her mind.')
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.waitForURL('**/patients/amina-diallo?revoked=*')
  await page.locator('.pill', { hasText: 'Revoked' }).waitFor()
  expect(await lookFaults(page, 'consent-revoked', 'phone')).toEqual([])

  await ask()
  await page.getByText('No, Lakeside Clinic may not read results').waitFor()
  await page.getByText('It was revoked.').waitFor()
  await page.getByText('Does not fit').first().waitFor()
  expect(await pageFaults(page, 'consent-answer-no')).toEqual([])

  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await page.waitForURL('**/admin')
  await page.getByText('No consent').first().waitFor()
  expect(await pageFaults(page, 'consent-log')).toEqual([])
  const shown = () => page.locator('tbody .pill').allTextContents()
  await page.getByRole('link', { name: 'Changes', exact: true }).click()
  await page.waitForURL('**/admin?kind=changes')
  // Who seeks somebody stays with the kind that was chosen, and the other way round.
  await page.getByRole('searchbox', { name: 'Of a caller, or about a patient' }).fill('Patient/amina-diallo')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin?about=Patient%2Famina-diallo&kind=changes')
  expect(await shown()).toEqual(['Consent revoked', 'Consent recorded'])
  expect(await lookFaults(page, 'consent-log-changes', 'phone')).toEqual([])
  await page.getByRole('link', { name: 'Looks', exact: true }).click()
  await page.waitForURL('**/admin?about=Patient%2Famina-diallo&kind=looks')
  expect(new Set(await shown())).toEqual(new Set(['Consents shown']))
  const chosen = page.getByRole('navigation', { name: 'Which rows' }).locator('[aria-current="page"]')
  expect(await chosen.textContent()).toBe('Looks')
  await page.getByRole('link', { name: 'Records', exact: true }).click()
  await page.waitForURL('**/admin/records')
  await page.getByText('a policy').first().waitFor()
  expect(await pageFaults(page, 'consent-records')).toEqual([])
  await page.close()
}, 300_000)

async function call(method: string, path: string, wish: TokenWish, body?: unknown): Promise<{ readonly id: number }> {
  const response = await fetch(`${corridor.url('consent')}/api/consent${path}`, {
    method,
    headers: { authorization: await corridor.bearerFor(wish), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.ok).toBe(true)
  // Sound: every call of this file answers with a record, or nobody looks.
  return (await response.json()) as { readonly id: number }
}

const clinician: TokenWish = { role: 'CLINICIAN' }
const central = 'Organization/central-hospital'
const payload = '"><script>alert(1)</script>'

it('tells permits and refusals, what counts and what is over apart, and says kindly that a race was lost', async () => {
  const patientId = 'Patient/fatima-alzahra'
  const record = (terms: object, as = clinician) =>
    call('POST', '', as, { patientId, provisionType: 'permit', ...terms })
  const scopeValues = ['patient/Observation.rs', 'patient/DiagnosticReport.rs', 'patient/Immunization.cruds']
  const first = await record({ actorReference: central, scopeValues, purposes: ['TREAT'], periodEnd: '2097-03-04' })
  await record({
    provisionType: 'deny',
    scopeValues: ['patient/Condition.rs'],
    periodStart: '2026-01-01',
    note: payload,
  })
  await record({ actorReference: `Device/${'x'.repeat(60)}`, periodStart: '2020-01-01', periodEnd: '2021-12-31' })
  await record({ actorReference: central, periodStart: '2090-01-01', regulatoryBasis: payload }, { role: 'ADMIN' })
  const over = await record({ purposes: ['HRESCH'] })
  await call('POST', `/${over.id}/revoke?reason=${encodeURIComponent(payload)}`, clinician)

  const page = await open('/patients/fatima-alzahra', 'clinician', { expectedErrors: [/403/] })
  for (const state of ['In force', 'Not yet in force', 'Ended', 'Revoked']) {
    await page
      .locator('.pill', { hasText: new RegExp(`^${state}$`) })
      .first()
      .waitFor()
  }
  expect(await page.locator('.badge', { hasText: 'Refuses' }).count()).toBe(1)
  expect(await pageFaults(page, 'consent-timeline')).toEqual([])

  await page.getByRole('link', { name: `Revoke consent ${first.id}` }).click()
  await call('PUT', `/${first.id}`, clinician, { note: 'changed meanwhile' })
  await page.getByLabel('Reason').fill('She asked for it.')
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByText('Somebody else changed the consents a moment ago').waitFor()
  expect(await page.getByLabel('Reason').inputValue()).toBe('She asked for it.')
  expect(await lookFaults(page, 'consent-lost-race', 'phone')).toEqual([])
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await page.waitForURL(`**/patients/fatima-alzahra?revoked=${first.id}`)

  await page.goto(`${corridor.url('consent')}/ask`)
  await page.getByText('This page is for administrators').waitFor()
  expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual([
    ...['Patients', 'Referrals', 'Consents', 'Critical results', 'Apps with access'],
  ])
  expect(await pageFaults(page, 'consent-no-permission')).toEqual([])
  await page.close()
})

it('changes a consent after showing what turns round, and writes over nobody', async () => {
  const patientId = 'Patient/ngozi-eze'
  const scopeValues = ['patient/Observation.rs']
  const { id } = await call('POST', '', clinician, {
    ...{ patientId, provisionType: 'permit', actorReference: central, scopeValues, purposes: ['HRESCH'] },
    note: payload,
  })
  const detailed = await call('POST', '', clinician, {
    ...{ patientId, provisionType: 'permit', scopeValues: ['patient/Observation.r', 'patient/Condition.cruds'] },
    purposes: ['HPAYMT'],
  })
  const page = await open('/patients/ngozi-eze', 'clinician')
  await page.getByRole('link', { name: `Change consent ${id}` }).click()
  await page.waitForURL('**/change')
  expect(await page.getByLabel('Note').inputValue()).toBe(payload)
  expect(await lookFaults(page, 'consent-change', 'phone')).toEqual([])
  await page.getByLabel('Who', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByLabel('Reports').check()
  await page.getByLabel('Until').fill('2099-03-04')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText('Instead of: Central Hospital may read results').waitFor()
  await page.getByText(/Central Hospital will no longer be able to read results and vital signs for research/).waitFor()
  await page
    .getByText(/Lakeside Clinic will be able to read results and vital signs and reports for research/)
    .waitFor()
  expect(await pageFaults(page, 'consent-change-preview')).toEqual([])
  await call('PUT', `/${id}`, clinician, { note: 'changed meanwhile' })
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText('Somebody else changed the consents a moment ago').waitFor()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.waitForURL(`**/patients/ngozi-eze?changed=${id}`)
  await page.getByText(/Lakeside Clinic may read results and vital signs and reports for research until/).waitFor()

  await page.getByRole('link', { name: `Change consent ${detailed.id}` }).click()
  await page.getByText('revoke it and record a new one').waitFor()
  expect(await page.getByLabel('Who', { exact: true }).count()).toBe(0)
  await page.getByLabel('From').fill('2099-03-04')
  await page.getByLabel('Until').fill('2098-03-04')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText('The last day must not be before the first.').first().waitFor()
  await page.getByLabel('From').fill('')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.waitForURL(`**/patients/ngozi-eze?changed=${detailed.id}`)
  await call('POST', `/${id}/revoke`, clinician)
  await page.goto(`${corridor.url('consent')}/consents/${id}/change`)
  await page.waitForURL(`**/patients/ngozi-eze`)
  await page.close()
})

it('records a consent without any script, and warns where a refusal stands against it', async () => {
  const page = await open('/patients/kofi-mensah/new', 'clinician', { javaScript: false })
  await page.getByLabel('Who', { exact: true }).selectOption({ label: 'Everybody' })
  await page.getByLabel('Everything in the record').check()
  await page.getByLabel('Note').fill(payload)
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText('No answer turns round').waitFor()
  await page.getByText('A refusal stands against it').waitFor()
  await page.getByRole('button', { name: 'Change it' }).click()
  expect(await page.getByLabel('Note').inputValue()).toBe(payload)
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByText('A refusal stands against it').waitFor()
  await call('POST', '', clinician, { patientId: 'Patient/kofi-mensah', provisionType: 'deny' })
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText('Somebody else changed the consents a moment ago').waitFor()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.waitForURL('**/patients/kofi-mensah?kept=*')
  await page.close()
})

it('shows a patient their own consents in plain language, and whom to ask', async () => {
  const patientId = 'Patient/amina-diallo'
  const common = { patientId, actorReference: central, periodEnd: '2097-03-04' }
  await call('POST', '', clinician, { ...common, provisionType: 'permit', scopeValues: ['patient/Observation.cruds'] })
  await call('POST', '', clinician, { ...common, provisionType: 'deny', purposes: ['HRESCH'] })
  const page = await open('/', 'patient')
  await page.getByText(/may read and write results and vital signs for any purpose until 4 Mar 2097/).waitFor()
  await page
    .getByText(/To change or withdraw it, ask/)
    .first()
    .waitFor()
  await page.getByText(/You have also said no to some of it, and your no counts more: number \d+/).waitFor()
  expect(await pageFaults(page, 'consent-own')).toEqual([])
  await page.close()
})

it.each([
  ['fr', /peut lire et modifier les résultats et signes vitaux/],
  ['es', /puede leer y modificar los resultados y signos vitales/],
  ['ar', /يُسمح لـ Central Hospital بقراءة وتعديل نتائج الفحوص/],
  ['sw', /inaruhusiwa kusoma na kuandika matokeo/],
])('shows a patient their own consents in %s once that was chosen', async (language, sentence) => {
  const patientId = 'Patient/amina-diallo'
  const common = { patientId, actorReference: central, periodEnd: '2096-03-04' }
  await call('POST', '', clinician, { ...common, provisionType: 'permit', scopeValues: ['patient/Observation.cruds'] })
  await call('POST', '', clinician, { ...common, provisionType: 'deny', purposes: ['HRESCH'] })
  const page = await open('/', 'patient')
  await page.locator(`.languages a[hreflang="${language}"]`).click()
  await page.waitForURL(`**/?lang=${language}`)
  // The choice lasts.
  await page.goto(`${corridor.url('consent')}/`)
  const html = page.locator('html')
  expect(await html.getAttribute('lang')).toBe(language)
  expect(await html.getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr')
  await page.getByText(sentence).first().waitFor()
  expect(await pageFaults(page, `consent-own-${language}`)).toEqual([])
  expect(await onPaper(page, 'Amina Diallo')).toEqual({ says: true, hasLinks: false })
  await page.goto(`${corridor.url('consent')}/?lang=en`)
  await page.close()
})

it('shows an administrator who asks about unusually many patients', async () => {
  const question = (id: number) => `patientId=Patient/p${id}&actorReference=${central}&resourceType=Observation`
  for (const id of [1, 2, 3, 4]) {
    await call('POST', `/evaluate?${question(id)}`, { role: 'SYSTEM', subject: 'curious' })
  }
  const page = await open('/admin', 'admin')
  await page.locator('.alert').getByRole('link', { name: 'curious' }).click()
  await page.waitForURL('**/admin?about=curious')
  expect(await page.getByRole('cell', { name: 'curious' }).count()).toBe(5)
  expect(await pageFaults(page, 'consent-alert')).toEqual([])
  await page.close()
})

it('opens nothing on a page that the API keeps shut', async () => {
  const { id } = await call('POST', '', clinician, { patientId: 'Patient/amina-diallo', provisionType: 'permit' })
  const origin = corridor.url('consent')
  const stranger = await open('/', 'clinician2')
  const asStranger = stranger.context().request
  const form = { reason: 'x', basis: 'x' }
  const headers = { origin, accept: 'application/json' }
  expect((await asStranger.get(`${origin}/consents/${id}/revoke`)).status()).toBe(404)
  expect((await asStranger.post(`${origin}/consents/${id}/revoke`, { form, headers })).status()).toBe(404)
  expect((await asStranger.get(`${origin}/admin`)).status()).toBe(403)
  const question = { patient: 'amina-diallo', actor: central, resourceType: 'Observation', operation: 'READ' }
  const asking = { form: { ...question, device: '', purpose: 'TREAT' }, headers }
  expect((await asStranger.post(`${origin}/ask`, asking)).status()).toBe(403)
  await stranger.close()

  const patient = await open('/', 'patient')
  const asPatient = patient.context().request
  for (const path of [
    '/patients/amina-diallo',
    '/patients/amina-diallo/new',
    `/consents/${id}/revoke`,
    '/ask',
    '/admin',
  ]) {
    expect((await asPatient.get(`${origin}${path}`)).status()).toBe(403)
  }
  expect((await asPatient.post(`${origin}/consents/${id}/revoke`, { form, headers })).status()).toBe(403)
  const elsewhere = { form, headers: { origin: 'https://elsewhere.example' } }
  expect((await asPatient.post(`${origin}/consents/${id}/revoke`, elsewhere)).status()).toBe(403)
  await patient.close()
  const unknown = { method: 'POST', headers: { origin }, body: new URLSearchParams(form) }
  expect((await fetch(`${origin}/consents/${id}/revoke`, unknown)).status).toBe(401)

  const officer = await open('/admin', 'admin')
  await officer.getByRole('row', { name: /Not allowed.*dr-baraka/ }).waitFor()
  await officer.close()
})

it('lists records of a patient whose name has no end on a page that is no wider than its screen', async () => {
  const family = 'Abcdefghij'.repeat(10)
  const made = await fetch(`${corridor.url('fhir')}/Patient`, {
    method: 'POST',
    headers: {
      authorization: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.cruds' }),
      'content-type': 'application/fhir+json',
    },
    body: JSON.stringify({ resourceType: 'Patient', name: [{ given: ['Amina'], family }] }),
  })
  expect(made.status).toBe(201)
  const { id } = (await made.json()) as { readonly id: string }
  const terms = { patientId: `Patient/${id}`, provisionType: 'permit', organisationId: central, note: family }
  await call('POST', '', { role: 'ADMIN' }, terms)
  const page = await open('/admin/records?organisation=Organization%2Fcentral-hospital', 'admin')
  await page.getByText(family).waitFor()
  const isTooWide = `[...document.querySelectorAll('html, .table-scroll')].some((each) => each.scrollWidth > each.clientWidth)`
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate<boolean>(isTooWide), `at ${width}`).toBe(false)
  }
  await page.goto(`${corridor.url('consent')}/patients/${id}`)
  await page.getByText(family).first().waitFor()
  expect(await lookFaults(page, 'consent-endless-name')).toEqual([])
  await page.close()
})

it('goes back from a preview to what was typed, and from what was kept or looked at to no page that must be sent again', async () => {
  const page = await open('/patients/emeka-okoro/new', 'admin', { expectedErrors: [/status of 401/] })
  await page.getByLabel('Who', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByLabel('Visits').check()
  await page.getByRole('textbox', { name: /^Note/ }).fill('Typed once')
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.getByRole('button', { name: 'Keep it' }).waitFor()
  expect(await page.title()).toBe('What it changes · Corridor')
  await page.goBack()
  await page.getByRole('heading', { name: 'Record a consent' }).waitFor()
  expect(await page.getByRole('textbox', { name: /^Note/ }).inputValue()).toBe('Typed once')
  expect(await page.getByLabel('Visits').isChecked()).toBe(true)
  await page.goForward()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.waitForURL('**/patients/emeka-okoro?kept=*')
  await page.goBack()
  await page.getByRole('heading', { name: 'Record a consent' }).waitFor()
  expect(await page.getByRole('textbox', { name: /^Note/ }).inputValue(), 'what was kept is not kept twice').toBe('')

  await page.goto(`${corridor.url('consent')}/ask?patient=emeka-okoro`)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByRole('cell', { name: 'Fits', exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Consents', exact: true }).last().click()
  await page.waitForURL('**/patients/emeka-okoro')
  await page.goBack()
  await page.getByRole('button', { name: 'Ask', exact: true }).waitFor()

  // Whose session is over meanwhile loses nothing either.
  await page.goto(`${corridor.url('consent')}/patients/emeka-okoro/new`)
  await page.getByLabel('Visits').check()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'See what it changes' }).click()
  await page.waitForURL('**/sign-in/again?*')
  await page.close()
})
