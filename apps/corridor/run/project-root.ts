import { existsSync } from 'node:fs'
import { bug } from '../../../packages/faults/fault.ts'

/** The folder of package.json. It lies above the sources and above `dist` alike, which are not equally deep. */
export function projectRoot(): URL {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder
    if (folder.pathname === '/') throw bug('Corridor was copied without its package.json')
  }
}
