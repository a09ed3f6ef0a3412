import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
// Sound: npm writes both files in these forms.
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, LockedPackage>> }
const { dependencies, devDependencies } = read('package.json') as Readonly<
  Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
>
const locked = Object.entries(packages).filter(([path]) => path !== '')
const atRunTime = locked.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)

describe('what comes from others', () => {
  it('is little: at most 15 packages that we name, and no more in all that run than there are now', () => {
    // Fonts are files that we serve, not code that runs.
    const named = Object.keys(dependencies).filter((name) => !name.startsWith('@fontsource'))
    expect(named.length).toBeLessThanOrEqual(15)
    // One of each family of builds for a system is installed, whichever it is.
    const running = atRunTime.filter(([, { optional }]) => optional !== true)
    expect(running.length).toBeLessThanOrEqual(93)
  })

  it('is one exact version each, with the hash of its content', () => {
    const wanted = Object.entries({ ...dependencies, ...devDependencies })
    expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
    expect(locked.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
  })

  it('names no address to load it from', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  it('runs nothing when it is installed', () => {
    expect(readFileSync(new URL('../../.npmrc', import.meta.url), 'utf8')).toMatch(/^ignore-scripts=true$/m)
  })
})
