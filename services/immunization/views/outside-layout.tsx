import type { ComponentChildren } from 'preact'
import { Layout, type LayoutProps } from '../../../packages/views/layout.tsx'
import { inLanguage, LanguageLinks } from '../../../packages/views/words/language-links.tsx'
import { WordsContext, type Words } from '../words/words.ts'
import { appStyle, wideScreen } from './app-assets.ts'

interface OutsideLayoutProps extends Pick<LayoutProps, 'title' | 'assetUrl'> {
  readonly words: Words
  readonly home: string
  /** The page itself, for the links to its other languages; undefined where it cannot be loaded once more. */
  readonly address: string | undefined
  readonly children: ComponentChildren
}

/** The frame of pages that show nothing of a record: before a launch, and when the record cannot be read. */
export function OutsideLayout({ words, address, children, ...layout }: OutsideLayoutProps) {
  return (
    <WordsContext.Provider value={words}>
      <Layout
        {...layout}
        area={words.text('appName')}
        width="narrow"
        {...inLanguage(words)}
        styles={[appStyle]}
        fontMedia={wideScreen}
        footer={address === undefined ? undefined : <LanguageLinks language={words.language} address={address} />}
      >
        {children}
      </Layout>
    </WordsContext.Provider>
  )
}
