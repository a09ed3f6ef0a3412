import type { Reporter, TestModule } from 'vitest/node'

/**
 * Closes the run with one line that every program can read: `N passed, N failed`. A file that could not even be
 * loaded counts as a failure, so that a syntax error never looks like a green run.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    let skipped = 0
    for (const module of modules) {
      failed += module.errors().length
      // A hook that fails takes its tests along as skipped; the failure itself is the suite's.
      for (const suite of module.children.allSuites()) failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (state === 'failed') failed++
        else skipped++
      }
    }
    const skippedPart = skipped === 0 ? '' : `, ${skipped} skipped`
    process.stdout.write(`\n${passed} passed, ${failed} failed${skippedPart}\n`)
  }
}
