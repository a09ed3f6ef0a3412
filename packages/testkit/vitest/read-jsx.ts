// Given to Node in the workers of vitest, which read the sources as `node` does. Types Node takes away by itself; JSX it
// does not know.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'
import { jsx } from './jsx.ts'

registerHooks({
  load(url, context, next) {
    const { pathname, href } = new URL(url)
    if (!pathname.endsWith('.tsx')) return next(url, context)
    const file = fileURLToPath(href)
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), { jsx })
    const [error] = errors
    if (error !== undefined) throw error
    return { format: 'module', source: code, shortCircuit: true }
  },
})
