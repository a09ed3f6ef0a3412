import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Fault, faultKinds, unauthenticated } from '../faults/fault.ts'
import { problemOf } from '../faults/render.ts'
import { assetsVersion, readAsset, viewAssets } from './assets.ts'
import { ErrorPage, WorkspaceErrorPage } from './error-page.tsx'
import { gallery } from './fixtures.tsx'
import { renderPage } from './render.ts'
import { inLanguage } from './words/language-links.tsx'
import { languages } from './words/languages.ts'
import { latinIn } from './words/testing/latin-in.ts'
import { kitCatalogues, kitWords } from './words/words.ts'

const assetUrl = (name: string) => `/assets/v/${name}`

describe('every page of the gallery', () => {
  it.each(Object.entries(gallery))('%s is a whole document without inline style, script or handler', (_name, page) => {
    const html = renderPage(page({ assetUrl }))
    expect(html).toMatch(/^<!doctype html><html lang="[a-z]+" dir="(ltr|rtl)">/)
    expect(html).not.toMatch(/<style|<script(?![^>]* src="\/assets\/)[^>]*>|\sstyle=|\son[a-z]+=|javascript:/i)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html.match(/<main/g)).toHaveLength(1)
    expect(html).not.toMatch(/undefined|\[object Object\]|NaN/)
  })

  it.each(Object.entries(gallery))('%s asks only for assets that exist', (_name, page) => {
    const known = new Set(viewAssets().map(({ name }) => name))
    const html = renderPage(page({ assetUrl }))
    const asked = [...html.matchAll(/\/assets\/v\/([^"]+)/g)].map(([, name]) => name)
    expect(asked.filter((name) => name === undefined || !known.has(name))).toEqual([])
  })
})

describe('a page about an error', () => {
  const problem = problemOf(unauthenticated('Your session is over.', { code: 'no_session' }), new Date(0))

  it('leads home, or to where one signs in and comes back from', () => {
    expect(renderPage(<ErrorPage layout={{ assetUrl }} problem={problem} />)).toContain('>Go to the home page</a>')
    const html = renderPage(<ErrorPage layout={{ assetUrl }} problem={problem} signInTo="/console" />)
    expect(html).toContain('href="/sign-in?to=%2Fconsole">Sign in</a>')
    expect(html).not.toContain('home page')
  })

  it.each(faultKinds)('says in the language of its reader what happened and what to do: %s', (kind) => {
    const about = problemOf(
      new Fault(kind, 'The store is away.', { code: 'known', fields: [{ path: 'a', message: 'is wrong' }] }),
      new Date(0),
    )
    const [said] = about.detail.split('.', 1)
    for (const language of languages) {
      const layout = { assetUrl, ...inLanguage(kitWords(language)) }
      const html = renderPage(<ErrorPage layout={layout} problem={about} requestId="r-1" />)
      expect(html).toContain(`<h1>${kitCatalogues[language][`problem_${kind}`]}</h1>`)
      expect(html).toContain(kitCatalogues[language][`advice_${kind}`])
      // What was said to programs stays findable, as what it is.
      expect(html).toContain(language === 'en' ? `<p class="lead">${said}` : `<bdi lang="en">${said}`)
    }
    const arabic = { assetUrl, ...inLanguage(kitWords('ar')) }
    expect(latinIn(renderPage(<ErrorPage layout={arabic} problem={about} requestId="r-1" />))).toEqual([])
  })

  it.each(languages)('sends nobody to sign in where only programs are let in: %s', (language) => {
    const withoutToken = problemOf(unauthenticated('Send an access token.'), new Date(0))
    const layout = { assetUrl, ...inLanguage(kitWords(language)) }
    const html = renderPage(<ErrorPage layout={layout} problem={withoutToken} />)
    expect(html).toContain(`<h1>${kitCatalogues[language].problem_TOKEN_WANTED}</h1>`)
    expect(html).toContain(kitCatalogues[language].advice_TOKEN_WANTED)
    expect(html).not.toContain(kitCatalogues[language].advice_unauthenticated)
  })

  it('keeps whoever is signed in among their pages, in their language', () => {
    const user = { subject: 'amina', name: 'Amina', roles: new Set(['PATIENT']) }
    const layout = {
      assetUrl,
      user,
      addresses: { consent: 'http://c', referral: 'http://r' },
      here: 'consents',
    } as const
    const html = renderPage(
      <WorkspaceErrorPage layout={{ ...layout, ...inLanguage(kitWords('ar')) }} problem={problem} />,
    )
    expect(html).toContain('>الانتقال إلى «الموافقات»</a>')
    expect(latinIn(html)).toEqual([])
    expect(renderPage(<WorkspaceErrorPage layout={layout} problem={problem} />)).toContain('>Go to Consents</a>')
    const again = renderPage(<WorkspaceErrorPage layout={layout} problem={problem} again="/patients/a?x=1" />)
    expect(again).toContain('href="/patients/a?x=1">Try again</a>')
  })

  it('gives a form back that was sent in vain, with all that was typed', () => {
    const user = { subject: 'dr-amara', name: 'Dr Amara', roles: new Set(['CLINICIAN']) }
    const layout = { assetUrl, user, addresses: { consent: 'http://c' }, here: 'consents' } as const
    const fields = [...[['note', 'two\nlines "<b>"'] as const, ['types', 'A'] as const, ['types', 'B'] as const]]
    const html = renderPage(
      <WorkspaceErrorPage layout={layout} problem={problem} again={{ to: '/patients/a/new', fields }} />,
    )
    expect(html).toContain('<form class="actions" method="post" action="/patients/a/new">')
    expect(html).toContain('name="note" value="two\nlines &quot;&lt;b>&quot;"')
    expect(html.match(/name="types" value="[AB]"/g)).toHaveLength(2)
    expect(html).toMatch(/What you wrote is not lost[^]*>Send it again<\/button>/)
  })

  it('would not leave English in it unnoticed', () => {
    expect(latinIn('<html lang="ar"><p aria-label="Close it">اسم <bdi>Ann</bdi> says</p><i lang="en">yes</i>')).toEqual(
      [...['says', 'Close', 'it']],
    )
  })
})

describe('the assets', () => {
  it('have bytes and a content type that the browser will accept', () => {
    for (const asset of viewAssets()) {
      expect(readAsset(asset).length).toBeGreaterThan(0)
      expect(asset.contentType).toMatch(/^(text\/css|text\/javascript|image\/svg\+xml|font\/woff2)/)
    }
  })

  it('include every font that the style sheet names', () => {
    const assets = viewAssets()
    const style = textOf('corridor.css')
    const fonts = [...style.matchAll(/url\(([^)]+)\)/g)].map(([, name]) => name)
    expect(fonts.length).toBeGreaterThan(0)
    expect(fonts.filter((font) => !assets.some(({ name }) => name === font))).toEqual([])
  })

  it('have one version, which changes when any of them does', () => {
    const assets = viewAssets()
    const [first, ...others] = assets
    expect(assetsVersion(assets)).toBe(assetsVersion(viewAssets()))
    expect(assetsVersion(assets)).toMatch(/^[\w-]{12}$/)
    expect(assetsVersion(others)).not.toBe(assetsVersion(assets))
    expect(first && assetsVersion([{ ...first, files: [] }, ...others])).not.toBe(assetsVersion(assets))
  })

  it('keep the whole style sheet under 6 kB and each script under 1 kB, compressed', () => {
    expect(gzipSync(textOf('corridor.css')).length).toBeLessThan(6000)
    for (const { name } of viewAssets().filter((asset) => asset.name.endsWith('.js'))) {
      expect(gzipSync(textOf(name)).length).toBeLessThan(1000)
    }
  })

  it('hold no type annotation in what the browser gets', () => {
    expect(textOf('keyboard.js')).not.toContain(': boolean')
  })
})

function textOf(name: string): string {
  const asset = viewAssets().find((each) => each.name === name)
  return asset === undefined ? '' : readAsset(asset).toString()
}
