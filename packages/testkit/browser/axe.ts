import axe from 'axe-core'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'

export interface AxeOptions {
  /** Only these rules, such as `colourRules` after a change of colours; all of them unless said. */
  readonly rules?: readonly string[]
}

/** The rules whose outcome can change with the colour scheme alone. */
export const colourRules = ['color-contrast', 'link-in-text-block'] as const

/** What axe-core holds against the page, one line each: rule, where, what to do. Empty when nothing is wrong. */
export async function accessibilityViolations(page: Page, { rules }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) }
  // Only what is wrong leaves the page: the rest is a hundred times as much.
  const violations = await page.evaluate<Result[]>(`axe.run(${JSON.stringify(options)}).then((all) => all.violations)`)
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}) at ${node.target.join(' ')}: ${node.failureSummary}`),
  )
}
