import { languages, type Language } from './languages.ts'
import { kitCatalogues } from './words.ts'

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
