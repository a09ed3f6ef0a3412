import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = process.env['CORRIDOR_SCREENSHOTS'] ?? ''

/** Whether somebody wants to look at the pages: CORRIDOR_SCREENSHOTS names a folder for their pictures. */
export const isPictured = folder !== ''

/** Saves the whole page as a picture to look at, if somebody wants to. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!isPictured) return
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, animations: 'disabled' })
}
