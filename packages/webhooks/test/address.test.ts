import { describe, expect, test } from 'bun:test'
import { type IpRange, parseIpRange } from '@reeve/auth'
import { assertAllowedUrl, findAddressProblem } from '../src/outbound/address.ts'
import { createRequestSender, SendError } from '../src/outbound/send.ts'

const ports = { now: Date.now }
const nothingAllowed = { outboundAllow: [] }
const allow = (...ranges: string[]) => ({
  outboundAllow: ranges.map((range) => parseIpRange(range) as IpRange),
})

/** Every way to write an address that is not on the public internet. */
const REFUSED_HOSTS = [
  // Loopback, in every form that URL parsers accept.
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '１２７.0.0.1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  // Private networks.
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '100.64.0.1',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fec0::1]',
  // Link-local, and the addresses at which clouds serve credentials.
  '169.254.169.254',
  '169.254.0.1',
  '[fe80::1]',
  '[fd00:ec2::254]',
  // Forms of IPv6 that contain an IPv4 address.
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  // Reserved, multicast, documentation and benchmarks.
  '255.255.255.255',
  '240.0.0.1',
  '224.0.0.1',
  '[ff02::1]',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '198.18.0.1',
  '192.0.0.1',
  '[2001:db8::1]',
  '[100::1]',
  '[4000::1]',
]

describe('a webhook is never sent to', () => {
  test.each(REFUSED_HOSTS)('%s', async (host) => {
    expect(() => assertAllowedUrl(nothingAllowed, `https://${host}/hook`)).toThrow()
    // The same if the address is reached through a name.
    const address = new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, '')
    const options = { ...nothingAllowed, outboundCa: null, resolve: async () => [address] }
    const request = { method: 'POST', url: 'https://receiver.test/hook', headers: {}, body: '{}' } as const
    const sendRequest = createRequestSender(ports, options)
    await expect(sendRequest(request, AbortSignal.timeout(1000))).rejects.toThrow('is not public')
  })

  test('a name with a single address that is not public among public ones', () => {
    const url = new URL('https://receiver.test/')
    expect(findAddressProblem(nothingAllowed, url, ['1.1.1.1', '10.0.0.1', '8.8.8.8'])).toContain('10.0.0.1')
    expect(findAddressProblem(nothingAllowed, url, ['1.1.1.1', '2606:4700::1111'])).toBeNull()
    expect(findAddressProblem(nothingAllowed, url, [])).not.toBeNull()
  })
})

describe('on a public address', () => {
  test.each(['http://1.1.1.1/', 'https://1.1.1.1:22/', 'https://1.1.1.1:80/', 'https://1.1.1.1:1023/'])(
    '%s is refused',
    (url) => expect(() => assertAllowedUrl(nothingAllowed, url)).toThrow(),
  )
  test.each([
    'https://1.1.1.1/',
    'https://1.1.1.1:443/',
    'https://1.1.1.1:8443/',
    'https://[2606:4700::1111]/',
  ])('%s is allowed', (url) => expect(() => assertAllowedUrl(nothingAllowed, url)).not.toThrow())
  test('a range of the operator does not allow plain http elsewhere', () => {
    expect(() => assertAllowedUrl(allow('192.168.1.0/24'), 'http://1.1.1.1/')).toThrow()
  })
})

describe('a range of the operator', () => {
  test('allows its addresses, with plain http and any port, and no others', () => {
    const settings = allow('192.168.1.0/24', 'fd00::/8')
    expect(() => assertAllowedUrl(settings, 'http://192.168.1.7:80/hook')).not.toThrow()
    expect(() => assertAllowedUrl(settings, 'http://[fd00::7]:5678/hook')).not.toThrow()
    expect(() => assertAllowedUrl(settings, 'http://192.168.2.7/hook')).toThrow()
    expect(() => assertAllowedUrl(settings, 'http://[::1]/hook')).toThrow()
  })

  test('does not allow a name that also has an address outside of it', () => {
    const url = new URL('https://receiver.test/')
    expect(findAddressProblem(allow('192.168.1.0/24'), url, ['192.168.1.7', '10.0.0.1'])).toContain(
      '10.0.0.1',
    )
  })
})

