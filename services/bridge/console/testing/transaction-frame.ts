import type { FrameModel } from '../console-frame.tsx'

/** What every page of the console knows, for an administrator. */
export const frameModel: FrameModel = {
  visitor: {
    caller: {
      ...{ subject: 'admin', clientId: 'workspace', roles: new Set(['ADMIN'] as const), scope: '', tokenId: 't' },
      ...{ organisation: undefined, patient: undefined, encounter: undefined, fhirUser: undefined, grantId: undefined },
      expiresAt: new Date('2026-03-04T11:15:00Z'),
    },
    name: 'Adisa Bello',
  },
  addresses: {},
  assetUrl: (name) => `/assets/${name}`,
}

/** What would run if it were not shown as text. */
export const attack = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'

/** True of a page on which the attack stands as text, and nowhere as markup. */
export const isText = (html: string): boolean => html.includes('alert(1)') && !/<script>|<img src=x/.test(html)
