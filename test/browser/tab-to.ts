import type { Page } from 'playwright-core'

/** Presses Tab until what has this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let stop = 0; stop < stopsMax; stop++) {
    if ((await page.evaluate<string>(focusedName)) === name) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

/** More stops than any page has between one thing and the next that somebody wants. */
const stopsMax = 60

const focusedName = `(({ labels, ariaLabel, innerText }) =>
  (labels?.[0]?.innerText ?? ariaLabel ?? innerText).replace(/\\s+/g, ' ').trim())(document.activeElement)`
