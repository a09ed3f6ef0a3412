import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureCompiled } from './compile.ts'

describe('the build step', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'corridor-fhir-'))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  it('makes the file once, keeps it, and makes it anew when it belongs to other inputs', () => {
    const file = join(folder, 'deep', 'definitions.json')
    expect(ensureCompiled(file)).toBe('made')
    const first = readFileSync(file, 'utf8')
    expect(ensureCompiled(file)).toBe('kept')
    writeFileSync(file, first.replace(/"fingerprint":"./, '"fingerprint":"x'))
    expect(ensureCompiled(file)).toBe('made')
    expect(readFileSync(file, 'utf8')).toBe(first)
    expect(readdirSync(join(folder, 'deep'))).toEqual(['definitions.json'])
  })

  it('keeps the file small enough to load at every start', () => {
    const file = join(folder, 'definitions.json')
    ensureCompiled(file)
    expect(statSync(file).size).toBeLessThan(1_200_000)
  })
})
