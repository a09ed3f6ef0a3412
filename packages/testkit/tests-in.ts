import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/** What a file of tests does, as text: without its comments. A file in which a test is passed over is none. */
export function testsIn(file: URL): string {
  const text = readFileSync(file, 'utf8')
  const { comments, errors } = parseSync(fileURLToPath(file), text)
  if (errors.length > 0) throw new Error(`${file.pathname} cannot be read: ${errors[0]?.message}`)
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
  if (passedOver.test(code)) throw new Error(`${file.pathname} passes over a test: it proves nothing of what it names.`)
  return code
}

const passedOver = /\b(?:it|test|describe)\.(?:skip|todo|fails)\b/
