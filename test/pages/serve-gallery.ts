import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assetsVersion, readAsset, viewAssets } from '../../packages/views/assets.ts'
import { gallery } from '../../packages/views/fixtures.tsx'
import { renderFragment, renderPage } from '../../packages/views/render.ts'
import { FragmentPage, inlineScriptPage, RefreshedPart } from './odd-pages.tsx'

export interface Gallery {
  readonly url: string
  /** From now on the fragment of `/fragment-page` answers with an error. */
  failFragment(): void
  close(): Promise<void>
}

/** Serves every page of the gallery at `/<name>`, as strictly as a service would, and a few odd ones. */
export async function serveGallery(): Promise<Gallery> {
  const assets = viewAssets()
  const folder = `/assets/${assetsVersion(assets)}/`
  const assetUrl = (name: string) => folder + name
  let fragmentFails = false
  const pages: Record<string, () => string> = {
    'fragment-page': () => renderPage(FragmentPage({ assetUrl })),
    fragment: () => renderFragment(RefreshedPart()),
    'inline-script': () => inlineScriptPage,
  }
  for (const [name, page] of Object.entries(gallery)) pages[name] = () => renderPage(page({ assetUrl }))

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery')
    const asset = assets.find(({ name }) => pathname === assetUrl(name))
    const page = pages[pathname.slice(1)]
    response.setHeader('Content-Security-Policy', contentSecurityPolicy)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (asset !== undefined) response.setHeader('Content-Type', asset.contentType).end(readAsset(asset))
    else if (fragmentFails && pathname === '/fragment') response.writeHead(500).end()
    else if (page !== undefined) response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page())
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Sound: a server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    failFragment: () => (fragmentFails = true),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const contentSecurityPolicy = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
