import { page, reply } from '../../../../packages/http/answer.ts'
import { bytes, html } from '../../../../packages/http/content.ts'
import { routeFor, type Route } from '../../../../packages/http/route.ts'
import type { StaticAssets } from '../../../../packages/http/static-assets.ts'
import { anyone } from '../../../../packages/http/who.ts'
import { readAsset } from '../../../../packages/views/assets.ts'
import { renderPage } from '../../../../packages/views/render.ts'
import { cvxNamesByCode } from '../../forecast/vaccine-codes.ts'
import type { CertificateKeys } from '../keys.ts'
import { decoderScript, offlineScript, verifyAssets, verifyScript, verifyStyle } from './verify-assets.ts'
import { VerifyPage } from './verify-page.tsx'
import { verifyEnglish } from './verify-words.ts'

export interface VerifyDeps {
  readonly settings: { readonly url: string }
  readonly certificateKeys: Pick<CertificateKeys, 'publicKeys'>
  readonly assetUrl: (name: string) => string
}

const path = '/verify'
const workerPath = `${path}/offline.js`

/** The verification page with everything that it needs. For anybody: who checks a certificate has no account here. */
export function verifyRoutes(): readonly Route<VerifyDeps>[] {
  const assets = verifyAssets()
  return [verifyPage(assets), offlineWorker(), ...assets.routes]
}

const verifyRoute = routeFor<VerifyDeps>()

const verifyPage = (assets: StaticAssets) =>
  verifyRoute({
    method: 'GET',
    path,
    who: anyone,
    summary: 'Checks a health card or a signed certificate in the browser, without sending it anywhere',
    tags: ['Certificate'],
    output: { 200: html },
    run: (_input, { settings, certificateKeys, assetUrl }) => {
      const trusted = { issuer: settings.url.replace(/\/+$/, ''), keys: certificateKeys.publicKeys().keys }
      const model = {
        ...{ words: verifyEnglish, trusted, vaccines: cvxNamesByCode(), worker: workerPath },
        script: assets.urlOf(verifyScript),
        decoder: assets.urlOf(decoderScript),
      }
      const address = (name: string) => (name === verifyStyle ? assets.urlOf(name) : assetUrl(name))
      // The one page that may ask for the camera.
      const headers = { 'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()' }
      return page(renderPage(<VerifyPage model={model} assetUrl={address} home={path} />), { headers })
    },
  })

const offlineWorker = () => {
  const content = readAsset(offlineScript)
  return verifyRoute({
    method: 'GET',
    path: workerPath,
    who: anyone,
    summary: 'Lets the verification page open without a network',
    hidden: true,
    output: { 200: bytes('text/javascript') },
    run: () => reply(200, content, { 'service-worker-allowed': path, 'cache-control': 'no-cache' }),
  })
}
