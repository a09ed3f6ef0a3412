import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// The corpora are other people's messages and resources; they lie outside the project and are read from there.
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/corpus/**/*.corpus.ts'], testTimeout: 600_000, hookTimeout: 120_000 },
})
