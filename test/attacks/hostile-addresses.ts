/** Forty ways to write an address that a server should not call, most of which lead to this machine. */
export function hostileAddresses(port: number): readonly string[] {
  const hosts = [
    ...['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', '127.1', '127.0.1', '127.127.127.127', '0.0.0.0', '0'],
    ...[
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '127.0.0.1.',
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
    ],
    ...[
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      'evil.example@127.0.0.1',
      '127.0.0.1#@evil.example',
    ],
    ...[
      '169.254.169.254',
      '[fd00:ec2::254]',
      '10.0.0.1',
      '192.168.0.1',
      '172.16.0.1',
      '100.64.0.1',
      'metadata.google.internal',
    ],
  ]
  return [
    ...hosts.map((host) => `http://${host.includes('#') ? host.replace('#', `:${port}#`) : `${host}:${port}`}/`),
    ...['file:///etc/passwd', 'gopher://127.0.0.1/', 'ftp://127.0.0.1/', 'javascript:alert(1)', 'data:text/plain,x'],
    ...[
      `//127.0.0.1:${port}/`,
      `\\\\127.0.0.1:${port}\\`,
      `http:127.0.0.1:${port}/`,
      `http:/\\127.0.0.1:${port}/`,
      'unix:/var/run',
    ],
  ]
}
