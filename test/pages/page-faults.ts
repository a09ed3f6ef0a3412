import type { Page } from 'playwright-core'
import { accessibilityViolations as axe, colourRules } from '../../packages/testkit/browser/axe.ts'
import { contrastFaults } from '../../packages/testkit/browser/contrast.ts'
import { isPictured, screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { keyboardWalk } from './keyboard-walk.ts'

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1280, height: 800 }
/** Contrast costs axe twice as much as all other rules together: it judges the gallery's, where each part stands once. */
const withOwnContrast = async (page: Page) => [
  ...(await axe(page, { without: colourRules })),
  ...(await contrastFaults(page)),
]
const phoneLight = { look: 'phone-light', size: phone, colorScheme: 'light', check: contrastFaults } as const
/** What axe finds otherwise hangs on the structure, of which a desktop shows all. */
const desktopDark = { look: 'desktop-dark', size: desktop, colorScheme: 'dark', check: withOwnContrast } as const
/** Width and colours depend on nothing of each other: two looks see each of both, and all four are for people's eyes. */
const looks: readonly Look[] = isPictured
  ? [
      phoneLight,
      { look: 'phone-dark', size: phone, colorScheme: 'dark', check: contrastFaults },
      { look: 'desktop-light', size: desktop, colorScheme: 'light', check: contrastFaults },
      desktopDark,
    ]
  : [phoneLight, desktopDark]
const phoneAlone: readonly Look[] = [{ ...phoneLight, check: withOwnContrast }]

interface Look {
  readonly look: string
  readonly size: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
  readonly check: (page: Page) => Promise<readonly string[]>
}

/**
 * What is wrong with a page: on phone and desktop, light and dark, and for whoever has only a keyboard. Afterwards it is
 * as wide as a desktop.
 */
export async function pageFaults(page: Page, name: string): Promise<string[]> {
  // What is renewed loses the marks of the walk, so it rests meanwhile: it believes to be busy.
  await renewing(page, false)
  const faults = await lookFaults(page, name)
  const { missed, withoutRing } = await keyboardWalk(page)
  await renewing(page, true)
  return [
    ...faults,
    ...missed.map((what) => `${name}: Tab does not reach ${what}`),
    ...withoutRing.map((what) => `${name}: the focus on ${what} cannot be seen`),
  ]
}

/** What can be seen to be wrong; on a telephone alone where that is enough. */
export async function lookFaults(page: Page, name: string, where: 'everywhere' | 'phone' = 'everywhere') {
  const faults: string[] = []
  await page.waitForLoadState()
  for (const { look, size, colorScheme, check } of where === 'phone' ? phoneAlone : looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await screenshot(page, `${name}-${look}`)
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (overflow > 0) faults.push(`${name}, ${look}: ${overflow} pixels too wide`)
    faults.push(...(await check(page)).map((fault) => `${name}, ${look}: ${fault}`))
  }
  return faults
}

const renewing = (page: Page, isOn: boolean) =>
  page.evaluate<unknown>(`
    if (${isOn}) document.activeElement?.blur()
    for (const part of document.querySelectorAll('[data-refresh]')) part.ariaBusy = '${!isOn}'`)
