import type { Locator, Page } from 'playwright-core'

interface Goal {
  /** The thing itself, or with a name the page that has something of this name. */
  readonly thing: Locator
  readonly name?: string
  /** More stops than any page has: what is not reached by then cannot be reached. */
  readonly stopsMax: number
}

/** Presses Tab until the focus is where it should be. */
export async function tabUntil(page: Page, { thing, name, stopsMax }: Goal): Promise<void> {
  for (let stop = 0; stop <= stopsMax; stop += stopsAtOnce) {
    if (await thing.evaluate(isFocused, name)) return
    await pressTab(page, stopsAtOnce)
  }
  throw new Error(`Tab does not lead to ${name ?? String(thing)}.`)
}

// Asking after every stop costs more than all the presses.
const stopsAtOnce = 8

/** As by a finger that stays on the key: they arrive in order, and nothing has to be waited for in between. */
export async function pressTab(page: Page, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => page.keyboard.down('Tab')))
  await page.keyboard.up('Tab')
}

/** In the page. If the focus is elsewhere, it rests once it is there: Tab leads on when this was asked again. */
function isFocused(thing: Element, name: string | undefined): boolean {
  const kept: Window & { heldTab?: AbortController } = window
  const isThere = () => {
    if (name === undefined) return thing.matches(':focus')
    // Sound: what an element has not is undefined, and something always has the focus, if only the body.
    const { labels, ariaLabel, innerText } = document.activeElement as HTMLInputElement
    return (labels?.[0]?.innerText ?? ariaLabel ?? innerText).replace(/\s+/g, ' ').trim() === name
  }
  kept.heldTab?.abort()
  if (isThere()) return true
  kept.heldTab = new AbortController()
  const { signal } = kept.heldTab
  const rest = (event: KeyboardEvent) => event.key === 'Tab' && isThere() && event.preventDefault()
  document.addEventListener('keydown', rest, { capture: true, signal })
  return false
}
