import { existsSync } from 'node:fs'
import { projectRoot } from './project-root.ts'

/** What a reader types for `corridor`: in a checkout it is on nobody's path. */
export const calledAs = (): string =>
  existsSync(new URL('tsconfig.json', projectRoot())) ? 'npm run --silent corridor --' : 'corridor'
