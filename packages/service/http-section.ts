import { address, optionalPath, port } from '../config/key.ts'

/** The keys that every service has: where it listens, where others find it, and its certificate. */
export function httpSection(name: string, title: string, defaultPort: number, basePath = '') {
  return {
    port: port({ default: defaultPort, meaning: `Where the ${title} listens.` }),
    url: address({
      derive: (read) => {
        const scheme = read(`${name}.tls.certificateFile`) === undefined ? 'http' : 'https'
        return `${scheme}://localhost:${String(read(`${name}.port`))}${basePath}`
      },
      defaultText: `http://localhost:<${name}.port>${basePath}`,
      meaning: `The address under which browsers and other services reach the ${title}.`,
    }),
    tls: {
      certificateFile: optionalPath({
        meaning: 'Certificate chain in PEM; with it and the key the listener speaks TLS only.',
      }),
      keyFile: optionalPath({ meaning: 'Private key of the certificate in PEM.' }),
    },
  }
}
