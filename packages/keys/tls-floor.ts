import type { SecureContextOptions } from 'node:tls'

const ofRsaAndElliptic = (cipher: string) => [`ECDHE-ECDSA-${cipher}`, `ECDHE-RSA-${cipher}`]

/**
 * What every listener of ours agrees to, at least: TLS 1.2 with fresh keys for each connection and authenticated
 * encryption (RFC 9325, which IHE ATNA asks for by the name of BCP 195). Node alone would also take keys that a stolen
 * certificate opens years later, and CBC. Of TLS 1.3 every suite is good.
 */
export const tlsFloor: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
    ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].flatMap(ofRsaAndElliptic),
  ].join(':'),
}
