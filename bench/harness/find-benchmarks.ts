import { readdir } from 'node:fs/promises'
import { incorrect } from '../../packages/faults/fault.ts'
import type { Benchmark } from './benchmark.ts'

/** The benchmarks beside this folder: every file of `bench/` is one, and its default export describes it. */
export async function findBenchmarks(folder: URL, names: readonly string[] = []): Promise<Benchmark[]> {
  const known = await benchmarkFiles(folder)
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw incorrect(`There is no benchmark "${unknown}". There are: ${[...known.keys()].join(', ')}.`)
  }
  const wanted = names.length === 0 ? [...known.keys()] : names
  return Promise.all(wanted.map((name) => load(new URL(known.get(name) ?? '', folder))))
}

async function benchmarkFiles(folder: URL): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((file) => /^[a-z0-9-]+\.(js|ts)$/.test(file)).sort()
  return new Map(files.map((file) => [file.replace(/\.\w+$/, ''), file]))
}

async function load(file: URL): Promise<Benchmark> {
  // Sound: every file of the folder exports what benchmark() makes; a test loads them all.
  const module = (await import(file.href)) as { default: Benchmark }
  return module.default
}
