import { globSync } from 'node:fs'

/** The paths in the repository of what ships, by their endings: `ts`, `tsx`, `sql`. */
export const shippedFiles = (...endings: readonly string[]): string[] =>
  globSync(
    endings.map((ending) => `{apps,packages,ports,services}/**/*.${ending}`),
    { cwd: new URL('../../', import.meta.url) },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !notShipped.test(path))
    .sort()

const notShipped = /\.test\.tsx?$|\.d\.ts$|\/(?:testing|testkit|fixtures|test|evaluation)\//
