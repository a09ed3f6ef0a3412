import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import {
  openBrowser,
  openBrowserMsMax,
  type PageOptions,
  type TestBrowser,
} from '../../packages/testkit/browser/browser.ts'
import { screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { adtA01, adtA08, oruR01 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { desktop, lookFaults, pageFaults, phone } from './page-faults.ts'
import { signedIn } from './signed-in.ts'
import { tabTo } from '../browser/tab-to.ts'

let corridor: TestCorridor
let browser: TestBrowser
const deps = { clock: systemClock, ids: systemIds }
const pageBytesMax = 80_000
const attack = '<script>alert(1)</script><img src=x onerror=alert(2)>'

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'] })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

const open = (path: string, options: PageOptions = {}) =>
  signedIn(`${corridor.url('bridge')}${path}`, 'admin', { browser, ...options })

async function send(channel: 'adt' | 'oru', text: string): Promise<string> {
  await using his = await openHl7Sender({
    host: '127.0.0.1',
    port: corridor.configuration.bridge.channels[channel].port,
  })
  return (await his.send(text)).ackCode
}

async function api(service: 'bridge' | 'consent' | 'fhir', method: string, path: string, body?: object) {
  const authorization = await corridor.bearerFor({ role: 'ADMIN', scope: 'system/*.cruds user/*.cruds' })
  const headers = { authorization, accept: 'application/json', 'content-type': 'application/json' }
  const url = `${corridor.url(service)}${path}`
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  return (await answer.json()) as { id: number; content: { patient: string }[] }
}

/** What somebody has looked at, as the bridge has written it down. */
async function looks(subject = 'admin'): Promise<string[]> {
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  try {
    const rows = await database.many<{ what: string }>(sql`select what from bridge.looks where subject = ${subject}`)
    return rows.map(({ what }) => what)
  } finally {
    await database.close()
  }
}

const weight = async (page: Page): Promise<number> => (await (await page.request.get(page.url())).body()).length

it('finds a failed message, says why, and runs it again when the cause is gone', async () => {
  const person = { patientId: '880011', familyName: 'Mwangi', givenName: 'Wanjiru', birthDate: '19910822' }
  expect(await send('adt', adtA01({ ...person, controlId: 'CONSOLE-1' }, deps))).toBe('AA')
  const { content } = await api('bridge', 'GET', '/api/transactions?controlId=CONSOLE-1')
  const patientId = content[0]?.patient
  const deny = await api('consent', 'POST', '/api/consent', { patientId, provisionType: 'deny' })
  expect(await send('adt', adtA08({ ...person, controlId: 'CONSOLE-2', city: 'Nakuru' }, deps))).toBe('AR')

  const page = await open('/console/messages')
  expect(await pageFaults(page, 'console-messages')).toEqual([])
  expect(await weight(page)).toBeLessThan(pageBytesMax)
  await page.setViewportSize({ width: 360, height: 780 })
  const outside = `[...document.querySelectorAll('.message-search :is(input, select)')]
    .filter((field) => field.getBoundingClientRect().right > field.closest('.message-search').getBoundingClientRect().right + 1)
    .map(({ name }) => name)`
  expect(await page.evaluate<string[]>(outside), 'what stands out of the form on a small telephone').toEqual([])
  await page.setViewportSize(desktop)
  await page.keyboard.press('/')
  await page.keyboard.type('Nakuru')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/messages?**q=Nakuru**')
  await page.getByText('CONSENT_DENIED').waitFor()
  await page.getByRole('table').getByRole('link').first().press('Enter')
  await page.getByText('The patient does not let this facility write.').waitFor()
  expect(await pageFaults(page, 'console-message-failed')).toEqual([])
  await page.emulateMedia({ media: 'print' })
  const cut = `[...document.querySelectorAll('main *')].filter((part) => part.scrollHeight > part.clientHeight + 1 &&
    /auto|scroll|hidden|clip/.test(getComputedStyle(part).overflowY) && part.clientHeight > 1).map(({ className }) => className)`
  expect(await page.evaluate<string[]>(cut), 'what is longer on paper than it is shown').toEqual([])
  await page.emulateMedia({ media: null })
  expect(await weight(page)).toBeLessThan(pageBytesMax)

  await page.locator('[data-place]', { hasText: 'Nakuru' }).hover()
  expect(await page.locator('[data-from].marked').allInnerTexts()).toContainEqual(expect.stringContaining('Nakuru'))
  await screenshot(page, 'console-message-marked')
  await page.locator('[data-from]', { hasText: '1991-08-22' }).hover()
  expect(await page.locator('[data-place].marked').allInnerTexts()).toEqual([expect.stringMatching(/PID-7\b/)])

  await page.locator('[data-place]', { hasText: 'PID-7' }).click()
  await page.keyboard.press('ArrowDown')
  expect(await page.locator('[data-from].marked').allInnerTexts()).toEqual([expect.stringContaining('female')])

  await api('consent', 'POST', `/api/consent/${deny.id}/revoke`)
  await page.getByRole('button', { name: 'Retry' }).press('Enter')
  await page.getByText('It went through all stages.').waitFor()
  // Where its end came late, the page tells that alone.
  await page.reload()
  await page.getByRole('heading', { name: 'Attempts' }).waitFor()
  expect(await looks()).toEqual(expect.arrayContaining(['search', 'raw', 'fhir', 'ack']))
  expect(await pageFaults(page, 'console-message-succeeded')).toEqual([])
  await page.close()
})

it('shows what messages say as text, whatever it is', async () => {
  const odd = { familyName: attack, givenName: attack, city: attack, sendingApplication: attack, ward: attack }
  const text = adtA01({ ...odd, patientId: '880099', controlId: attack, phone: attack }, deps)
  await send('adt', text.replace('\rPV1', `\rZZZ|${attack}\rPV1`))
  await send('adt', adtA01({ sendingFacility: attack, patientId: attack, controlId: 'CONSOLE-ODD' }, deps))
  const page = await open('/console/messages')
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  expect(await page.locator('main').innerText()).toContain(attack)
  const links = await page.getByRole('table').getByRole('link').all()
  const addresses = await Promise.all(links.slice(0, 2).map((link) => link.getAttribute('href')))
  for (const address of addresses) {
    await page.goto(`${corridor.url('bridge')}${address}`)
    expect(await page.locator('main').innerText()).toContain(attack)
    expect(await page.locator('main img, main script').count()).toBe(0)
  }
  await page.goto(`${corridor.url('bridge')}/console/messages?controlId=${encodeURIComponent(attack)}`)
  expect(await page.getByLabel('Control id').inputValue()).toBe(attack)
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(dialogs).toEqual([])
  await page.close()
})

it('sends the messages of one cause through once more, and shows how far it is', async () => {
  const person = { patientId: '880022', familyName: 'Achieng', givenName: 'Atieno', birthDate: '19770101' }
  await send('adt', adtA01({ ...person, controlId: 'BATCH-0' }, deps))
  const { content } = await api('bridge', 'GET', '/api/transactions?controlId=BATCH-0')
  const deny = await api('consent', 'POST', '/api/consent', {
    patientId: content[0]?.patient,
    provisionType: 'deny',
  })
  for (const number of [1, 2, 3]) await send('adt', adtA08({ ...person, controlId: `BATCH-${number}` }, deps))
  await api('consent', 'POST', `/api/consent/${deny.id}/revoke`)
  const page = await open('/console/dead-letters')
  expect(await pageFaults(page, 'console-dead-letters')).toEqual([])
  expect(await weight(page)).toBeLessThan(pageBytesMax)
  await page.getByRole('button', { name: /CONSENT_DENIED from CENTRAL/ }).click()
  await page.waitForURL('**/console/dead-letters/runs/*')
  await page.getByText('All are through: 3 succeeded.').waitFor()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByText('All are through: 3 succeeded.').waitFor()
  expect(await pageFaults(page, 'console-dead-letters-run')).toEqual([])
  await page.getByRole('link', { name: 'All dead letters' }).click()
  await page.getByText('3 succeeded, 0 failed again').waitFor()
  await page.close()
})

it('keeps the form of a search that cannot be carried out, and leads nobody past the last page', async () => {
  const page = await open('/console/messages?controlId=x&from=2026-13-45')
  await page.getByText('This search cannot be carried out').waitFor()
  expect(await page.locator('.error').allInnerTexts()).toEqual(['Give a day, such as 2026-03-14.'])
  await page.getByRole('alert').getByText('From day (UTC): Give a day, such as 2026-03-14.').waitFor()
  expect(await page.getByLabel('Control id').inputValue()).toBe('x')
  expect(await pageFaults(page, 'console-search-wrong')).toEqual([])
  await page.goto(`${corridor.url('bridge')}/console/messages?size=1&page=99999`)
  await page.waitForURL((url) => url.searchParams.get('page') !== '99999')
  await page.goto(`${corridor.url('bridge')}/console/review?page=99999`)
  await page.waitForURL('**/console/review?page=0')
  await page.close()
})

it('maps a code that nobody knew, and runs its messages again', async () => {
  const results = [{ code: `GLU${attack}`, name: 'Glucose', codeSystem: 'L', value: '5.4', unit: 'mmol/L' }]
  expect(await send('oru', oruR01({ controlId: 'CODE-1', results }, deps))).toBe('AA')
  const page = await open('/console/codes')
  await page.getByText(`GLU${attack}`).waitFor()
  expect(await pageFaults(page, 'console-codes')).toEqual([])
  await page.getByRole('textbox', { name: 'Code' }).first().fill('15074-9')
  await page.getByLabel('What it means').first().fill('Glucose in blood')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Map it' }).first().click()
  await page.getByText('none of it is lost').waitFor()
  const tab = await signedIn(`${corridor.url('bridge')}/console`, 'admin', { browser })
  await page.getByRole('button', { name: 'Send it now' }).click()
  await tab.close()
  await page.getByText('It must be a LOINC code').waitFor()
  expect(await page.getByLabel('What it means').inputValue()).toBe('Glucose in blood')
  expect(await pageFaults(page, 'console-codes-wrong')).toEqual([])
  await page.getByRole('textbox', { name: 'Code' }).fill('15074-8')
  await page.getByRole('button', { name: 'Map it' }).click()
  await page.getByText('1 message was run again with it.').waitFor()
  expect(await pageFaults(page, 'console-codes-mapped')).toEqual([])

  await page.getByRole('link', { name: 'Mapped', exact: true }).click()
  expect(await pageFaults(page, 'console-codes-list')).toEqual([])
  await page.getByRole('link', { name: 'Change' }).first().click()
  await page.getByRole('textbox', { name: 'Code' }).fill('2339-0')
  expect(await pageFaults(page, 'console-codes-change')).toEqual([])
  await page.getByRole('button', { name: 'Change it' }).click()
  await page.getByText('is mapped to 2339-0.').waitFor()
  await page.goto(`${corridor.url('bridge')}/console/codes?mapped=${systemIds.uuid()}`)
  expect(await page.getByText('is mapped to').count(), 'an address says nothing').toBe(0)
  await page.close()
})

it('takes the acknowledgement of a critical result', async () => {
  const results = [{ code: '2823-3', name: 'Potassium', value: '6.8', unit: 'mmol/L', flag: 'HH' }]
  expect(await send('oru', oruR01({ controlId: 'CRITICAL-1', results }, deps))).toBe('AA')
  const raised = async () => (await api('bridge', 'GET', '/api/alerts')).content.length > 0
  await waitFor(raised, { what: 'the alert', deadlineMs: 30_000 })
  const page = await open('/console/alerts', { expectedErrors: [/401/] })
  const button = page.getByRole('button', { name: /^Acknowledge Potassium 6.8 mmol\/L/ })
  await page.context().clearCookies()
  await button.click()
  await page.getByRole('heading', { name: 'Please sign in again' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill('admin')
  await page.getByLabel('Password').fill('demo')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/alerts')
  await button.waitFor()
  expect(await pageFaults(page, 'console-alerts')).toEqual([])
  await button.click()
  await page.getByText('The result is acknowledged.').waitFor()
  expect(await pageFaults(page, 'console-alerts-empty')).toEqual([])
  await page.getByRole('link', { name: 'Acknowledged' }).click()
  await page.getByRole('cell', { name: 'admin', exact: true }).waitFor()
  expect(await pageFaults(page, 'console-alerts-acknowledged')).toEqual([])
  await page.close()
})

it('shows a clinician the critical results, takes their word by the keyboard, and leads them nowhere else', async () => {
  const person = { patientId: '880077', familyName: 'العمري', givenName: 'سلمى', birthDate: '19910822' }
  const results = [{ code: '2345-7', name: 'Glucose', value: '1.9', unit: 'mmol/L', flag: 'LL' }]
  expect(await send('oru', oruR01({ ...person, controlId: 'CRITICAL-2', results }, deps))).toBe('AA')
  const raised = async () => (await api('bridge', 'GET', '/api/alerts')).content.length > 0
  await waitFor(raised, { what: 'the alert', deadlineMs: 30_000 })
  const page = await signedIn(`${corridor.url('auth')}/portal`, 'clinician', { browser, expectedErrors: [/403/] })
  await page.getByRole('link', { name: 'Critical results' }).click()
  await page.waitForURL('**/console/alerts')
  await page.getByRole('cell', { name: 'Glucose: 1.9 mmol/L, critical low' }).waitFor()
  expect(await pageFaults(page, 'console-alerts-clinician')).toEqual([])
  expect(await page.getByRole('link', { name: 'See it in its message' }).count()).toBe(0)
  // Sound: links have addresses. At that of the referral service nobody listens here.
  const ways = await page
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  for (const way of ways.filter((to) => !to.startsWith(corridor.url('referral')))) {
    expect((await page.request.get(way)).status(), way).toBe(200)
  }
  await tabTo(page, 'Acknowledge Glucose 1.9 mmol/L of سلمى العمري')
  await page.keyboard.press('Enter')
  await page.getByText('The result is acknowledged.').waitFor()
  await page.getByRole('link', { name: 'Acknowledged' }).click()
  await page.getByRole('cell', { name: 'dr-amara', exact: true }).waitFor()
  expect(await pageFaults(page, 'console-alerts-clinician-acknowledged')).toEqual([])
  expect(await looks('dr-amara')).toEqual(expect.arrayContaining(['alert', 'acknowledged']))

  await page.goto(`${corridor.url('bridge')}/console/channels`)
  await page.getByText('This page is for administrators.').waitFor()
  expect(await lookFaults(page, 'console-closed-to-clinician', 'phone')).toEqual([])
  await page.getByRole('link', { name: 'Go to Critical results' }).click()
  await page.waitForURL('**/console/alerts')
  await page.close()
})

it('puts two records that may be one person side by side', async () => {
  const twin = { familyName: 'Twinsworth', birthDate: '19840317', sex: 'F', phone: '+254700111222', city: 'Kisumu' }
  await send('adt', adtA01({ ...twin, givenName: 'Nyambura', patientId: '771', controlId: 'TWIN-1' }, deps))
  await send('adt', adtA01({ ...twin, givenName: 'Wambui', patientId: '772', controlId: 'TWIN-2' }, deps))
  const page = await open('/console/review')
  await page.getByRole('cell', { name: 'Wambui Twinsworth' }).waitFor()
  await page.getByRole('cell', { name: 'Nyambura Twinsworth' }).waitFor()
  expect(await pageFaults(page, 'console-review')).toEqual([])
  await page.getByRole('button', { name: 'One person: Wambui Twinsworth and Nyambura Twinsworth' }).click()
  await page.getByRole('dialog', { name: 'Are they one person?' }).waitFor()
  expect(await lookFaults(page, 'console-review-asked', 'phone')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Two people: Wambui/ }).click()
  await page.getByText('Wambui Twinsworth and Nyambura Twinsworth stay two people').waitFor()
  expect(await pageFaults(page, 'console-review-empty')).toEqual([])

  await send(
    'adt',
    adtA01({ ...twin, givenName: 'Wambui', patientId: '773', controlId: 'TWIN-3', city: 'Busia' }, deps),
  )
  await page.goto(`${corridor.url('bridge')}/console/review?decided=confirm`)
  expect(await page.getByRole('alert').count(), 'an address says nothing').toBe(0)
  await page
    .getByRole('button', { name: /^One person/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'They are one person' }).click()
  await page.getByRole('alert').getByText('are one person now; the two records are merged').waitFor()
  await page.close()
})

it('is for administrators alone', async () => {
  const page = await browser.page({ expectedErrors: [/403/] })
  await page.goto(`${corridor.url('bridge')}/console/messages`)
  await page.getByLabel('User name').fill('clinician')
  await page.getByLabel('Password').fill('demo')
  await page.keyboard.press('Enter')
  await page.getByText('This page is for administrators.').waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
  await page.close()
})

it('shows on a telephone every status in its select, and what failed beside its heading, however long its cause is', async () => {
  const nameless = 'MSH|^~\\&|HIS||HUB|CORRIDOR|20260304||ADT^A01|NAMELESS|P|2.5.1\rPID|1\r'
  expect(await send('adt', nameless)).toBe('AE')
  const page = await open('/console/messages?status=DEAD', phone)
  const status = page.getByLabel('Status')
  expect(await status.locator('option:checked').innerText()).toBe('Dead letter')
  const clipped = await status.evaluate((select: HTMLSelectElement) => {
    const { font, paddingInlineStart } = getComputedStyle(select)
    const context = document.createElement('canvas').getContext('2d')
    if (context === null) return ['no canvas']
    context.font = font
    // As much on the other side, where the arrow stands.
    const room = select.clientWidth - 2 * Number.parseFloat(paddingInlineStart)
    return [...select.options].map(({ text }) => text).filter((text) => context.measureText(text).width > room)
  })
  expect(clipped).toEqual([])
  await page.goto(`${corridor.url('bridge')}/console`)
  const failed = page.locator('td', { hasText: 'AE · REQUIRED_FIELD_MISSING' }).first()
  const [cell, pill] = await Promise.all([failed.boundingBox(), failed.getByText('Failed').boundingBox()])
  expect((pill?.y ?? 0) - (cell?.y ?? 0)).toBeLessThan(10)
  expect(await lookFaults(page, 'console-overview-failed', 'phone')).toEqual([])
  await page.close()
})
