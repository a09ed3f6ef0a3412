import type { Page } from 'playwright-core'
import { pressTab } from '../browser/tab-until.ts'

interface KeyboardWalk {
  /** What can be used with a mouse but never took the focus. */
  readonly missed: readonly string[]
  /** What took the focus without showing it. */
  readonly withoutRing: readonly string[]
}

/** Presses Tab until everything that can be used had its turn. */
export async function keyboardWalk(page: Page): Promise<KeyboardWalk> {
  const total = await page.evaluate<number>(`(() => {
    window.walk = { missed: [], withoutRing: [] }
    window.usable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((element) => element.checkVisibility() && !element.disabled && element.closest('dialog') === null)
      // Radio buttons of one name are one stop, at the one that is chosen; the arrows lead on.
      .filter((element) => element.type !== 'radio' || element.checked)
    window.nameOf = (element) => (element.innerText || element.getAttribute('aria-label') || element.name).trim()
    document.addEventListener('focusin', ({ target }) => {
      usable = usable.filter((element) => element !== target)
      const { outlineStyle, outlineWidth } = getComputedStyle(target)
      if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) walk.withoutRing.push(nameOf(target))
    })
    return usable.length
  })()`)
  // Some fields have inner stops of their own: a date has one for the day, the month, the year and the calendar.
  const stopsMax = total + 8
  await pressTab(page, stopsMax)
  return page.evaluate<KeyboardWalk>('({ ...walk, missed: usable.map(nameOf) })')
}
