import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const caseFolder = fileURLToPath(new URL('../cases/', import.meta.url))

/** The names of a family's cases, without the ending. */
export const caseNames = (family: string): string[] =>
  readdirSync(`${caseFolder}${family}`)
    .filter((name) => name.endsWith('.hl7'))
    .map((name) => name.slice(0, -'.hl7'.length))

/** The messages of all cases, as text. */
export const caseMessages = (): string[] =>
  readdirSync(caseFolder).flatMap((family) =>
    caseNames(family).map((name) => readFileSync(`${caseFolder}${family}/${name}.hl7`, 'utf8')),
  )
