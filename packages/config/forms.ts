import { isIP } from 'node:net'
import { isTimeZone } from '../clock/day-in.ts'

/** What a text must look like: a mistake is said at the start, not by the first message that meets it. */
export interface Form {
  readonly is: (text: string) => boolean
  /** A sentence fragment: "must be …". */
  readonly wrong: string
}

/** What can be called. A key that comes with a query of its own is taken, a user and password are not. */
export const callableAddress: Form = {
  is: (text) => isHttp(text) && new URL(text).username === '' && new URL(text).password === '',
  wrong: 'must be an address such as https://gateway.example/send, without user and password',
}

/** What names are made under: nobody has to call it, but it must be the same everywhere. */
export const nameBase: Form = {
  is: (text) => (isHttp(text) && !/[?#@]/.test(text)) || /^urn:[a-z0-9][a-z0-9-]{0,30}:[^\s?#]+$/i.test(text),
  wrong: 'must be an address such as https://hospital.example, without user, query or fragment, or a urn',
}

/** As a browser writes it; compared letter by letter. */
export const webOrigin: Form = {
  is: (text) => isHttp(text) && new URL(text).origin === text,
  wrong: 'must be a web origin such as https://app.example, without a path and in small letters',
}

export const hostOrHostPort: Form = {
  is: (text) => /^([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`),
  wrong: 'must be a host or host:port such as pharmacy.example:2575',
}

export const addressOrNetwork: Form = {
  is(text) {
    const [address = '', bits, ...rest] = text.split('/')
    const version = isIP(address)
    const isSize = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
    return version !== 0 && isSize && rest.length === 0
  },
  wrong: 'must be an address such as 10.1.2.3 or a network such as 10.1.0.0/16',
}

export const phoneNumber: Form = {
  is: (text) => /^\+?[\d ()./-]{3,32}$/.test(text) && text.replaceAll(/\D/g, '').length >= 3,
  wrong: 'must be a phone number such as +254700000001',
}

/** Whose days are counted; an offset has none that the clocks of a place show all year. */
export const timeZone: Form = {
  is: isTimeZone,
  wrong: 'must be a time zone such as Africa/Nairobi',
}

const isHttp = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
