import { readFileSync } from 'node:fs'

/** What `/actuator/info` tells of a build beside its version. */
export interface BuildInfo {
  readonly time: string
  readonly git?: {
    readonly commit: { readonly id: string; readonly time?: string }
    /** Some of it was not committed yet. */
    readonly dirty?: boolean
  }
}

/** What the build wrote beside this file; nothing where the sources run as they are. */
export function buildInfo(): BuildInfo | undefined {
  try {
    // Sound: only the build writes it, see main.ts.
    return JSON.parse(readFileSync(new URL('build-info.json', import.meta.url), 'utf8')) as BuildInfo
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return undefined
    throw thrown
  }
}
