import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unauthenticated } from '../faults/fault.ts'
import { problemOf } from '../faults/render.ts'
import { assetsVersion, readAsset, viewAssets } from './assets.ts'
import { ErrorPage } from './error-page.tsx'
import { gallery } from './fixtures.tsx'
import { renderPage } from './render.ts'

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
