import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Loads a page that does not renew itself until the text is there: what it tells of may still be at work. */
export async function untilShown(page: Page, text: string): Promise<void> {
  const shown = page.getByText(text)
  const look = async () => {
    if ((await shown.count()) === 0) await page.reload()
    return shown.count()
  }
  await expect.poll(look).toBe(1)
}
