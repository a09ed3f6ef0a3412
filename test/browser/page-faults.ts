import type { Page } from 'playwright-core'
import { accessibilityViolations, colourRules } from '../../packages/testkit/browser/axe.ts'
import { screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { keyboardWalk } from './keyboard-walk.ts'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }
const looks = [
  { look: 'phone-light', size: phone, colorScheme: 'light', check: {} },
  { look: 'phone-dark', size: phone, colorScheme: 'dark', check: { rules: colourRules } },
  { look: 'desktop-light', size: desktop, colorScheme: 'light', check: {} },
  { look: 'desktop-dark', size: desktop, colorScheme: 'dark', check: { rules: colourRules } },
] as const

/** What is wrong with a page: on phone and desktop, light and dark, and for whoever has only a keyboard. */
export async function pageFaults(page: Page, name: string): Promise<string[]> {
  const faults: string[] = []
  for (const { look, size, colorScheme, check } of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await screenshot(page, `${name}-${look}`)
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (overflow > 0) faults.push(`${name}, ${look}: ${overflow} pixels too wide`)
    const violations = await accessibilityViolations(page, check)
    faults.push(...violations.map((violation) => `${name}, ${look}: ${violation}`))
  }
  const { missed, withoutRing } = await keyboardWalk(page)
  faults.push(...missed.map((what) => `${name}: Tab does not reach ${what}`))
  return [...faults, ...withoutRing.map((what) => `${name}: the focus on ${what} cannot be seen`)]
}
