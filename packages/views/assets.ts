import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { pathToFileURL } from 'node:url'

export interface ViewAsset {
  /** The last part of the address; style sheets refer to fonts by it. */
  readonly name: string
  /** Served one after the other as one: the style sheet is written in parts and asked for once. */
  readonly files: readonly URL[]
  readonly contentType: string
}

/**
 * Every file that a page may ask for. They are served together under one folder whose name is a function of all their
 * contents (`/assets/<assetsVersion>/<name>`): the answers may be cached for ever, and a style sheet's relative
 * `url(inter-latin.woff2)` still finds its neighbour.
 */
export function viewAssets(): ViewAsset[] {
  return [
    asset('corridor.css', ...styleSheets.map((name) => new URL(`./styles/${name}`, import.meta.url))),
    asset('docs.css', new URL('./styles/docs.css', import.meta.url)),
    asset('languages.css', languagesStyle),
    ...browserModules.map((name) =>
      asset(name, new URL(`./browser/${name.replace('.js', moduleEnding)}`, import.meta.url)),
    ),
    asset('logo.svg', new URL('./logo.svg', import.meta.url)),
    asset('inter-latin.woff2', font('inter-latin-wght-normal.woff2')),
    asset('inter-latin-ext.woff2', font('inter-latin-ext-wght-normal.woff2')),
  ]
}

/** For pages in several languages; a service with a style sheet of its own puts it in there. */
export const languagesStyle = new URL('./styles/languages.css', import.meta.url)

/** In the order of their cascade layers. */
const styleSheets = [
  'reset.css',
  'tokens.css',
  'base.css',
  'layout.css',
  'controls.css',
  'data.css',
  'drawings.css',
  'feedback.css',
  'print.css',
]

const browserModules = [
  'local-time.js',
  'keyboard.js',
  'refresh-fragment.js',
  'filter-list.js',
  'form-preview.js',
  'in-place.js',
  'submit-once.js',
] as const

export type BrowserModule = (typeof browserModules)[number]

/** The bytes to serve. Run from source (tests), a browser module is still TypeScript and loses its types here. */
export function readAsset({ files }: ViewAsset): Buffer {
  return Buffer.concat(
    files.map((file) => {
      const bytes = readFileSync(file)
      return file.pathname.endsWith('.ts') ? Buffer.from(stripTypeScriptTypes(bytes.toString())) : bytes
    }),
  )
}

/** Changes when any asset changes, and only then, so copies of a service on several machines agree on it. */
export function assetsVersion(assets: readonly ViewAsset[] = viewAssets()): string {
  return versionOf(assets.map((each) => ({ name: each.name, content: readAsset(each) })))
}

/** The same of files that were read. */
export function versionOf(files: readonly { readonly name: string; readonly content: Uint8Array }[]): string {
  const hash = createHash('sha256')
  for (const { name, content } of files) hash.update(name).update('\0').update(content).update('\0')
  return hash.digest('base64url').slice(0, 12)
}

const moduleEnding = import.meta.url.endsWith('.ts') ? '.ts' : '.js'

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

function asset(name: string, ...files: readonly URL[]): ViewAsset {
  return { name, files, contentType: contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream' }
}

function font(name: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(`@fontsource-variable/inter/files/${name}`))
}
