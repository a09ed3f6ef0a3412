/** Where an address leads to, with the port also where it is the usual one: an address does not keep that. */
export const hostAndPort = ({ protocol, hostname, port }: URL): string =>
  `${hostname.toLowerCase()}:${port || (usualPorts[protocol] ?? '')}`

const usualPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }
