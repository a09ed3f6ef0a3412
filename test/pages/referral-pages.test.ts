import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import {
  openBrowser,
  openBrowserMsMax,
  type PageOptions,
  type TestBrowser,
} from '../../packages/testkit/browser/browser.ts'
import { isPictured } from '../../packages/testkit/browser/screenshot.ts'
import { openedBy, openedByField } from '../../packages/views/opened-by.ts'
import { languages } from '../../packages/views/words/languages.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { onPaper } from './on-paper.ts'
import { lookFaults, pageFaults } from './page-faults.ts'
import { signedIn } from './signed-in.ts'

let corridor: TestCorridor
let browser: TestBrowser

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'referral'] })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

const open = (path: string, user: string) => signedIn(`${corridor.url('referral')}${path}`, user, { browser })

/** Who has read a referral, or asked what a patient lets others see, as the audit has it. */
async function readers(action: 'read' | 'gate' = 'read'): Promise<string[]> {
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  try {
    const rows = await database.many<{ subject: string }>(
      sql`select distinct subject from referral.audit_events where action = ${action}`,
    )
    return rows.map(({ subject }) => subject)
  } finally {
    await database.close()
  }
}

it('lets two clinicians of two facilities take a referral from draft to completed', async () => {
  const amara = await open('/', 'clinician')
  expect(await pageFaults(amara, 'referral-empty-inbox')).toEqual([])

  await amara.getByRole('link', { name: 'New referral' }).click()
  await amara.getByLabel('Find a patient').fill('Diallo')
  await amara.keyboard.press('Enter')
  await amara.waitForURL('**/new?search=*')
  expect(await pageFaults(amara, 'referral-find-patient')).toEqual([])
  await amara.getByRole('link', { name: /Amina/ }).first().click()
  await amara.waitForURL('**/new?patient=*')
  expect(await pageFaults(amara, 'referral-new')).toEqual([])
  await amara.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await amara.getByLabel('What is asked').fill('Antenatal <script>alert(1)</script> care')
  await amara.getByLabel('Priority').selectOption({ label: 'Urgent' })
  await amara.getByRole('textbox', { name: /^Note/ }).fill('Please see her this week.')
  await amara.getByLabel('Results and vital signs').check()
  await amara.getByText('lets Lakeside Clinic see everything that this referral shares').waitFor()
  expect(await readers('gate')).toEqual(['dr-amara'])
  await amara.getByLabel('Diagnoses and problems').check()
  await expect.poll(() => amara.getByText('Permitted', { exact: true }).count()).toBe(2)
  await amara.getByRole('button', { name: 'Keep as draft' }).click()
  await amara.waitForURL('**/referrals/*')
  expect(await amara.textContent('h1')).toBe('Antenatal <script>alert(1)</script> care')
  await amara.getByText('Permitted').first().waitFor()
  expect(await pageFaults(amara, 'referral-draft')).toEqual([])
  await amara.getByRole('button', { name: 'Send' }).click()
  await amara.locator('.pill', { hasText: 'Not yet seen' }).waitFor()

  const baraka = await open('/', 'clinician2')
  await baraka.locator('.pill', { hasText: 'Not yet seen' }).first().waitFor()
  expect(await pageFaults(baraka, 'referral-inbox')).toEqual([])
  await baraka.getByRole('link', { name: /Antenatal/ }).click()
  for (const [step, said] of [
    ['Mark as received', 'The work is marked as received.'],
    ['Accept', 'The work is accepted.'],
    ['Begin', 'The work has begun.'],
  ] as const) {
    await baraka.getByRole('button', { name: step, exact: true }).click()
    await baraka.getByRole('alert').getByText(said).waitFor()
  }
  await baraka.getByRole('button', { name: 'Complete', exact: true }).waitFor()
  expect(await pageFaults(baraka, 'referral-in-progress')).toEqual([])
  await baraka.getByRole('button', { name: 'Complete', exact: true }).click()
  const dialog = baraka.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^Note/ }).fill('Seen; all is well.')
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
  await baraka.getByText('Seen; all is well.').first().waitFor()

  await amara.reload()
  await amara.getByText('Seen; all is well.').first().waitFor()
  expect(await pageFaults(amara, 'referral-completed')).toEqual([])

  // What is completed has left the inbox: who did it finds it again with the patient.
  await baraka.locator('.patient-banner').getByRole('link', { name: 'Referrals' }).click()
  await baraka.waitForURL('**/patients/amina-diallo')
  expect(await baraka.getByRole('row', { name: /Antenatal/ }).innerText()).toMatch(/Central Hospital[^]*Completed/)
  expect(await pageFaults(baraka, 'referral-of-patient')).toEqual([])

  const amina = await open('/', 'patient')
  await amina.getByRole('link', { name: /Antenatal/ }).waitFor()
  expect(await pageFaults(amina, 'referral-patient')).toEqual([])
  // Patients cannot search for facilities and clinicians, and are told their names all the same.
  expect(await amina.getByRole('table').innerText()).toContain('Lakeside Clinic')
  await amina.getByRole('link', { name: /Antenatal/ }).click()
  await amina.getByText('Central Hospital asks Lakeside Clinic.').waitFor()
  expect(await amina.innerText('main')).not.toMatch(/(?:Organization|Practitioner)\//)
  await amina.getByText('Seen; all is well.').first().waitFor()
  await inOtherLanguages(amina)
  expect(await readers()).toEqual(expect.arrayContaining(['dr-amara', 'dr-baraka', 'amina-diallo']))
  await Promise.all([amara, baraka, amina].map((page) => page.close()))
})

