import type { Page } from 'playwright-core'
import { tabUntil } from './tab-until.ts'

/** Presses Tab until what has this name has the focus. */
export function tabTo(page: Page, name: string): Promise<void> {
  return tabUntil(page, { thing: page.locator('html'), name, stopsMax })
}

/** More stops than any page has between one thing and the next that somebody wants. */
const stopsMax = 60