describe('a request', () => {
  const send = (url: string, options: object = {}) =>
    createRequestSender(ports, { ...allow('127.0.0.1'), outboundCa: null, ...options })(
      { method: 'POST', url, headers: {}, body: '{}' },
      AbortSignal.timeout(5000),
    )

  test('goes to the address that was checked, even if the name means another one a moment later', async () => {
    let hits = 0
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => new Response(`${++hits} ${request.headers.get('host')}`),
    })
    let lookups = 0
    const resolve = async () => (++lookups === 1 ? ['127.0.0.1'] : ['169.254.169.254'])
    const { text } = await send(`http://rebinding.test:${server.port}/`, { resolve })
    expect([text, lookups]).toEqual([`1 rebinding.test:${server.port}`, 1])
    // The next request resolves the name again, and is refused.
    await expect(send(`http://rebinding.test:${server.port}/`, { resolve })).rejects.toThrow(
      '169.254.169.254',
    )
    server.stop(true)
  })

  test('goes to the next address of a name if no connection to one can be established, but is never sent twice', async () => {
    let hits = 0
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.2',
      fetch: () => new Response(String(++hits)),
    })
    const { port } = server
    const sendToBoth = () =>
      send(`http://receiver.test:${port}/`, {
        ...allow('127.0.0.0/8'),
        resolve: async () => ['127.0.0.1', '127.0.0.2'],
      })
    expect((await sendToBoth()).text).toBe('1')
    const socket = { data: (opened: { end(): void }) => void opened.end() }
    const closing = Bun.listen({ port: Number(port), hostname: '127.0.0.1', socket })
    await expect(sendToBoth()).rejects.toThrow('closed before the response')
    expect(hits).toBe(1)
    closing.stop(true)
    server.stop(true)
    await expect(sendToBoth()).rejects.toThrow('The connection was refused.')
  })

  test('does not follow a redirect', async () => {
    const reached: string[] = []
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        reached.push(new URL(request.url).pathname)
        return new Response(null, { status: 307, headers: { location: '/elsewhere' } })
      },
    })
    const { status } = await send(`http://127.0.0.1:${server.port}/hook`)
    expect([status, reached]).toEqual([307, ['/hook']])
    server.stop(true)
  })

  test('ignores the proxy of the environment, which would resolve the name itself', async () => {
    const proxied: string[] = []
    const proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        proxied.push(request.url)
        return new Response('proxy')
      },
    })
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('receiver') })
    const names = ['HTTP_PROXY', 'http_proxy'] as const
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
    try {
      expect((await send(`http://127.0.0.1:${server.port}/`)).text).toBe('receiver')
      // The proxy is in use otherwise, so the test proves something.
      expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('proxy')
      expect(proxied).toHaveLength(1)
    } finally {
      for (const name of names) delete process.env[name]
      server.stop(true)
      proxy.stop(true)
    }
  })

  test('that gets no response in time, or a closed connection, fails with a sentence', async () => {
    const closing = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: { data: (socket) => void socket.end() },
    })
    await expect(send(`http://127.0.0.1:${closing.port}/`)).rejects.toThrow(SendError)
    closing.stop(true)
    await expect(send(`http://127.0.0.1:${closing.port}/`)).rejects.toThrow('The connection was refused.')
    const hanging = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Promise<Response>(() => {}),
    })
    const request = {
      method: 'POST',
      url: `http://127.0.0.1:${hanging.port}/`,
      headers: {},
      body: '{}',
    } as const
    const sendRequest = createRequestSender(ports, { ...allow('127.0.0.1'), outboundCa: null })
    await expect(sendRequest(request, AbortSignal.timeout(50))).rejects.toThrow('within 15 seconds')
    hanging.stop(true)
  })

  test('reads at most 64 KiB of a response that does not end', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new Uint8Array(16_384).fill(120))
              await Bun.sleep(0)
            },
          }),
        ),
    })
    const { text } = await send(`http://127.0.0.1:${server.port}/`)
    expect(text.length).toBe(65_536)
    server.stop(true)
  })

  test('reads no more of a response whose Content-Length says that it is short', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const server = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: { data: (socket) => void socket.end(`${head}${chunk.repeat(20)}0\r\n\r\n`) },
    })
    const { text } = await send(`http://127.0.0.1:${server.port}/`)
    expect(text.length).toBe(65_536)
    server.stop(true)
  })
})
