import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { adtA01, adtA08, type Hl7Fields } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../packages/testkit/tokens.ts'
import { KeyboardHand } from './keyboard-hand.ts'

let corridor: TestCorridor
let browser: TestBrowser
const deps = { clock: systemClock, ids: systemIds }
/** The hosts that pages asked for anything. */
const asked = new Set<string>()

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'referral', 'bridge'] })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

/** Somebody without a mouse, signed in at a service. */
async function atKeyboard(service: 'bridge' | 'consent' | 'referral', path: string, user: string) {
  const page = await browser.page()
  page.on('request', (request) => asked.add(new URL(request.url()).hostname))
  const url = `${corridor.url(service)}${path}`
  await page.goto(url)
  const hand = new KeyboardHand(page)
  await hand.signIn(user)
  await page.waitForURL(url)
  return hand
}

const adtPort = () => corridor.configuration.bridge.channels.adt.port

async function send(text: string): Promise<string> {
  await using his = await openHl7Sender({ host: '127.0.0.1', port: adtPort() })
  return (await his.send(text)).ackCode
}

async function api<Answer>(service: 'bridge' | 'consent', method: string, path: string, body?: object) {
  const wish: TokenWish = { role: 'ADMIN', scope: 'system/*.cruds' }
  const headers = { authorization: await corridor.bearerFor(wish), 'content-type': 'application/json' }
  const url = `${corridor.url(service)}${path}`
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  // Sound: every caller names what the call answers.
  return (await answer.json()) as Answer
}

/** The patient that the exchange knows after an admission. */
async function admitted(person: Hl7Fields, controlId: string): Promise<string> {
  expect(await send(adtA01({ ...person, controlId }, deps))).toBe('AA')
  const path = `/api/transactions?controlId=${controlId}`
  const { content } = await api<{ content: { patient: string }[] }>('bridge', 'GET', path)
  return content[0]?.patient ?? ''
}

it('finds a failed message, says why, mends the cause and sees it succeed', async () => {
  const person = { patientId: '880011', familyName: 'Mwangi', givenName: 'Wanjiru', birthDate: '19910822' }
  const patientId = await admitted(person, 'KEYS-1')
  const { id } = await api<{ id: number }>('consent', 'POST', '/api/consent', { patientId, provisionType: 'deny' })
  expect(await send(adtA08({ ...person, controlId: 'KEYS-2', city: 'Nakuru' }, deps))).toBe('AR')

  const hand = await atKeyboard('bridge', '/console', 'admin')
  const { page } = hand
  const openFailed = async () => {
    await hand.follow(/^Messages$/)
    await page.waitForURL('**/console/messages')
    await hand.search('Nakuru')
    await page.waitForURL('**q=Nakuru**')
    await hand.enter(page.getByRole('table').getByRole('link'))
  }
  await openFailed()
  await page.getByText(`denied by consent record ${id}`).waitFor()
  await screenshot(page, 'keys-refused')
  await hand.follow(`See consent ${id}`)
  await page.waitForURL(`**/patients/*#consent-${id}`)
  await hand.follow(`Revoke consent ${id}`)
  await page.waitForURL('**/revoke')
  await hand.press('Revoke it')
  await page.getByText(`Consent ${id} is revoked.`).waitFor()
  await hand.follow(/^Console$/)
  await page.waitForURL('**/console')
  await openFailed()
  await hand.press('Retry')
  await page.getByText('It went through all stages.').waitFor()
  await page.close()
})

it('pauses a channel and resumes it', async () => {
  const hand = await atKeyboard('bridge', '/console', 'admin')
  const { page } = hand
  await hand.follow(/^Channels$/)
  await page.waitForURL('**/console/channels')
  await hand.press('Pause ADT')
  await hand.enter(page.getByRole('dialog').getByRole('button', { name: 'Pause the channel' }))
  await page.locator('tr', { hasText: 'ADT' }).getByText('Paused').waitFor()
  await expect(send(adtA08({ controlId: 'KEYS-3' }, deps))).rejects.toThrow('ECONNREFUSED')
  await hand.press('Resume ADT')
  await page.locator('tr', { hasText: 'ADT' }).getByText('Listening').waitFor()
  await page.waitForLoadState()
  expect(await send(adtA08({ controlId: 'KEYS-3' }, deps))).toBe('AA')
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Go to the search').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.waitForURL('**/console/messages#search')
  expect(await page.getByRole('searchbox').evaluate((box) => box.matches(':focus'))).toBe(true)
  await page.close()
})