/** A patient's own referrals and one of them, from where that one is open; in the end in English again. */
async function inOtherLanguages(page: Page): Promise<void> {
  const one = page.url()
  // One that is read from right to left finds what others would; all of them are for people's eyes.
  for (const language of isPictured ? languages : (['ar'] as const)) {
    await page.locator(`.languages a[hreflang="${language}"]`).click()
    await page.waitForURL(`${one}?lang=${language}`)
    expect(await page.getAttribute('html', 'lang')).toBe(language)
    expect(await pageFaults(page, `referral-patient-one-${language}`)).toEqual([])
    expect(await onPaper(page, 'Amina Diallo')).toEqual({ says: true, hasLinks: false })
    // Instants are written as days are: with the month in words.
    expect(await page.locator('time[data-precision]').first().innerText()).toMatch(/^\d+ \p{L}{3,}/u)
    await page.goto(`${corridor.url('referral')}/`)
    expect(await pageFaults(page, `referral-patient-${language}`)).toEqual([])
    const wrong = await signedIn(`${corridor.url('referral')}/referrals/999999`, 'patient', {
      ...{ browser, expectedErrors: [/404/] },
    })
    expect(await wrong.getAttribute('html', 'lang')).toBe(language)
    expect(await wrong.locator('.languages a').count(), 'the way to another language').toBe(languages.length)
    expect(await pageFaults(wrong, `referral-error-${language}`)).toEqual([])
    await wrong.close()
    await page.goto(one)
  }
  await page.locator('.languages a[hreflang="en"]').click()
  await page.waitForURL(`${one}?lang=en`)
}

