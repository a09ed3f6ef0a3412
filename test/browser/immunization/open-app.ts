import type { Page } from 'playwright-core'
import type { TestCorridor } from '../../../packages/testkit/test-corridor.ts'

/** Opens the app for a patient from the portal, as a clinician does it. */
export async function openApp(page: Page, corridor: TestCorridor, patient = 'Amina Diallo'): Promise<void> {
  await page.goto(`${corridor.url('auth')}/portal?search=${encodeURIComponent(patient)}`)
  if (page.url().includes('/login')) {
    await page.getByLabel('User name').fill('clinician')
    await page.getByLabel('Password').fill('demo')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/portal*')
    await page.goto(`${corridor.url('auth')}/portal?search=${encodeURIComponent(patient)}`)
  }
  await page.getByRole('link', { name: patient }).first().click()
  await page.getByLabel('App').selectOption('Immunizations')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.waitForURL(`${corridor.url('immunization')}/dashboard`)
}
