import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { narrativeFault } from './narrative.ts'

/** Of the cases below, which leave it out. */
const named = (xhtml: string) => xhtml.replace(/<div(?! xmlns)/, '<div xmlns="http://www.w3.org/1999/xhtml"')

describe('a narrative', () => {
  it.each([
    '<div>text</div>',
    ' <div xmlns="http://www.w3.org/1999/xhtml"><p class="a">a<br/>b</p><!-- note: a->b > c --><!----><hr /></div>\n',
    '<div>a<!----><!-- - > & --></div>',
    '<div><a href="https://example.org/x?a=b">link</a> <a href="#x">here</a> <a href="page.html">page</a></div>',
    '<div><img src="data:image/png;base64,AAAA" alt="x"/></div>',
    '<div><table><tbody><tr><td style="color: red; background: url(a.png)">1</td></tr></tbody></table></div>',
    '<div>a &lt; b &amp; c &nbsp; &#160; &#xA0; <a href="page.html?a=1&amp;b=2">page</a></div>',
    '<div class="a" lang="en"><h1>a</h1 ><h6 xmlns:x="urn:x" title=\'b\'>b</h6></div><!-- c -->',
    '<div>!</div>',
    '<div>a ]] > b<!-- ]]> &#0; --> ]]&gt; <p title="]]>">]&#9;&#10;&#13;&#x20;&#xD7FF;&#xE000;&#65533;&#x10FFFF;</p></div>',
    '<div><p xmlns="http://www.w3.org/1999/xhtml">a</p></div>',
    ...[
      '#a:b',
      ' HTTPS://x/y',
      'http://x/y',
      'ftp://x/y',
      'mailto:a@b.example',
      'tel:+1',
      'urn:oid:1.2',
      'cid:1@x',
    ].map((address) => `<div><a href="${address}">a</a></div>`),
  ])('%s is accepted', (xhtml) => {
    expect(narrativeFault(named(xhtml))).toBeUndefined()
  })

  it.each([
    '',
    'text',
    '<p>text</p>',
    '<div></div>',
    '<div/>',
    '<div> \n </div>',
    '<div>a</div><div>b</div>',
    '<div>a</div> tail',
    '<div>a',
    '<div>a</p></div>',
    '<div><p>a</div></p>',
    '<div>a <b</div>',
    '<div><br>a</div>',
    // No XML has such an end of an element, or an attribute twice.
    '<div>a</div/>',
    '<div><p>a</p class="a"></div>',
    '<div><p class="a" class="b">a</p></div>',
    '<div>a & b</div>',
    '<div>a & b<!-- c --> d</div>',
    '<div>a &amp b</div>',
    '<div>a &#; b</div>',
    // Nor the end of a section that nothing began, a number that is no character's, or formatting of other namespaces.
    '<div>a ]]> b</div>',
    '<div>a<!-- b -->]]></div>',
    ...['0', '8', '11', '12', '14', '31', 'x1f', 'xD800', 'xdfff', '57343', 'xFFFE', 'xFFFF', 'x110000', '1114112'].map(
      (number) => `<div>a &#${number}; b</div>`,
    ),
    '<div>a<p title="&#0;">b</p></div>',
    '<div>a<p xmlns="http://example.org">b</p></div>',
    '<div>a<p xmlns="">b</p></div>',
    '<div>a <a href="page.html?a=1&b=2">page</a></div>',
    '<div>a<!-- open</div>',
    '<div>a</div><!-- open',
    '<div>a<!--><script>alert(1)</script>--></div>',
    '<div>a<!---><script>alert(1)</script>--></div>',
    '<div>a<!-- b --!><script>alert(1)</script> --></div>',
    '<div>a<!-- b -- c --></div>',
    '<div>a<!-- one -- two --></div>',
    '<div>a<!-- end ---></div>',
    // To HTML these comments have ended before the picture.
    '<div>a<!--><img src="x" onerror="alert(1)"/>--></div>',
    '<div>a<!---><img src="x" onerror="alert(1)"/>--></div>',
    '<div>a<!-- x --!><img src="x" onerror="alert(1)"/>--></div>',
    '<div><script>alert(1)</script></div>',
    '<div><SCRIPT>alert(1)</SCRIPT></div>',
    '<div><iframe src="https://x"></iframe>a</div>',
    '<div><form><input/></form>a</div>',
    '<div><style>x</style>a</div>',
    '<div><svg onload="x">a</svg></div>',
    '<div onclick="alert(1)">a</div>',
    '<div><img src="x" onerror="alert(1)"/></div>',
    '<div><img src=x/></div>',
    '<div><p src="x.png">a</p></div>',
    '<div><a href="javascript:alert(1)">a</a></div>',
    `<div><a href='javascript:alert(1)'>a</a></div>`,
    '<div><a href=" java\tscript:alert(1)">a</a></div>',
    '<div><a href="&#106;avascript:alert(1)">a</a></div>',
    '<div><a href="jav&#97;script:alert(1)">a</a></div>',
    '<div><a href="vbscript:x">a</a></div>',
    '<div><a href="data:text/html,x">a</a></div>',
    '<div><a href="data:text/html,data:image/png;x">a</a></div>',
    '<div><img src="data:image/svg+xml;base64,AAAA"/></div>',
    '<div><p style="background:url(https://x/y)">a</p></div>',
    '<div><p style="background:URL(https://x/y)">a</p></div>',
    `<div><p style="background:image-set('https://x/y' 1x)">a</p></div>`,
    `<div><p style="background-image: -webkit-image-set('https://x/y' 1x)">a</p></div>`,
    '<div><p style="width:expression(alert(1))">a</p></div>',
    '<div><p style="background:\\75rl(x)">a</p></div>',
    '<div><![CDATA[x]]></div>',
    '<div><?php x ?>a</div>',
  ])('%s is refused', (xhtml) => {
    expect(narrativeFault(named(xhtml))).toEqual(expect.any(String))
  })

  it.each([
    '<div>text</div>',
    '<div class="a">text</div>',
    '<div xmlns="http://example.org">text</div>',
    '<div title="http://www.w3.org/1999/xhtml">text</div>',
    '<div><p xmlns="http://www.w3.org/1999/xhtml">text</p></div>',
  ])('%s is refused, for nothing says that it is XHTML', (xhtml) => {
    expect(narrativeFault(xhtml)).toContain('<div xmlns="http://www.w3.org/1999/xhtml">')
  })

  const xmlns = 'xmlns="http://www.w3.org/1999/xhtml"'
  it.each([
    [`<p ${xmlns}>text</p>`, 'must be one XHTML <div>'],
    [`<div ${xmlns}>a</div><div ${xmlns}>b</div>`, 'must be one XHTML <div>'],
    [`<div ${xmlns}>a</div></div>`, 'closes </div> where it is not open'],
    [`<div ${xmlns}><p><b>a`, 'leaves <b> open'],
  ])('%s is refused, and it is said why: %s', (xhtml, why) => {
    expect(narrativeFault(xhtml)).toContain(why)
  })

  it('is judged without an exception, whatever it is', () => {
    const pieces = fc.constantFrom('<div>', '</div>', '<p', '>', '/', '<!--', '-->', ' a="b"', "'", 'text', '<', '&')
    fc.assert(
      fc.property(fc.array(pieces), fc.string(), (parts, text) => {
        expect(() =>
          narrativeFault(`<div xmlns="http://www.w3.org/1999/xhtml">${parts.join('')}${text}</div>`),
        ).not.toThrow()
      }),
    )
  })
})
