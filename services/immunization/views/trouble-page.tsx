import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Layout, type LayoutProps } from '../../../packages/views/layout.tsx'
import { WordsContext, type Words } from '../words/words.ts'
import { appStyle, wideScreen } from './app-assets.ts'
import { LanguageLinks } from './app-layout.tsx'

export interface TroubleModel {
  readonly words: Words
  /** The page to try again. */
  readonly address: string
  readonly requestId: string
}

/** The record cannot be read. Nothing of it is shown, not even whose it is. */
export function TroublePage({ model, assetUrl }: { readonly model: TroubleModel } & Pick<LayoutProps, 'assetUrl'>) {
  const { words, address, requestId } = model
  const { text } = words
  return (
    <WordsContext.Provider value={words}>
      <Layout
        title={text('troubleTitle')}
        area={text('appName')}
        home="/dashboard"
        width="narrow"
        lang={words.language}
        dir={words.dir}
        wording={words.wording}
        assetUrl={assetUrl}
        styles={[appStyle]}
        fontMedia={wideScreen}
        footer={<LanguageLinks address={address} />}
      >
        <PageHead title={text('troubleTitle')} lead={text('troubleLead')} />
        <Alert
          tone="bad"
          title={text('troubleWhat')}
          urgent
          actions={
            <Button href={address} look="primary">
              {text('tryAgain')}
            </Button>
          }
        >
          {text('troubleAdvice')}
        </Alert>
        <p class="facts">
          {text('requestNumber')} <code>{requestId}</code>
        </p>
      </Layout>
    </WordsContext.Provider>
  )
}
