import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../../packages/testkit/browser/axe.ts'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { openApp } from './immunization/open-app.ts'
import { tabTo } from './tab-to.ts'

let corridor: TestCorridor
let browser: TestBrowser

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'immunization'] })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

const app = (path: string) => `${corridor.url('immunization')}${path}`
const warning = (page: Page) => page.getByText('This session ends in less than five minutes')

describe('the countdown of the session', () => {
  it('warns at five minutes, lets the reader stay, and leads to the start page at the end', async () => {
    await using page = await browser.page()
    await openApp(page, corridor)
    await page.clock.install()
    await page.goto(app('/history'))
    const clock = page.locator('.session-clock time')
    // Half an hour less the minute in which a request may not have been written down.
    expect(await clock.textContent()).toMatch(/^2[89]:/)
    await page.clock.runFor('23:30')
    expect(await warning(page).isVisible()).toBe(false)
    await page.clock.runFor('01:00')
    await warning(page).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await screenshot(page, 'immunization-session-warning')
    await page.getByRole('button', { name: 'Stay' }).click()
    await expect.poll(() => clock.textContent(), { timeout: 20_000 }).toMatch(/^2[89]:/)
    expect(await warning(page).isVisible()).toBe(false)
    await page.clock.runFor('29:30')
    await page.waitForURL(app('/launch?error=session_expired'))
    await page.getByText('The session has ended').waitFor()
  })

  it('warns of the longest time of a session, too, and whoever wants to stay is not promised more', async () => {
    const settings = { 'immunization.sessionSeconds': '1200' }
    await using brief = await testCorridor({ services: ['auth', 'fhir', 'immunization'], settings })
    await using page = await browser.page()
    await openApp(page, brief)
    await page.clock.install()
    await page.goto(`${brief.url('immunization')}/history`)
    const clock = page.locator('.session-clock time')
    expect(await clock.textContent()).toMatch(/^(20:00|19:)/)
    await page.clock.runFor('16:00')
    await warning(page).waitFor()
    const asked = page.waitForResponse('**/api/session')
    await page.getByRole('button', { name: 'Stay' }).click()
    await (await asked).finished()
    const warned = async () => {
      await page.clock.runFor('00:01')
      return warning(page).isVisible()
    }
    await expect.poll(warned).toBe(true)
    expect(await clock.textContent()).toMatch(/^3:/)
    await page.clock.runFor('04:00')
    await page.waitForURL('**/launch?error=session_expired')
  })
})

describe('two patients in one browser', () => {
  it('are noticed: the first tab is covered at once, the new page says what happened', async () => {
    await using first = await browser.page()
    await openApp(first, corridor)
    const second = await first.context().newPage()
    await openApp(second, corridor, 'Kofi Mensah')
    await second.getByText('Another patient was open in this browser before').waitFor()
    await screenshot(second, 'immunization-patient-replaced')

    const dialog = first.getByRole('dialog', { name: 'Another patient is open now' })
    await dialog.waitFor()
    await screenshot(first, 'immunization-patient-changed')
    expect(await accessibilityViolations(first)).toEqual([])
    await first.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByRole('link', { name: 'Go to the patient who is open now' }).click()
    await first.getByText('Kofi Mensah').first().waitFor()
    expect(await first.content()).not.toContain('Amina Diallo')
  })

  it('are noticed when the reader comes back to a tab that had no script running meanwhile', async () => {
    await using first = await browser.page()
    await openApp(first, corridor)
    await first.evaluate(`BroadcastChannel.prototype.dispatchEvent = () => true`)
    const frozen = await first.context().newPage()
    await frozen.goto(app('/history'))
    await openApp(first, corridor, 'Kofi Mensah')
    await frozen.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await frozen.getByRole('dialog', { name: 'Another patient is open now' }).waitFor()
    // What was shown before is covered for eyes and ears alike.
    expect(await frozen.getByRole('table').count()).toBe(0)
  })
})

describe('with the keyboard alone', () => {
  it('a clinician goes from the portal through every page to the file of the health card', async () => {
    await using page = await browser.page()
    await page.goto(`${corridor.url('auth')}/portal`)
    const { keyboard } = page
    await tabTo(page, 'User name')
    await keyboard.type('clinician')
    await tabTo(page, 'Password')
    await keyboard.type('demo')
    await keyboard.press('Enter')
    await page.waitForURL('**/portal')
    await keyboard.press('/')
    await keyboard.type('diallo')
    await page.waitForURL('**/portal?search=diallo')
    await page.getByRole('region', { name: 'Patients', exact: true }).getByRole('link', { name: 'Amina' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Open an app' }).waitFor()
    await tabTo(page, 'Open')
    await keyboard.press('Enter')
    await page.waitForURL(app('/dashboard'))

    await tabTo(page, 'History')
    await keyboard.press('Enter')
    await page.waitForURL(app('/history'))
    await tabTo(page, 'Vaccine')
    await keyboard.type('208')
    await tabTo(page, 'Filter')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: '3 of 12' }).waitFor()
    await tabTo(page, 'What is due 2')
    await keyboard.press('Enter')
    await page.waitForURL(app('/recommendations'))
    await tabTo(page, 'Certificate')
    await keyboard.press('Enter')
    await page.waitForURL(app('/certificate'))
    await tabTo(page, 'What the code says')
    await keyboard.press('Enter')
    await page.getByText('"typ":"icao.vacc"').waitFor()
    await tabTo(page, 'Health card')
    await keyboard.press('Enter')
    await page.waitForURL(app('/certificate/health-card'))
    await screenshot(page, 'immunization-health-card')
    expect(await accessibilityViolations(page)).toEqual([])
    await tabTo(page, 'Download the file')
    const download = page.waitForEvent('download')
    await keyboard.press('Enter')
    expect((await download).suggestedFilename()).toBe('vaccinations.smart-health-card')
    await tabTo(page, 'Sign out')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign out of Corridor?' }).waitFor()
    await tabTo(page, 'Sign out')
    await keyboard.press('Enter')
    await page.getByText('You are signed out').waitFor()
  })
})
