import type { ComponentChildren } from 'preact'
import type { BrowserModule } from './assets.ts'
import { KeyboardHints } from './components/keyboard-hints.tsx'
import type { KeyboardHint } from './components/keyboard-hints.tsx'
import { PersonName } from './components/person-name.tsx'
import { NavList } from './components/tabs.tsx'
import type { NavItem } from './components/tabs.tsx'
import { classNames } from './components/class-names.ts'
import { english, useWording, WordingContext } from './use-wording.ts'
import type { Wording } from './wording.ts'

export interface LayoutProps {
  readonly title: string
  /** The address of an asset by its name, see assets.ts. */
  readonly assetUrl: (name: string) => string
  readonly children: ComponentChildren
  /** Which part of Corridor this is, beside the product's name: `Immunizations`. */
  readonly area?: string
  readonly home?: string
  readonly lang?: string
  readonly dir?: 'ltr' | 'rtl'
  /** What the components themselves say, in the page's language. */
  readonly wording?: Wording
  readonly navigation?: readonly NavItem[]
  readonly user?: { readonly name: string; readonly detail?: string; readonly signOut?: ComponentChildren }
  readonly banner?: ComponentChildren
  readonly width?: 'narrow' | 'regular' | 'wide'
  /** Style sheets that only this page needs, by asset name. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly BrowserModule[]
  /** Modules that are not this package's own, by address. */
  readonly moreScripts?: readonly string[]
  readonly hints?: readonly KeyboardHint[]
  /** The page to search on, where this one has no search box of its own. */
  readonly searchAt?: string
  readonly footer?: ComponentChildren
  /** Where the page is set in Inter, as a media query; elsewhere its styles name another font. Everywhere unless said. */
  readonly fontMedia?: string
}

export function Layout(props: LayoutProps) {
  const {
    title,
    assetUrl,
    children,
    lang = 'en',
    dir = 'ltr',
    width = 'regular',
    styles = [],
    scripts = [],
    moreScripts = [],
  } = props
  return (
    <html lang={lang} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === 'Corridor' ? title : `${title} · Corridor`}</title>
        <link rel="icon" href={assetUrl('logo.svg')} type="image/svg+xml" />
        <link
          rel="preload"
          href={assetUrl('inter-latin.woff2')}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
          media={props.fontMedia}
        />
        {['corridor.css', ...styles].map((name) => (
          <link key={name} rel="stylesheet" href={assetUrl(name)} />
        ))}
        {[...everywhere, ...scripts].map((name) => (
          <script key={name} type="module" src={assetUrl(name)} />
        ))}
        {moreScripts.map((address) => (
          <script key={address} type="module" src={address} />
        ))}
      </head>
      <body data-search={props.searchAt}>
        <WordingContext.Provider value={props.wording ?? english}>
          <a class="skip-link" href="#content">
            {(props.wording ?? english).skipToContent}
          </a>
          <Header {...props} />
          {props.banner}
          <main id="content" class={classNames('content', width)} tabIndex={-1}>
            {children}
            {/* Filled in where there are times: on paper, too, and for who looks from another zone. */}
            <p class="hint" data-zone={(props.wording ?? english).text('timesIn')} hidden />
          </main>
          <Footer>{props.footer}</Footer>
          <KeyboardHints hints={props.hints ?? []} />
        </WordingContext.Provider>
      </body>
    </html>
  )
}

const everywhere: readonly BrowserModule[] = ['local-time.js', 'keyboard.js', 'submit-once.js']

function Header({ assetUrl, area, home = '/', navigation = [], user }: LayoutProps) {
  const words = useWording()
  return (
    <header class="site-header">
      <a class="brand" href={home}>
        <img src={assetUrl('logo.svg')} alt="" width="32" height="32" />
        <span>
          <span class="product">Corridor</span>
          {area !== undefined && <span class="area"> {area}</span>}
        </span>
      </a>
      {navigation.length > 0 && (
        <nav class="site-nav" aria-label={words.mainNavigation}>
          <NavList items={navigation} />
        </nav>
      )}
      {user !== undefined && (
        <div class="user">
          <p>
            <PersonName name={user.name} />
            {user.detail !== undefined && <span class="user-detail"> {user.detail}</span>}
          </p>
          {user.signOut}
        </div>
      )}
    </header>
  )
}

function Footer({ children }: { readonly children: ComponentChildren }) {
  const { tagline, pressForShortcuts } = useWording()
  const [before, after] = pressForShortcuts
  return (
    <footer class="site-footer">
      <p>{children ?? tagline}</p>
      <button class="button quiet" type="button" data-opens="keyboard-hints">
        <span>
          {before} <kbd>?</kbd> {after}
        </span>
      </button>
    </footer>
  )
}