it('takes a referral from draft to completed, two clinicians of two facilities', async () => {
  const amara = await atKeyboard('referral', '/', 'clinician')
  await amara.follow('New referral')
  await amara.page.waitForURL('**/new')
  await amara.search('Diallo')
  await amara.page.waitForURL('**/new?search=*')
  await amara.follow(/Amina/)
  await amara.page.waitForURL('**/new?patient=*')
  await amara.choose(/^To$/, 'Lakeside')
  await amara.type('What is asked', 'Antenatal care')
  await amara.choose(/^Priority/, 'Urgent')
  await amara.tick('Results and vital signs')
  await amara.press('Keep as draft')
  await amara.page.waitForURL('**/referrals/*')
  await amara.page.getByText('Permitted').first().waitFor()
  await amara.press('Send')
  await amara.page.locator('.pill', { hasText: 'Not yet seen' }).waitFor()

  const baraka = await atKeyboard('referral', '/', 'clinician2')
  await baraka.follow(/Antenatal/)
  for (const step of ['Mark as received', 'Accept', 'Begin', 'Complete']) await baraka.press(new RegExp(`^${step}$`))
  const dialog = baraka.page.getByRole('dialog')
  await baraka.goTo(dialog.getByRole('textbox', { name: /^Note/ }))
  await baraka.page.keyboard.type('Seen; all is well.')
  await baraka.enter(dialog.getByRole('button', { name: 'Complete', exact: true }))
  await baraka.page.getByText('Seen; all is well.').first().waitFor()

  await amara.follow(/^Mine$/)
  await amara.follow(/Antenatal/)
  await amara.page.getByText('Seen; all is well.').first().waitFor()
  expect(await amara.page.locator('.pill').first().innerText()).toBe('Completed')
  await Promise.all([amara, baraka].map(({ page }) => page.close()))
})

it('revokes a consent as a privacy officer, sees the next message refused and why', async () => {
  const person = { patientId: '880044', familyName: 'Achieng', givenName: 'Atieno', birthDate: '19770101' }
  const lakeside = { ...person, sendingFacility: 'LAKESIDE' }
  const patientId = await admitted(lakeside, 'OFFICER-1')
  // Without the policy of the demo, the patient's own word is all that lets the facility write.
  const all = '/api/consent/admin/org/lakeside-clinic'
  const policies = await api<{ content: { id: number }[] }>('consent', 'GET', all)
  for (const { id } of policies.content) await api('consent', 'POST', `/api/consent/${id}/revoke`)

  const hand = await atKeyboard('consent', `/${patientId.replace('Patient/', 'patients/')}`, 'admin')
  const { page } = hand
  await hand.follow('Record a consent')
  await page.waitForURL('**/new')
  await hand.choose(/^Who$/, 'Lakeside')
  await hand.choose(/^Do what$/, 'Read and write')
  await hand.goTo(page.getByLabel('Only the kinds that are ticked below'))
  await page.keyboard.press('ArrowDown')
  await hand.press('See what it changes')
  await page.getByText('will be able to read and write everything in the record').waitFor()
  await hand.press('Keep it')
  await page.waitForURL('**?kept=*')
  expect(await send(adtA08({ ...lakeside, controlId: 'OFFICER-2', city: 'Homa Bay' }, deps))).toBe('AA')

  await hand.follow(/^Revoke consent/)
  await page.getByText('will no longer be able to read and write everything').waitFor()
  await hand.type('Reason', 'She has moved to another clinic.')
  await hand.press('Revoke it')
  const notice = await page.getByText(/^Consent \d+ is revoked\.$/).innerText()
  const number = /\d+/.exec(notice)?.[0] ?? ''
  expect(await send(adtA08({ ...lakeside, controlId: 'OFFICER-3', city: 'Kendu Bay' }, deps))).toBe('AR')

  await hand.follow(/^Console$/)
  await page.waitForURL('**/console')
  await hand.follow(/^Messages$/)
  await page.waitForURL('**/console/messages')
  await hand.search('Kendu Bay')
  await page.waitForURL('**q=Kendu**')
  await hand.enter(page.getByRole('table').getByRole('link'))
  await page.getByText('The patient does not let this facility write.').waitFor()
  await page.getByText('no consent record permits it').waitFor()
  await page.getByText('What stood against it: status inactive').waitFor()
  await screenshot(page, 'keys-officer-refused')
  await hand.follow(`See consent ${number}`)
  await page.waitForURL(`**/patients/*#consent-${number}`)
  await page.locator('.pill', { hasText: 'Revoked' }).waitFor()
  await screenshot(page, 'keys-officer-consent')
  await page.close()
})

it('asks no other host for anything', () => {
  expect([...asked]).toEqual(['localhost'])
})
