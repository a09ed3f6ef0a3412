import { readFileSync } from 'node:fs'
import { assert } from '../../../packages/faults/fault.ts'
import { projectRoot } from './project-root.ts'

/** The version that package.json names. */
export function corridorVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', projectRoot()), 'utf8'))
  assert(typeof manifest === 'object' && manifest !== null && 'version' in manifest, 'package.json names no version')
  return String(manifest.version)
}
