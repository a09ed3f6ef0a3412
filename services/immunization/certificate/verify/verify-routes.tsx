import { page, reply } from '../../../../packages/http/answer.ts'
import { bytes, html } from '../../../../packages/http/content.ts'
import { text } from '../../../../packages/http/fields.ts'
import { routeFor, type Route } from '../../../../packages/http/route.ts'
import type { StaticAssets } from '../../../../packages/http/static-assets.ts'
import { anyone } from '../../../../packages/http/who.ts'
import { readAsset } from '../../../../packages/views/assets.ts'
import { renderPage } from '../../../../packages/views/render.ts'
import { LanguageLinks } from '../../../../packages/views/words/language-links.tsx'
import { languageOf, rememberLanguage } from '../../../../packages/views/words/choose-language.ts'
import type { Language } from '../../../../packages/views/words/languages.ts'
import { WordsContext, wordsOf } from '../../words/words.ts'
import { cvxNamesByCode } from '../../forecast/vaccine-codes.ts'
import type { CardIssuers } from '../card-issuers.ts'
import type { CertificateKeys } from '../keys.ts'
import { certificateKeySet } from './key-set-route.ts'
import { decoderScript, offlineScript, verifyAssets, verifyScript, verifyStyle } from './verify-assets.ts'
import { VerifyPage } from './verify-page.tsx'
import type { VerifyWords } from './verify-words.ts'
import { ar } from './words/ar.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { sw } from './words/sw.ts'

export interface VerifyDeps {
  readonly settings: { readonly isSecure: boolean }
  readonly cardIssuers: Pick<CardIssuers, 'all'>
  readonly certificateKeys: Pick<CertificateKeys, 'publicKeys'>
  readonly assetUrl: (name: string) => string
}

const catalogues: Readonly<Record<Language, VerifyWords>> = { en, fr, es, ar, sw }

const path = '/verify'
const workerPath = `${path}/offline.js`

/** The verification page with everything that it needs. For anybody: who checks a certificate has no account here. */
export function verifyRoutes(): readonly Route<VerifyDeps>[] {
  const assets = verifyAssets()
  return [certificateKeySet, verifyPage(assets), offlineWorker(), ...assets.routes]
}

const verifyRoute = routeFor<VerifyDeps>()

const verifyPage = (assets: StaticAssets) =>
  verifyRoute({
    method: 'GET',
    path,
    who: anyone,
    summary: 'Checks a health card or a signed certificate in the browser, without sending it anywhere',
    tags: ['Certificate'],
    input: { query: { lang: text({ max: 20, optional: true }) } },
    output: { 200: html },
    run: ({ query, request }, { settings, cardIssuers, certificateKeys, assetUrl }) => {
      const words = wordsOf(languageOf(request, query.lang, settings))
      const trusted = { issuers: cardIssuers.all(), keys: certificateKeys.publicKeys().keys }
      const model = {
        ...{ words: catalogues[words.language], trusted, vaccines: cvxNamesByCode(), worker: workerPath },
        keySet: certificateKeySet.path,
        script: assets.urlOf(verifyScript),
        decoder: assets.urlOf(decoderScript),
      }
      const address = (name: string) => (name === verifyStyle ? assets.urlOf(name) : assetUrl(name))
      // The one page that may ask for the camera.
      const devices = 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()'
      const markup = renderPage(
        <WordsContext.Provider value={words}>
          <VerifyPage
            model={model}
            assetUrl={address}
            area={words.text('appName')}
            home={path}
            lang={words.language}
            dir={words.dir}
            wording={words.wording}
            footer={<LanguageLinks language={words.language} address={path} />}
          />
        </WordsContext.Provider>,
      )
      return page(markup, { headers: { 'permissions-policy': devices, ...rememberLanguage(query.lang, settings) } })
    },
  })

const offlineWorker = () => {
  const content = readAsset(offlineScript)
  const headers = {
    ...{ 'service-worker-allowed': path, 'cache-control': 'no-cache' },
    // What it asks the network for is held to the policy of its script; under that of data it would reach nobody.
    'content-security-policy': "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
  }
  return verifyRoute({
    method: 'GET',
    path: workerPath,
    who: anyone,
    summary: 'Lets the verification page open without a network',
    hidden: true,
    output: { 200: bytes('text/javascript') },
    run: () => reply(200, content, headers),
  })
}
