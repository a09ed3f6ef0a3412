import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
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
    expect(first.length).toBeLessThan(1_200_000)
    expect(ensureCompiled(file)).toBe('kept')
    writeFileSync(file, first.replace(/"fingerprint":"./, '"fingerprint":"x'))
    expect(ensureCompiled(file)).toBe('made')
    expect(readFileSync(file, 'utf8')).toBe(first)
    expect(readdirSync(join(folder, 'deep'))).toEqual(['definitions.json'])
  })

  it('may run in several threads at once: each ends well and the file is whole', async () => {
    const file = join(folder, 'together', 'definitions.json')
    const run = async () => {
      const worker = new Worker(new URL('./main.ts', import.meta.url), { argv: [file] })
      const [code] = (await once(worker, 'exit')) as [number]
      return code
    }
    expect(await Promise.all([run(), run()])).toEqual([0, 0])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ fhirVersion: '4.0.1' })
    expect(readdirSync(join(folder, 'together'))).toEqual(['definitions.json'])
  })
})
