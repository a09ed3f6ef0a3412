import type { Page } from 'playwright-core'

/** Collects, from now on, what the browser holds against a page. Chromium reports CSP violations as console errors. */
export function complaintsOf(page: Page, expected: readonly RegExp[]): readonly string[] {
  const complaints: string[] = []
  const complain = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) complaints.push(text)
  }
  page.on('console', (message) => {
    if (message.type() === 'error') complain(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complain(`uncaught: ${error.message}`))
  return complaints
}
