import { defineConfig } from 'vitest/config'
import { isLongRun } from './packages/testkit/extent.ts'
import { jsx } from './packages/testkit/vitest/jsx.ts'
import LongestFirst from './scripts/longest-first.ts'

// Three workers for two cores, because most tests wait for a database or a browser half of their time: two left 9 % of
// the cores idle. No isolation: isolating each file costs ten times the run (reference: 6 s against 61 s for a thousand
// tests). It is sound because nothing in Corridor is reached through a module-level variable. The workers import the
// sources as Node does, because what Vite's runner makes of an import, a look into an object at every use, costs an
// eighth of the run.
export default defineConfig({
  // For runs that put something in on the way, such as mutants, and so need Vite's runner.
  oxc: { jsx },
  test: {
    pool: 'threads',
    // In the long run there is more to wait for: processes that are killed and started again.
    maxWorkers: isLongRun ? 4 : 3,
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', new URL('packages/testkit/vitest/read-jsx.ts', import.meta.url).href],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['packages/testkit/vitest/database.ts'],
    setupFiles: ['packages/testkit/vitest/seed.ts'],
    reporters: ['default', './scripts/closing-line.ts'],
    include: ['{apps,services,ports,packages,bench,scripts}/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    exclude: ['dist/**', 'node_modules/**'],
    // They end what hangs, and judge nobody's speed: the longest test takes a minute and a half on two cores of its own.
    testTimeout: 300_000,
    // What is polled for comes when it comes: one second is little for a browser or a database on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    hookTimeout: 120_000,
  },
})