it('has in the inbox what names the facility by its client id alone, one page after the other', async () => {
  const authorization = await corridor.bearerFor({ role: 'CLINICIAN' })
  const post = (path: string, body?: object) =>
    fetch(`${corridor.url('referral')}/api/referrals${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  for (const referralDisplay of ['First of three', 'Second of three', 'Third of three']) {
    const made = await post('', {
      ...{ patientId: 'Patient/amina-diallo', requesterId: 'Practitioner/dr-amara', referralDisplay },
      receivingFacilityClientId: 'lakeside-clinic',
    })
    await post(`/${((await made.json()) as { id: number }).id}/send`)
  }
  const baraka = await open('/?size=2', 'clinician2')
  await baraka.getByText('First of three').waitFor()
  expect(await pageFaults(baraka, 'referral-inbox-pages')).toEqual([])
  await baraka.emulateMedia({ media: 'print' })
  expect(await baraka.innerText('main'), 'a sheet with a part of a list says so').toContain('of 3')
  // A browser makes the sheet smaller until all columns are on it, unless something cuts them off before.
  const cutsOff = `[...document.querySelectorAll('main *')].filter((part) => part.querySelector('table') !== null &&
    getComputedStyle(part).overflowX !== 'visible').map(({ className }) => className)`
  expect(await baraka.evaluate<string[]>(cutsOff)).toEqual([])
  expect(await baraka.getByRole('link', { name: 'Next' }).isVisible()).toBe(false)
  await baraka.emulateMedia({ media: null })
  await baraka.getByRole('link', { name: 'Next' }).click()
  await baraka.getByText('Third of three').waitFor()
  expect(await baraka.getByText('First of three').count()).toBe(0)
  // As a link does that was on the page before the list grew shorter.
  await baraka.goto(`${corridor.url('referral')}/?size=2&page=7`)
  await baraka.getByText('Third of three').waitFor()
  await baraka.goto(`${corridor.url('referral')}/mine?page=7`)
  await baraka.waitForURL('**/mine?page=0&size=20')
  await baraka.close()
})

it('is no wider than its screen, and cuts nothing off, whatever was typed', async () => {
  const typed = 'Pastedwithoutasinglespace'.repeat(4)
  const page = await newReferral('amina-diallo', typed, 'Vaccinations')
  const one = page.url()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('The referral is sent.').waitFor()
  const inbox = await open('/', 'clinician2')
  const beyond = `[...document.querySelectorAll('html, .table-scroll')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ localName }) => localName)`
  for (const [shown, address] of [
    [page, one],
    [page, `${corridor.url('referral')}/mine`],
    [inbox, inbox.url()],
  ] as const) {
    await shown.goto(address)
    for (const width of [320, 768, 1000]) {
      await shown.setViewportSize({ width, height: 800 })
      expect([address, width, await shown.evaluate<string[]>(beyond)]).toEqual([address, width, []])
    }
  }
  await Promise.all([page, inbox].map((each) => each.close()))
})

it('says while a referral is written that the patient refuses what it would share', async () => {
  const page = await open('/new?patient=kofi-mensah', 'clinician')
  await page.getByLabel('Vaccinations').check()
  await page.getByText('Choose the facility to see whether').waitFor()
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByText('As it is, this could not be sent').waitFor()
  expect(await pageFaults(page, 'referral-new-refused')).toEqual([])
  await page.getByLabel('Vaccinations').uncheck()
  await page.getByText('Nothing of the record is shared').waitFor()
  await page.close()
})

it('leads back to the form, with what was typed and what is wrong at its field', async () => {
  const page = await open('/new?patient=amina-diallo', 'clinician')
  // What is pasted is not cut without a word.
  const longest = `${'x\n'.repeat(1_000)}${'y'.repeat(49)}`
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByLabel('What is asked').fill('   ')
  await page.getByLabel('Reasons').fill(`I10, ${'long '.repeat(30)}`)
  await page.getByRole('textbox', { name: /^Note/ }).fill(longest)
  await page.getByLabel('Vaccinations').check()
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.getByText('Something is missing or does not fit').waitFor()
  await page.waitForLoadState()
  expect(await page.getByLabel('What is asked').getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('referralDisplay')
  const wrong = [
    'Say what is asked.',
    'Each may have at most 128 characters, and has 149.',
    'This may have at most 2,048 characters, and has 2,049.',
  ]
  expect(await page.locator('.error').allInnerTexts()).toEqual(wrong)
  // Above the form they stand by the names that it has for its fields, and lead there.
  expect(await page.getByRole('alert').getByRole('listitem').allInnerTexts()).toEqual(
    ['What is asked', 'Reasons', 'Note'].map((label, at) => `${label}: ${wrong[at]}`),
  )
  await page.getByRole('alert').getByRole('link', { name: 'Note' }).click()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('clinicalNote')
  expect(await page.getByRole('textbox', { name: /^Note/ }).inputValue()).toBe(longest)
  expect(await page.getByLabel('Vaccinations').isChecked()).toBe(true)
  await page.getByText('Permitted', { exact: true }).waitFor()
  expect(await pageFaults(page, 'referral-new-wrong')).toEqual([])
  await page.getByLabel('What is asked').fill('Cardiology')
  await page.getByLabel('Reasons').fill('I10')
  await page.getByRole('textbox', { name: /^Note/ }).fill(longest.slice(0, -1))
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.waitForURL('**/referrals/*')
  expect(await page.textContent('h1')).toBe('Cardiology')
  await page.close()
})

it('lets a draft be changed, writes over nobody who was faster and sends nothing unseen', async () => {
  const page = await newReferral('amina-diallo', 'Cardiologie', 'Vaccinations')
  const path = page.url()
  const sender = await page.context().newPage()
  await sender.goto(path)
  await page.getByRole('link', { name: 'Change' }).click()
  await page.waitForURL('**/change')
  expect(await page.getByLabel('To', { exact: true }).locator('option:checked').innerText()).toBe('Lakeside Clinic')
  expect(await page.getByLabel('Vaccinations').isChecked()).toBe(true)
  expect(await pageFaults(page, 'referral-change')).toEqual([])
  const other = await page.context().newPage()
  await other.goto(page.url())
  await page.getByLabel('What is asked').fill('Cardiology')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.getByText('The draft is changed.').waitFor()
  expect([await page.textContent('h1'), new URL(page.url()).pathname]).toEqual(['Cardiology', new URL(path).pathname])

  await other.getByRole('textbox', { name: /^Note/ }).fill('Too late')
  await other.getByRole('button', { name: 'Keep as draft' }).click()
  await other.getByText('nothing of yours is kept yet').waitFor()
  expect(await other.locator('.error').allInnerTexts()).toEqual([
    ...['The draft says now: Cardiology', 'The draft says now: nothing'],
  ])
  expect(await other.getByLabel('What is asked').inputValue()).toBe('Cardiologie')
  expect(await other.getByRole('textbox', { name: /^Note/ }).inputValue()).toBe('Too late')
  expect(await pageFaults(other, 'referral-change-late')).toEqual([])
  await other.getByLabel('What is asked').fill('Cardiology')
  await other.getByRole('button', { name: 'Keep as draft' }).click()
  await other.getByText('The draft is changed.').waitFor()
  expect(await other.innerText('main')).toContain('Too late')

  await page.goto(`${path}/change`)
  await sender.getByRole('button', { name: 'Send' }).click()
  await sender.getByText('your step was not taken').waitFor()
  expect(await sender.textContent('h1')).toBe('Cardiology')
  await sender.getByRole('button', { name: 'Send' }).click()
  await sender.getByText('The referral is sent.').waitFor()
  // What cannot be changed any more leaves what was typed for it to be copied.
  await page.getByLabel('Reasons').fill('I10')
  await page.getByRole('textbox', { name: /^Note/ }).fill('Far too late')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.getByText('your step was not taken').waitFor()
  expect(await page.locator('blockquote').innerText()).toBe('I10\nFar too late')
  await Promise.all([page, other, sender].map((each) => each.close()))
})

it('shows how it stands to whoever comes too late, and asks for a reason before the work is cancelled', async () => {
  const page = await open('/new?patient=amina-diallo', 'clinician')
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByLabel('What is asked').fill('Twice')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.waitForURL('**/referrals/*')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Send' }).click()
  await other.locator('.pill', { hasText: 'Not yet seen' }).waitFor()
  await other.close()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('your step was not taken').waitFor()
  expect(await page.getByText(/ACTIVE|DRAFT/).count()).toBe(0)
  expect(await pageFaults(page, 'referral-too-late')).toEqual([])

  await page.goto(page.url().replace(/\/send$/, ''))
  await page.getByRole('button', { name: 'Cancel the work' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('She has moved away.')
  await dialog.getByRole('button', { name: 'Cancel the work' }).click()
  await page.getByText('She has moved away.').first().waitFor()
  expect(await pageFaults(page, 'referral-cancelled')).toEqual([])
  // There are two facilities: without the one that cancelled there is nobody else to ask.
  expect(await page.getByRole('button', { name: 'Ask another facility' }).count()).toBe(0)
  await page.close()
})

/** Sends a form that the page shows no longer, as a tab that was left open would. */
const sendStale = (page: Page, action: string, fields: Readonly<Record<string, string>> = {}, by = 'dr-amara') =>
  page.evaluate(
    `{
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: ${JSON.stringify(action)} })
      for (const [name, value] of Object.entries(${JSON.stringify({ ...fields, [openedByField]: openedBy(by) })})) {
        form.append(Object.assign(document.createElement('input'), { name, value }))
      }
      document.body.append(form)
      form.submit()
    }`,
  )

async function newReferral(patient: string, what: string, shares: string, look: Partial<PageOptions> = {}) {
  const path = `/new?patient=${patient}`
  const page = await signedIn(`${corridor.url('referral')}${path}`, 'clinician', { browser, ...look })
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByLabel('What is asked').fill(what)
  await page.getByLabel(shares).check()
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.waitForURL('**/referrals/*')
  return page
}

it('gives back what was written for a step that came too late', async () => {
  const amara = await newReferral('amina-diallo', 'Late', 'Vaccinations')
  await amara.getByRole('button', { name: 'Send' }).click()
  await amara.locator('.pill', { hasText: 'Not yet seen' }).waitFor()
  const baraka = await signedIn(amara.url(), 'clinician2', { browser })
  await baraka.getByRole('button', { name: 'Mark as received' }).click()
  await baraka.getByRole('button', { name: 'Reject' }).click()
  const dialog = baraka.getByRole('dialog')
  // A space is no reason: what is wrong is said where it is asked for, which is open then.
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(' ')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await baraka.getByRole('alert').getByRole('link', { name: 'Reason' }).waitFor()
  expect(await baraka.locator('.error').allInnerTexts()).toEqual(['Give a reason.'])
  await expect.poll(() => baraka.evaluate('document.activeElement.name')).toBe('rejectionReason')
  expect(await pageFaults(baraka, 'referral-no-reason')).toEqual([])
  const reason = baraka.getByRole('textbox', { name: 'Reason', exact: true })
  await reason.fill(`No bed ${'x'.repeat(1_018)}`)
  await baraka.getByRole('button', { name: 'Reject', exact: true }).click()
  await baraka.getByText('Reason: This may have at most 1,024 characters, and has 1,025.').waitFor()
  expect(await reason.inputValue()).toBe(`No bed ${'x'.repeat(1_018)}`)
  await reason.fill('No bed\nuntil May.')
  await amara.getByRole('button', { name: 'Put on hold' }).click()
  await amara.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Holiday')
  await amara.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click()
  await amara.getByText('On hold because').waitFor()
  await baraka.getByRole('button', { name: 'Reject', exact: true }).click()
  await baraka.getByText('This has changed in the meantime: your step was not taken').waitFor()
  expect(await baraka.locator('blockquote').innerText()).toBe('No bed\nuntil May.')
  expect(await pageFaults(baraka, 'referral-too-late-with-words')).toEqual([])
  await Promise.all([amara, baraka].map((page) => page.close()))
})

it('takes no step from a page that shows what the referral no longer is, and gives back what was written', async () => {
  const old = await newReferral('amina-diallo', 'Old page', 'Vaccinations')
  await old.getByRole('button', { name: 'Send' }).click()
  await old.locator('.pill', { hasText: 'Not yet seen' }).waitFor()
  const path = new URL(old.url()).pathname
  const other = await open(path, 'clinician')
  await other.getByRole('button', { name: 'Put on hold' }).click()
  await other.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Holiday')
  await other.getByRole('dialog').getByRole('button', { name: 'Put on hold' }).click()
  await other.getByRole('button', { name: 'Resume' }).click()
  await other.waitForURL('**/referrals/*?done=resume')
  await old.getByRole('button', { name: 'Revoke' }).click()
  await old.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Moved away.')
  await old.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await old.getByText('your step was not taken').waitFor()
  expect(await old.locator('blockquote').innerText()).toBe('Moved away.')
  await old.locator('.pill', { hasText: 'Sent' }).waitFor()

  await other.getByText('In place of Lakeside Clinic').click()
  await other.getByRole('button', { name: 'Mark as received' }).click()
  await other.waitForURL('**/referrals/*?done=RECEIVED')
  await old.getByRole('button', { name: 'Cancel the work' }).click()
  await old.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Nobody looks at it.')
  await old.getByRole('dialog').getByRole('button', { name: 'Cancel the work' }).click()
  await old.getByText('Nobody looks at it.').waitFor()
  expect(await old.getByText('your step was not taken').count()).toBe(1)
  await Promise.all([old, other].map((page) => page.close()))
})

it('says on the page of the referral what the consent gate refused', async () => {
  const page = await newReferral('kofi-mensah', 'Refused', 'Vaccinations')
  const path = new URL(page.url()).pathname
  await sendStale(page, `${path}/send`)
  await page.getByText('Nothing was sent to Lakeside Clinic: the consent check stopped it').waitFor()
  expect(await page.innerText('main')).toMatch(/As it is, this could not be sent[^]*Vaccinations/)
  expect(await page.textContent('h1')).toBe('Refused')
  expect(await pageFaults(page, 'referral-refused')).toEqual([])
  await page.close()

  const other = await newReferral('amina-diallo', 'Elsewhere', 'Results and vital signs')
  const at = new URL(other.url()).pathname
  await other.getByRole('button', { name: 'Send' }).click()
  await other.getByRole('button', { name: 'Cancel the work' }).click()
  await other.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('Moved')
  await other.getByRole('dialog').getByRole('button', { name: 'Cancel the work' }).click()
  await other.getByText('Moved').first().waitFor()
  await sendStale(other, `${at}/reroute`, { receivingFacilityClientId: 'hill-hospital Organization/hill-hospital' })
  await other.getByText(/^Nothing was sent to .*hill-hospital: the consent check stopped it/).waitFor()
  expect(await other.innerText('main')).toMatch(/As it is, this could not be sent[^]*Results and vital signs/)
  await other.close()
})

it('offers whom else to ask: nobody who has just turned it down, and not the facility that asks', async () => {
  const hill = { id: 'hill-hospital', name: 'Hill Hospital with a Name that is Long Enough for Two Lines' }
  const authorization = await corridor.bearerFor({ role: 'SYSTEM' })
  const address = `${corridor.url('fhir')}/Organization/${hill.id}`
  const headers = { authorization, 'content-type': 'application/fhir+json' }
  onTestFinished(async () => void (await fetch(address, { method: 'DELETE', headers })))
  const kept = await fetch(address, {
    method: 'PUT',
    headers,
    body: JSON.stringify({
      ...{ resourceType: 'Organization', active: true, ...hill },
      identifier: [{ system: 'urn:corridor:facility-code', value: 'HILL' }],
    }),
  })
  expect(kept.status).toBe(201)
  const amara = await open('/new?patient=amina-diallo', 'clinician')
  await amara.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await amara.getByLabel('What is asked').fill('Elsewhere')
  await amara.getByRole('button', { name: 'Keep as draft' }).click()
  await amara.waitForURL('**/referrals/*')
  await amara.getByRole('button', { name: 'Send' }).click()
  await amara.locator('.pill', { hasText: 'Not yet seen' }).waitFor()
  const baraka = await signedIn(amara.url(), 'clinician2', { browser })
  await baraka.getByRole('button', { name: 'Mark as received' }).click()
  await baraka.getByRole('button', { name: 'Reject' }).click()
  await baraka.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('No bed until May.')
  await baraka.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await baraka.getByText('No bed until May.').first().waitFor()
  await amara.reload()
  await baraka.getByText('In place of Central Hospital').click()
  for (const page of [amara, baraka]) {
    await page.getByRole('button', { name: 'Ask another facility' }).click()
    const offered = page.getByRole('dialog').getByLabel('Facility').locator('option')
    expect(await offered.allTextContents()).toEqual(['Choose…', hill.name])
  }
  expect(await lookFaults(amara, 'referral-reroute')).toEqual([])
  // A tab that was left open, or a list that had nobody in it, may send no facility at all.
  await sendStale(baraka, `${new URL(amara.url()).pathname}/reroute`, {}, 'dr-baraka')
  await baraka.getByRole('alert').getByText('Facility: Choose a facility.').waitFor()
  expect(await baraka.getByRole('combobox', { name: 'Facility' }).isVisible()).toBe(true)
  await amara.getByRole('dialog').getByLabel('Facility').selectOption({ label: hill.name })
  await amara.getByRole('dialog').getByRole('button', { name: 'Ask another facility' }).click()
  await amara.waitForURL('**/referrals/*?done=reroute')
  await amara.getByText(hill.name).first().waitFor()
  expect(await pageFaults(amara, 'referral-rerouted')).toEqual([])
  await Promise.all([amara, baraka].map((page) => page.close()))
})

it('lets a referral be moved without scripts', async () => {
  const page = await newReferral('amina-diallo', 'Plain', 'Vaccinations', { javaScript: false })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.pill', { hasText: 'Not yet seen' }).waitFor()
  expect(await page.locator('[data-opens]').first().isVisible(), 'a button that does nothing').toBe(false)
  await page.locator('summary', { hasText: 'Put on hold' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Holiday')
  await page.getByRole('button', { name: 'Put on hold' }).click()
  await page.getByText('On hold because').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.locator('summary', { hasText: 'Cancel the work' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Moved')
  await page.getByRole('button', { name: 'Cancel the work' }).click()
  await page.getByText('Moved').first().waitFor()
  await page.close()
})

it('does not show twenty of many namesakes as if they were all, and finds the one by the day of birth', async () => {
  const authorization = await corridor.bearerFor({ role: 'SYSTEM' })
  const many = (method: 'PUT' | 'DELETE') =>
    fetch(corridor.url('fhir'), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/fhir+json' },
      body: JSON.stringify({
        ...{ resourceType: 'Bundle', type: 'transaction' },
        entry: Array.from({ length: 21 }, (_, at) => ({
          request: { method, url: `Patient/namesake-${at}` },
          ...(method === 'PUT' ? { resource: namesake(at) } : {}),
        })),
      }),
    })
  const namesake = (at: number) => ({
    ...{ resourceType: 'Patient', id: `namesake-${at}`, name: [{ family: 'Manyofus', given: ['Ada'] }] },
    birthDate: `${1980 + at}-07-09`,
    ...(at === 8 ? { deceasedDateTime: '2026-02-03' } : {}),
    identifier: [{ system: 'urn:test:long', type: { text: 'National id' }, value: `${'1988'.repeat(8)}${at}` }],
  })
  onTestFinished(async () => void (await many('DELETE')))
  expect((await many('PUT')).status).toBe(200)

  for (const page of [
    await open('/new?search=Manyofus', 'clinician'),
    await signedIn(`${corridor.url('consent')}/?search=Manyofus`, 'clinician', { browser }),
    await signedIn(`${corridor.url('auth')}/portal?search=Manyofus`, 'clinician', { browser }),
  ]) {
    expect(await page.locator('tbody tr').count(), page.url()).toBe(20)
    await page.getByText('There are more than these 20.').waitFor()
    await page.goto(page.url().replace('Manyofus', 'Manyofus+1988'))
    expect(await page.locator('tbody tr').count(), page.url()).toBe(1)
    expect(await page.innerText('tbody tr')).toMatch(/9 Jul 1988, died 3 Feb 2026/)
    expect(await page.getByText('There are more').count()).toBe(0)
    await page.setViewportSize({ width: 360, height: 780 })
    const cut = `(() => {
      const edge = document.querySelector('tbody').getBoundingClientRect().right
      const range = document.createRange()
      return [...document.querySelectorAll('tbody td')].filter((cell) => {
        range.selectNodeContents(cell)
        return range.getBoundingClientRect().right > edge
      }).map(({ innerText }) => innerText)
    })()`
    expect(await page.evaluate<string[]>(cut), 'a number is never cut off').toEqual([])
    await page.close()
  }
})

it('keeps one draft of a form whose button is pressed twice', async () => {
  const page = await open('/new?patient=amina-diallo', 'clinician')
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByLabel('What is asked').fill('Once')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  // A second submission takes the place of a navigation that is under way, and the server has both.
  await page.evaluate<unknown>(`
    const button = document.querySelector('form[action="/new"] button')
    button.click()
    setTimeout(() => button.click(), 5)`)
  await expect.poll(() => page.url()).toContain('/referrals/')
  expect(sent).toHaveLength(1)
  await page.goto(`${corridor.url('referral')}/mine`)
  expect(await page.getByRole('link', { name: 'Once', exact: true }).count()).toBe(1)
  await page.close()
})

it('goes on with the draft that a form has made when somebody goes back to it, or sends it once more', async () => {
  const page = await newReferral('amina-diallo', 'Bck', 'Vaccinations')
  const draft = new URL(page.url()).pathname
  await page.goBack()
  await page.waitForURL(`**${draft}/change`)
  await page.getByLabel('What is asked').fill('Back once')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.waitForURL(`**${draft}?done=change`)

  // A tab that was left open, or a browser that kept the page, sends the form as it was.
  const form = '7f1c1f0a-6f0e-4a52-9d53-0d1d6a1a52f1'
  const said = {
    ...{ form, patientId: 'Patient/amina-diallo', receivingFacilityClientId: 'lakeside-clinic', priority: 'ROUTINE' },
    ...{ referralDisplay: 'Sent twice', occurrenceDate: '', reasonCodes: '', clinicalNote: '' },
  }
  await sendStale(page, '/new', said)
  await page.getByRole('heading', { name: 'Sent twice' }).waitFor()
  const second = new URL(page.url()).pathname
  expect(second).not.toBe(draft)
  await page.goto(`${corridor.url('referral')}/mine`)
  await sendStale(page, '/new', said)
  await page.waitForURL(`**${second}`)
  await sendStale(page, '/new', { ...said, clinicalNote: 'With a note.' })
  await page.waitForURL(`**${second}?done=change`)
  await page.getByText('With a note.').waitFor()
  await sendStale(page, '/new', { ...said, clinicalNote: 'With another.' })
  await page.getByText('The draft has changed in the meantime').waitFor()
  expect(await page.getByText('The draft says now: With a note.').isVisible()).toBe(true)
  await page.goto(`${corridor.url('referral')}/mine`)
  for (const [name, count] of [
    ['Bck', 0],
    ['Back once', 1],
    ['Sent twice', 1],
  ] as const) {
    expect(await page.getByRole('link', { name, exact: true }).count(), name).toBe(count)
  }
  await page.close()
})

it('begins nothing with a record that was merged away: an old link leads to the survivor', async () => {
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  onTestFinished(() => database.close())
  await database.run(sql`insert into referral.merged_patients (patient_id, survivor_id, noted_at)
    values ('Patient/amina-of-old', 'Patient/amina-diallo', now())`)
  const page = await open('/mine', 'clinician')
  await page.goto(`${corridor.url('referral')}/new?patient=amina-of-old`)
  expect(new URL(page.url()).search).toBe('?patient=amina-diallo')
  expect(await page.locator('.patient-name').innerText()).toBe('Amina Diallo')
  await page.close()
})

it('loses nothing that was typed when the session ends meanwhile', async () => {
  const page = await open('/new?patient=amina-diallo', 'clinician')
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
  await page.getByLabel('What is asked').fill('Cardiology "again"')
  await page.getByRole('textbox', { name: /^Note/ }).fill('Two\nlines')
  await page.getByLabel('Vaccinations').check()
  await page.getByLabel('Diagnoses and problems').check()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await page.waitForURL('**/sign-in/again?*')
  expect(await pageFaults(page, 'sign-in-again')).toEqual([])
  const elsewhere = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in' }).click()
  const tab = await elsewhere
  await tab.getByLabel('User name').fill('clinician')
  await tab.getByLabel('Password').fill('demo')
  await tab.keyboard.press('Enter')
  await tab.waitForURL(`${corridor.url('referral')}/`)
  await tab.close()
  await page.getByRole('button', { name: 'Send it now' }).click()
  await page.waitForURL('**/referrals/*')
  expect(await page.textContent('h1')).toBe('Cardiology "again"')
  expect(await page.getByText('Two').innerText(), 'in two lines').toBe('Two\nlines')
  expect(await page.getByText('Permitted', { exact: true }).count()).toBe(2)
  await page.close()
})

it('ends the session at all services', async () => {
  const page = await open('/mine', 'clinician')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/logout')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/login?logout')
  await page.goto(`${corridor.url('referral')}/mine`)
  await page.waitForURL('**/login*')
  expect(await page.getByLabel('Password').isVisible()).toBe(true)
  await page.close()
})
