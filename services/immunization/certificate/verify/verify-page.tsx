import { Button } from '../../../../packages/views/components/button.tsx'
import { Card } from '../../../../packages/views/components/card.tsx'
import { PageHead } from '../../../../packages/views/components/page-head.tsx'
import { Layout, type LayoutProps } from '../../../../packages/views/layout.tsx'
import { appStyle } from '../../views/app-assets.ts'
import type { PublicSigningKey } from '../keys/public-signing-key.ts'
import { verifyStyle } from './verify-assets.ts'
import type { VerifyWords } from './verify-words.ts'

export interface VerifyPageModel {
  readonly words: VerifyWords
  /** The addresses of which certificates must name one as their issuer, and the keys: all that checking needs. */
  readonly trusted: { readonly issuers: readonly string[]; readonly keys: readonly PublicSigningKey[] }
  /** CVX code to name. */
  readonly vaccines: Readonly<Record<string, string>>
  /** Addresses of the page's own modules. */
  readonly script: string
  readonly decoder: string
  readonly worker: string
  /** Where the keys of today are, for a page that has been open for long. */
  readonly keySet: string
}

type VerifyPageProps = { readonly model: VerifyPageModel } & Pick<
  LayoutProps,
  'assetUrl' | 'area' | 'home' | 'lang' | 'dir' | 'wording' | 'footer'
>

/** Checks a health card or a signed certificate, in the browser alone. */
export function VerifyPage({ model, ...layout }: VerifyPageProps) {
  const { words } = model
  return (
    <Layout
      title={words.title}
      width="narrow"
      {...layout}
      styles={[appStyle, verifyStyle]}
      moreScripts={[model.script]}
    >
      <PageHead title={words.title} lead={words.lead} />
      <noscript>
        <p class="alert warning">{words.needsScript}</p>
      </noscript>
      <VerdictSection words={words} />
      <form id="verify" class="verify stack" data-settings={JSON.stringify(settingsOf(model))}>
        <output id="verify-notice" class="verify-notice" />
        <Card title={words.camera}>
          <div class="stack">
            <p>{words.cameraText}</p>
            <video id="camera-view" class="camera-view" aria-label={words.cameraView} muted playsInline hidden />
            <div class="actions">
              <button id="camera-start" class="button primary" type="button" aria-pressed="false">
                {words.cameraStart}
              </button>
            </div>
          </div>
        </Card>
        <Card title={words.file}>
          <div class="field">
            <label for="certificate-file">{words.fileHint}</label>
            <input id="certificate-file" type="file" accept="image/*,.smart-health-card,.json,.txt" />
          </div>
        </Card>
        <Card title={words.text}>
          <div class="stack">
            <div class="field">
              <label for="certificate-text">{words.textHint}</label>
              <textarea id="certificate-text" dir="ltr" rows={3} autocomplete="off" spellcheck={false} required />
            </div>
            <div class="actions">
              <Button look="primary">{words.check}</Button>
            </div>
          </div>
        </Card>
      </form>
    </Layout>
  )
}

/** Empty until something was checked; the script fills it and puts the focus on its title. */
function VerdictSection({ words }: { readonly words: VerifyWords }) {
  return (
    <section id="verdict" class="card verdict stack" aria-labelledby="verdict-title" hidden>
      <h2 id="verdict-title" tabIndex={-1}>
        {words.invalid}
      </h2>
      <p id="verdict-reason" />
      <div id="certified" class="stack" hidden>
        <dl class="definitions">
          {(
            [
              [words.name, 'certified-name'],
              [words.birthDate, 'certified-birth'],
              [words.issued, 'certified-issued'],
            ] as const
          ).map(([term, id]) => (
            <div key={id}>
              <dt>{term}</dt>
              <dd>
                <bdi id={id} />
              </dd>
            </div>
          ))}
        </dl>
        <p>{words.identity}</p>
        <ul id="certified-doses" class="certified-doses" aria-label={words.doses} />
      </div>
    </section>
  )
}

/** What the script reads, see browser/verify/verify.ts. */
function settingsOf({ words, trusted, vaccines, decoder, worker, keySet }: VerifyPageModel) {
  const { valid, invalid, doubts, unknownVaccine, lot, givenBy, cameraRefused, noCode } = words
  return {
    trusted,
    vaccines,
    decoder,
    worker,
    keySet,
    cameraRefused,
    noCode,
    words: { valid, invalid, doubts, unknownVaccine, doseDetail: { lot, givenBy } },
  }
}
