/**
 * What is wrong with the XHTML of a narrative, in words; undefined if nothing is. R4 (txt-1, txt-2) allows the plain
 * formatting elements of HTML 4 in one balanced `div`, so everything is refused that is not on the lists: scripts,
 * event attributes, forms, frames, styles from elsewhere and addresses that run code.
 */
export function narrativeFault(xhtml: string): string | undefined {
  const open: string[] = []
  let hasContent = false
  let divs = 0
  let position = 0
  /** All up to `toldFrom` but the comments, in which anything may stand. */
  let told = ''
  let toldFrom = 0
  const hasSectionEnd = xhtml.includes(sectionEnd)
  while (position < xhtml.length) {
    const start = xhtml.indexOf('<', position)
    const end = start === -1 ? xhtml.length : start
    if ((!hasContent || open.length === 0) && hasText(xhtml, position, end)) {
      if (open.length === 0) return 'The narrative must be one XHTML <div> and nothing beside it.'
      hasContent = true
    }
    if (hasSectionEnd && xhtml.slice(position, end).includes(sectionEnd)) return malformed
    if (start === -1) break
    if (xhtml.startsWith('<!--', start)) {
      const commentEnd = endOfComment(xhtml, start + 4)
      if (commentEnd === undefined)
        return 'A comment in the narrative ends in more than one way, or in none. Leave it out.'
      told += xhtml.slice(toldFrom, start)
      toldFrom = position = commentEnd
      continue
    }
    const isClosing = xhtml.charCodeAt(start + 1) === slash
    const nameStart = isClosing ? start + 2 : start + 1
    const nameEnd = endOfName(xhtml, nameStart)
    const name = xhtml.slice(nameStart, nameEnd)
    if (!elements.has(name)) return 'The narrative has an element beyond plain formatting. Remove it.'
    if (open.length === 0 && !isClosing && (name !== 'div' || ++divs > 1)) {
      return 'The narrative must be one XHTML <div> and nothing beside it.'
    }
    const isOutermost = open.length === 0 && !isClosing
    let isSelfClosing = false
    if (xhtml.charCodeAt(nameEnd) === greaterThan) {
      if (isOutermost) return noNamespace
      position = nameEnd + 1
    } else {
      const attributes = readAttributes(xhtml, nameEnd)
      endOfTag.lastIndex = attributes.end
      const last = endOfTag.exec(xhtml)
      if (last === null) return malformed
      if (isClosing && (attributes.found.length > 0 || last[1] === '/')) return malformed
      const fault = attributesFault(name, attributes.found)
      if (fault !== undefined) return fault
      if (isOutermost && !attributes.found.some(isNamespace)) return noNamespace
      isSelfClosing = last[1] === '/'
      position = endOfTag.lastIndex
    }
    if (name === 'img') hasContent = true
    if (!isClosing) {
      if (!isSelfClosing) open.push(name)
    } else if (open.pop() !== name) return `The narrative closes </${name}> where it is not open.`
  }
  if (open.length > 0) return `The narrative leaves <${open.at(-1)}> open.`
  if (!hasContent) return 'The narrative is empty. Write text or leave it out.'
  told += xhtml.slice(toldFrom)
  if (looseAmpersand.test(told)) return 'The narrative has a & that begins no character reference. Write &amp;.'
  for (const reference of told.matchAll(numbered)) {
    if (!isCharacter(reference))
      return 'The narrative has a character reference to what is no character of XML. Remove it.'
  }
  return undefined
}

