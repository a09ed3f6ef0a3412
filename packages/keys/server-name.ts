import { isIP } from 'node:net'

/**
 * What a TLS client says of whom it wants (SNI), which Node leaves out unless told: whoever shares an address with others
 * shows the wrong certificate then. An IP address is no name (RFC 6066 section 3).
 */
export const serverNameOf = (host: string): { readonly servername?: string } =>
  isIP(host) === 0 ? { servername: host } : {}
