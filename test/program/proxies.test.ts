import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { PASSWORD } from '../support/instance.ts'
import { runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, parseJsonOutput, runInFolder } from './commands.ts'

setDefaultTimeout(60_000)

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** Starts a server with an account. Every request comes from 127.0.0.1, as from a proxy on the same machine. */
async function start(env: Record<string, string> = {}) {
  const folder = temporaryFolder()
  stops.push(() => folder.remove())
  parseJsonOutput(await runInFolder(folder, [...INIT_ARGS, '--json'], PASSWORD))
  const server = await startServer({ dataDir: folder.data, env })
  stops.push(() => server.stop())
  const request = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  /** @returns the `Set-Cookie` header */
  async function signIn(headers: Record<string, string> = {}): Promise<string> {
    const body = { username: 'robin', password: PASSWORD }
    const response = await request('POST', '/portal/api/sign-in', headers, body)
    expect(response.status).toBe(200)
    return response.headers.get('set-cookie') ?? ''
  }
  const getStatus = async (cookie: string) => (await request('GET', '/portal/api/me', { cookie })).status
  async function readSessionIp(headers: Record<string, string>): Promise<string | undefined> {
    const cookie = (await signIn(headers)).split(';')[0] ?? ''
    const response = await request('GET', '/portal/api/sessions', { cookie })
    const { sessions } = (await response.json()) as { sessions: { address: string; current: string }[] }
    return sessions.find(({ current }) => current === 'true')?.address
  }
  return { folder, server, request, signIn, getStatus, readSessionIp }
}

const https = { 'x-forwarded-proto': 'https' }

test('a forwarding header from a proxy that is not trusted is reported once in the log, by the doctor and to operators', async () => {
  const { folder, server, request, signIn } = await start()
  const cookie = (await signIn()).split(';')[0] ?? ''
  const listWarnings = () => server.log.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
  expect(listWarnings()).toEqual([])
  for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, https, { forwarded: 'for=203.0.113.7' }])
    await signIn(headers)
  const found =
    'A request from 127.0.0.1 has the header x-forwarded-for, but 127.0.0.1 is not listed in REEVE_TRUSTED_PROXIES.'
  expect(listWarnings()).toEqual([expect.stringMatching(RegExp(`^${found} .*one IP address`))])
  const doctor = await runReeve(['doctor', '--json'], { dataDir: folder.data })
  const findings: { check: string; found: string; verdict: string }[] = JSON.parse(doctor.out).findings
  expect(findings.filter(({ check }) => check === 'requests')).toMatchObject([{ verdict: 'warning', found }])
  const info = (await (await request('GET', '/admin/api/instance', { cookie })).json()) as {
    instance: { warnings: object[] }
  }
  expect(info.instance.warnings).toMatchObject([{ found }])
})

test('a proxy that is trusted, and a number of proxies, are not reported', async () => {
  for (const trusted of ['127.0.0.1', '127.0.0.0/8,::1', '1']) {
    const { server, signIn } = await start({ REEVE_TRUSTED_PROXIES: trusted })
    await signIn({ ...https, 'x-forwarded-for': '203.0.113.7' })
    expect([trusted, server.log.filter(({ level }) => level === 'warn')]).toEqual([trusted, []])
  }
})

test('behind a number of proxies, the address that the outermost one added counts', async () => {
  const one = await start({ REEVE_TRUSTED_PROXIES: '1' })
  const two = await start({ REEVE_TRUSTED_PROXIES: '2' })
  const cases = [
    ['203.0.113.7', '203.0.113.7', '127.0.0.1'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7', '198.51.100.1'],
    ['192.0.2.66, 198.51.100.1, 10.0.0.7', '10.0.0.7', '198.51.100.1'],
    ['2001:db8::7,10.0.0.7', '10.0.0.7', '2001:db8::7'],
    ['unknown, 10.0.0.7', '10.0.0.7', '127.0.0.1'],
    ['203.0.113.7, unknown', '127.0.0.1', '203.0.113.7'],
    ['', '127.0.0.1', '127.0.0.1'],
  ] as const
  for (const [header, behindOne, behindTwo] of cases) {
    const headers = { 'x-forwarded-for': header }
    expect([header, await one.readSessionIp(headers), await two.readSessionIp(headers)]).toEqual([
      header,
      behindOne,
      behindTwo,
    ])
  }
  expect(await one.readSessionIp({})).toBe('127.0.0.1')
})

test('a trusted proxy that reports https makes session cookies secure, also without a public URL', async () => {
  const { request, signIn, getStatus } = await start({ REEVE_TRUSTED_PROXIES: '127.0.0.1' })
  const plain = await signIn()
  expect(plain).toMatch(/^reeve_session=[^;]+; (?!.*Secure)/)
  for (const headers of [https, { 'x-forwarded-proto': 'HTTPS' }, { 'x-forwarded-proto': 'https, http' }])
    expect(await signIn(headers)).toMatch(
      /^__Host-reeve_session=[^;]+; Path=\/; (?=.*HttpOnly)(?=.*SameSite=Lax).*Secure/,
    )
  for (const headers of [{ 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'https2' }])
    expect(await signIn(headers)).toStartWith('reeve_session=')
  const secure = (await signIn(https)).split(';')[0] ?? ''
  const [old = ''] = plain.split(';')
  expect(await getStatus(secure)).toBe(200)
  expect(await getStatus(old)).toBe(200)
  // A session that began before the proxy had TLS does not hide the newer one.
  expect(await getStatus(`reeve_session=${'x'.repeat(43)}; ${secure}`)).toBe(200)
  const signedOut = await request('POST', '/portal/api/sign-out', { ...https, cookie: `${old}; ${secure}` })
  expect(signedOut.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
    '__Host-reeve_session',
    'reeve_session',
  ])
  for (const cookie of signedOut.headers.getSetCookie()) expect(cookie).toContain('Max-Age=0')
  expect(await getStatus(secure)).toBe(401)
})

test('a proxy that is not trusted cannot do that, and with an https public URL every session cookie is secure', async () => {
  const untrusted = await start()
  expect(await untrusted.signIn(https)).toStartWith('reeve_session=')
  const secure = await start({ REEVE_PUBLIC_URL: 'https://staff.example.com' })
  const cookie = await secure.signIn()
  expect(cookie).toMatch(/^__Host-reeve_session=[^;]+; .*Secure/)
  const [pair = ''] = cookie.split(';')
  expect(await secure.getStatus(pair)).toBe(200)
  // Other hosts of the domain could set a cookie without the prefix.
  expect(await secure.getStatus(pair.replace('__Host-', ''))).toBe(401)
})
