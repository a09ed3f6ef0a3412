import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assetsVersion, readAsset, viewAssets } from '../../packages/views/assets.ts'
import { gallery } from '../../packages/views/fixtures.tsx'
import { renderPage } from '../../packages/views/render.ts'

/** Serves every page of the gallery at `/<name>`, as strictly as a service would. */
export async function serveGallery(port = 0): Promise<{ readonly url: string } & AsyncDisposable> {
  const assets = viewAssets()
  const folder = `/assets/${assetsVersion(assets)}/`
  const assetUrl = (name: string) => folder + name
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery')
    const asset = assets.find(({ name }) => pathname === assetUrl(name))
    const page = gallery[pathname.slice(1)]
    response.setHeader('Content-Security-Policy', contentSecurityPolicy)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    if (asset !== undefined) response.setHeader('Content-Type', asset.contentType).end(readAsset(asset))
    else if (page !== undefined) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(renderPage(page({ assetUrl })))
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // Sound: a server that listens on TCP has an address with a port.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const contentSecurityPolicy = "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
