import { readFileSync } from 'node:fs'

/** The version that package.json names; it lies above the sources and above `dist` alike. */
export function corridorVersion(): string {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const version = versionIn(new URL('package.json', folder))
    if (version !== undefined) return version
    if (folder.pathname === '/') return '0.0.0'
  }
}

function versionIn(file: URL): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof manifest !== 'object' || manifest === null || !('name' in manifest) || manifest.name !== 'corridor')
      return undefined
    return 'version' in manifest ? String(manifest.version) : undefined
  } catch {
    // Most folders on the way up have no package.json.
    return undefined
  }
}
