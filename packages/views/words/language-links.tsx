import type { LayoutProps } from '../layout.tsx'
import { languages, type Language } from './languages.ts'
import { kitCatalogues, type Words } from './words.ts'

/** What makes a page one of a language, as its layout takes it. */
export const inLanguage = ({ language, dir, wording }: Pick<Words, 'language' | 'dir' | 'wording'>) =>
  ({ lang: language, dir, wording }) satisfies Partial<LayoutProps>

/** The same of a page that offers the others: its address, with its choices. */
export const amongLanguages = (words: Pick<Words, 'language' | 'dir' | 'wording'>, address: string) =>
  ({
    ...inLanguage(words),
    styles: ['languages.css'],
    footer: <LanguageLinks language={words.language} address={address} />,
  }) satisfies Partial<LayoutProps>

interface LanguageLinksProps {
  /** That of the page. */
  readonly language: Language
  /** The address of the page with its choices. */
  readonly address: string
}

/** Each language in its own words; the choice is remembered. Its page has the style `languages.css`. */
export function LanguageLinks({ language, address }: LanguageLinksProps) {
  return (
    <span class="languages">
      <span class="visually-hidden">{kitCatalogues[language].languages}</span>
      {languages.map((each) => (
        <a
          key={each}
          href={withLanguage(address, each)}
          lang={each}
          hreflang={each}
          aria-current={each === language ? 'true' : undefined}
        >
          {kitCatalogues[each].languageName}
        </a>
      ))}
    </span>
  )
}

function withLanguage(address: string, language: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('lang', language)
  return `${path}?${parameters}`
}
