import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Saves the whole page as a picture to look at, when CORRIDOR_SCREENSHOTS names a folder for them. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['CORRIDOR_SCREENSHOTS']
  if (folder === undefined || folder === '') return
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, animations: 'disabled' })
}
