import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeOptions {
  /** Only these rules, such as `colourRules` after a change of colours; all of them unless said. */
  readonly rules?: readonly string[]
  /** All rules but these, such as `colourRules` where the colours are looked at otherwise. */
  readonly without?: readonly string[]
}

/** The rules whose outcome can change with the colour scheme alone. */
export const colourRules = ['color-contrast', 'link-in-text-block'] as const

/** What axe-core holds against the page, one line each: rule, where, what to do. Empty when nothing is wrong. */
export async function accessibilityViolations(page: Page, { rules, without = [] }: AxeOptions = {}): Promise<string[]> {
  const options = {
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: rules }),
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  }
  // Only what is wrong leaves the page: the rest is a hundred times as much.
  const run = `axe.run(${JSON.stringify(options)}).then((all) => all.violations)`
  const violations =
    (await page.evaluate<Result[] | null>(`'axe' in window ? ${run} : null`)) ??
    (await page.evaluate<Result[]>(`${axeSource};${run}`))
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => `${id} (${impact}) at ${node.target.join(' ')}: ${node.failureSummary}`),
  )
}

// Every page that is looked at gets the source anew, and this is less than half of `axe.source`.
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
