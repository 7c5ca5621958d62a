import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INIT_ARGS } from '../program/commands.ts'
import { PASSWORD } from '../support/instance.ts'
import { ROOT, readResult, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The program starts twice. */
setDefaultTimeout(60_000)

const folder = temporaryFolder()
afterAll(() => folder.remove())

const FILTER = join(ROOT, 'deploy/fail2ban/filter.d/reeve.conf')

/** The IP addresses that fail2ban finds in a log file or a line. */
async function findAddresses(...args: string[]): Promise<string[]> {
  const { out } = await readResult(
    Bun.spawn(['/usr/bin/fail2ban-regex', '-v', ...args, FILTER], { stdout: 'pipe', stderr: 'pipe' }),
  )
  return [...out.matchAll(/^\| {6}(\S+) {2}/gm)].map(([, ip]) => ip ?? '')
}

test('fail2ban finds the IP address of every failed sign-in, and of nothing else', async () => {
  await runReeve(INIT_ARGS, { dataDir: folder.data, stdin: `${PASSWORD}\n` })
  const running = await startServer({
    dataDir: folder.data,
    env: { REEVE_TRUSTED_PROXIES: '127.0.0.1', REEVE_LOG_LEVEL: 'debug' },
  })
  const signIn = (username: string, password: string, ip: string) =>
    fetch(`${running.url}/portal/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify({ username, password }),
    })
  const forged = '","ip":"192.0.2.1","msg":"sign-in failed"}'
  await signIn('robin', 'not the password', '198.51.100.7')
  await signIn(forged, 'x', '2001:db8::7')
  await signIn('robin', PASSWORD, '198.51.100.8')
  await fetch(`${running.url}/api/moderation?workspaceId=${encodeURIComponent(forged)}`)
  await running.stop()
  const lines = running.log.map((line) => JSON.stringify(line))
  const path = join(folder.path, 'reeve.log')
  writeFileSync(path, `${lines.join('\n')}\n`)
  expect(await findAddresses(path)).toEqual(['198.51.100.7', '2001:db8::7'])
  // The journal passes its own time, and adds the name of the machine and of the program.
  const line = running.log.find(({ msg }) => msg === 'sign-in failed')
  expect(await findAddresses('-d', '^', `machine reeve[7]: ${JSON.stringify(line)}`)).toEqual([
    '198.51.100.7',
  ])
})
