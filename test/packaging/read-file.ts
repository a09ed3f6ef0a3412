import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url))

export const readText = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** What a YAML file holds; whoever reads it says of which shape it is. */
export const readYaml = (path: string): unknown => parse(readText(path))
