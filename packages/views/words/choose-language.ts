import { cookieName, setCookie } from '../../http/cookies.ts'
import { text } from '../../http/fields.ts'
import { headerOf, queryOf, type IncomingRequest } from '../../http/request.ts'
import { languages, type Language } from './languages.ts'

/** One for all services: who chose a language has chosen it for whatever else is on the same host. */
const cookie = 'corridor_language'
const yearSeconds = 31_536_000

/** `?lang=`, as routes declare it. */
export const chosenLanguage = text({ max: 20, optional: true, description: 'The language to read in from now on.' })

/**
 * What the reader chose now, else chose before, else what an app that sent them suggests (`fr-CA fr en`), else what their
 * browser asks for; English where none of it is ours.
 */
export function languageOf(
  request: Pick<IncomingRequest, 'cookies' | 'headers'>,
  chosen: string | undefined,
  { isSecure }: { readonly isSecure: boolean },
  suggested = '',
): Language {
  return (
    known(chosen) ??
    chosenBefore(request, { isSecure }) ??
    firstOf(suggested) ??
    asked(headerOf(request, 'accept-language') ?? '') ??
    'en'
  )
}

/** The same where no route has read the address: what an error is told in. */
export const languageAt = (
  request: Pick<IncomingRequest, 'cookies' | 'headers' | 'url'>,
  cookies: { readonly isSecure: boolean },
  suggested?: string,
): Language =>
  languageOf(request, new URLSearchParams(queryOf(request.url)).get('lang') ?? undefined, cookies, suggested)

/** The reader's own choice, as far as they have made one on this host. */
export const chosenBefore = (
  { cookies }: Pick<IncomingRequest, 'cookies'>,
  { isSecure }: { readonly isSecure: boolean },
): Language | undefined => known(cookies.get(cookieName(cookie, isSecure)))

/** The headers that make a choice last. */
export function rememberLanguage(chosen: string | undefined, { isSecure }: { readonly isSecure: boolean }) {
  const language = known(chosen)
  return language === undefined
    ? {}
    : { 'set-cookie': setCookie(cookie, language, { isSecure, maxAgeSeconds: yearSeconds }) }
}

const known = (word: string | undefined): Language | undefined => languages.find((language) => language === word)

/** Of a tag what it begins with: `pt-BR` is Portuguese. */
const languageIn = (tag: string): Language | undefined => known(tag.toLowerCase().split('-', 1)[0])

/** By the order alone, as OpenID Connect has it. */
const firstOf = (tags: string): Language | undefined =>
  tags
    .split(' ')
    .map(languageIn)
    .find((language) => language !== undefined)

/** The first of the browser's languages that the pages have, by the reader's preference (RFC 9110 section 12.5.4). */
function asked(header: string): Language | undefined {
  const ranges = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = Number(
      parameters
        .find((one) => one.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    )
    return { language: languageIn(tag), quality: Number.isFinite(quality) ? quality : 0 }
  })
  return ranges
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .at(0)?.language
}
