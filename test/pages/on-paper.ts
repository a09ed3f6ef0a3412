import type { Page } from 'playwright-core'

/** Whether a sheet of paper says whose it is, and whether it has links to itself in other languages. */
export async function onPaper(
  page: Page,
  name: string,
): Promise<{ readonly says: boolean; readonly hasLinks: boolean }> {
  await page.emulateMedia({ media: 'print' })
  const says = await page.getByText(name, { exact: true }).first().isVisible()
  const hasLinks = await page.locator('.languages').isVisible()
  await page.emulateMedia({ media: null })
  return { says, hasLinks }
}