/** XML has no text with one. Which names there are (`&nbsp;`) is left to who reads it. */
const looseAmpersand = /&(?!(?:#[0-9]+|#x[0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]*);)/

/** Of XML: what is written as a number must be a character, too. A browser makes something else of it. */
const numbered = /&#(?:x([0-9A-Fa-f]+)|([0-9]+));/g

function isCharacter([, hexadecimal, decimal]: RegExpExecArray): boolean {
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  if (code < 32) return code === 9 || code === 10 || code === 13
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
}

/** In no text of XML, since it ends a section of characters; in the values of attributes it may stand. */
const sectionEnd = ']]>'

const malformed =
  'The narrative is not well-formed XHTML. Close every tag, quote every attribute, name it once and write ]]&gt; for ]]>.'

const isNamespace = ([name, value]: Attribute) => name === 'xmlns' && value === xhtmlNamespace
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml'
const noNamespace = 'The narrative must say what it is written in: <div xmlns="http://www.w3.org/1999/xhtml">.'

/**
 * Undefined where it ends nowhere, or not for everybody: XML allows no `--` in a comment. A browser that is shown it as HTML
 * ends one at `--!>` too, and at a `>` or `->` that it begins with, and reads as markup what nobody has looked at here.
 */
function endOfComment(xhtml: string, start: number): number | undefined {
  if (xhtml.startsWith('>', start) || xhtml.startsWith('->', start)) return undefined
  const end = xhtml.indexOf('--', start)
  return end !== -1 && xhtml.charCodeAt(end + 2) === greaterThan ? end + 3 : undefined
}

const slash = 47
const greaterThan = 62

function hasText(xhtml: string, start: number, end: number): boolean {
  for (let position = start; position < end; position++) if (xhtml.charCodeAt(position) > 32) return true
  return false
}

function endOfName(xhtml: string, start: number): number {
  let end = start
  while (isNameCharacter(xhtml.charCodeAt(end))) end++
  return end
}

/** Of those that are allowed: none of them has a capital. */
const isNameCharacter = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)

type Attribute = readonly [name: string, value: string]

/** One after the other: a pattern for all of them would need room on its stack for each. */
function readAttributes(xhtml: string, start: number): { found: readonly Attribute[]; end: number } {
  const found: Attribute[] = []
  let end = start
  for (;;) {
    nextAttribute.lastIndex = end
    const attribute = nextAttribute.exec(xhtml)
    if (attribute === null) return { found, end }
    const [, name = '', double, single] = attribute
    found.push([name, double ?? single ?? ''])
    end = nextAttribute.lastIndex
  }
}

// Sticky: they are told where to begin before every use.
const nextAttribute = /\s\s*([A-Za-z_:][A-Za-z0-9_.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const endOfTag = /\s*(\/?)>/y

const elements: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b big blockquote br caption cite code col colgroup dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 ' +
    'hr i img ins kbd li ol p pre q s samp small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var'
  ).split(' '),
)

const attributesAllowed: ReadonlySet<string> = new Set(
  (
    'abbr align alt axis bgcolor border cellhalign cellpadding cellspacing cellvalign char charoff charset cite class ' +
    'color colspan compact coords dir face frame headers height href hreflang hspace id ismap lang longdesc name nowrap ' +
    'rel rev rowspan rules scope shape size span src start style summary tabindex target title type usemap valign value ' +
    'vspace width xml:lang xml:space xmlns accesskey'
  ).split(' '),
)

function attributesFault(element: string, attributes: readonly Attribute[]): string | undefined {
  if (new Set(attributes.map(([name]) => name)).size < attributes.length) return malformed
  for (const [name, value] of attributes) {
    if (!attributesAllowed.has(name) && !name.startsWith('xmlns:')) {
      return `An attribute on <${element}> of the narrative is not allowed. Remove it.`
    }
    if (name === 'xmlns' && value !== xhtmlNamespace) return noNamespace
    if (name === 'href' && runsCode(value)) return 'A link of the narrative must lead to a page, not run code.'
    if (name === 'src' && (runsCode(value) || element !== 'img')) return 'Only images may have a source.'
    if (name === 'style' && loadsOrRuns(value)) return 'A style of the narrative must not load or run anything.'
  }
  return undefined
}

/** A picture from beside the page or inside the style itself is no load from elsewhere. */
function loadsOrRuns(style: string): boolean {
  const rest = style.replace(
    /url\(\s*(?:[A-Za-z0-9_-][A-Za-z0-9_./-]*|data:\s*image\/[a-z]+;base64,[A-Za-z0-9+/=]*)\s*\)/g,
    '',
  )
  return /expression|(?:url|src|image|image-set)\s*\(|@import|javascript|behaviou?r|&|\\/i.test(rest)
}

/** Browsers drop white space in a scheme and read character references there, so none may stand before a slash. */
function runsCode(address: string): boolean {
  const plain = address.replace(/[\s\u0000-\u001f]/g, '').toLowerCase()
  if (plain.startsWith('data:')) return !/^data:image\/(?:png|gif|jpe?g|webp);/.test(plain)
  const start = /^[^/?]*/.exec(plain)?.[0] ?? ''
  const scheme = /^[^#]*?:/.exec(start)?.[0]
  return start.includes('&') || (scheme !== undefined && !safeSchemes.has(scheme))
}

const safeSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:', 'urn:', 'cid:'])
