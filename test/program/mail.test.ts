import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ConfigError, listWarnings, readConfig } from '@reeve/api/config'
import { PASSWORD } from '../support/instance.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { runReeve } from '../support/program.ts'
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { INIT_ARGS, runInFolder } from './commands.ts'

const FROM = 'Reeve <reeve@example.com>'
const PUBLIC = { REEVE_PUBLIC_URL: 'https://reeve.example' }
const configure = (url: string, from = FROM) => ({ REEVE_SMTP_URL: url, REEVE_MAIL_FROM: from, ...PUBLIC })
const warn = (env: Record<string, string>) => listWarnings(readConfig({}, env), env)
function listProblems(env: Record<string, string>): readonly string[] {
  try {
    readConfig({}, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

let folder: TemporaryFolder
let server: MailServer
beforeEach(async () => {
  folder = temporaryFolder()
  server = await startMailServer({ login: { user: 'reeve', password: 'hidden-word' } })
})
afterEach(async () => {
  await server.close()
  folder.remove()
})

test('the URL of the mail server means TLS, unless it is this machine or says otherwise, which is a warning', () => {
  const read = (url: string) => readConfig({}, configure(url)).smtpUrl
  expect(read('smtps://reeve:p%40ss@mail.example.com')).toEqual({
    ...{ host: 'mail.example.com', port: 465, tls: 'implicit' },
    ...{ user: 'reeve', password: 'p@ss' },
  })
  expect(read('smtp://mail.example.com')).toMatchObject({ port: 587, tls: 'starttls', user: null })
  expect(read('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, tls: 'none' })
  for (const url of ['smtps://mail.example.com', 'smtp://mail.example.com:25', 'smtp://127.0.0.1:25'])
    expect([url, warn(configure(url))]).toEqual([url, []])
  const unencrypted = warn(configure('smtp://reeve:hidden-word@mail.example.com?tls=none'))
  expect(unencrypted).toEqual([
    expect.stringContaining('REEVE_SMTP_URL: the connection to mail.example.com is not encrypted'),
  ])
  expect(unencrypted.join()).not.toContain('hidden-word')
  const { REEVE_PUBLIC_URL: _none, ...withoutUrl } = configure('smtps://mail.example.com')
  expect(warn(withoutUrl)).toEqual([expect.stringContaining('REEVE_PUBLIC_URL is not set')])
})

test('an invalid setting for mails is named with what it must be, and never repeated', async () => {
  for (const [url, problem] of [
    ['mail.example.com', 'must be the URL of a mail server'],
    ['https://hidden-word@mail.example.com', 'must be the URL of a mail server'],
    ['smtps://', 'must be the URL of a mail server'],
    ['smtps://mail.example.com/path', 'must be a URL without a path'],
    ['smtps://mail.example.com?tls=none', 'must begin with smtp://'],
    ['smtp://mail.example.com?tls=off', 'must have no parameter but tls=none'],
    ['smtp://mail.example.com?insecure', 'must have no parameter but tls=none'],
    ['smtps://reeve:hidden-word%@mail.example.com', 'must encode special characters'],
    ['smtps://reeve:change-me@mail.example.com', 'placeholder'],
  ] as const) {
    const problems = listProblems(configure(url))
    expect([url, problems]).toEqual([
      url,
      [expect.stringContaining(`REEVE_SMTP_URL ${problem.startsWith('must') ? problem : ''}`)],
    ])
    expect(problems.join()).toContain(problem)
    expect(problems.join()).not.toContain('hidden-word')
  }
  for (const from of ['Reeve', 'Reeve <reeve>', 'a@example.com, b@example.com', 'Reeve <a@example.com> x'])
    expect([from, listProblems(configure('smtps://mail.example.com', from))]).toEqual([
      from,
      [expect.stringContaining('REEVE_MAIL_FROM must be an e-mail address')],
    ])
  expect(listProblems({ REEVE_SMTP_URL: 'smtps://mail.example.com' })).toEqual([
    'REEVE_MAIL_FROM is missing. REEVE_SMTP_URL also requires the sender of the e-mails.',
  ])
  expect(listProblems({ REEVE_MAIL_FROM: FROM })).toEqual([
    'REEVE_SMTP_URL is missing. REEVE_MAIL_FROM also requires a mail server.',
  ])
  const env = { ...configure('smtps://reeve:hidden-word@mail.example.com/path') }
  const { exitCode, out, err } = await runReeve(['config', 'check'], { dataDir: folder.data, env })
  expect([exitCode === 0, `${out}${err}`.includes('REEVE_SMTP_URL must be a URL without a path')]).toEqual([
    false,
    true,
  ])
  expect(`${out}${err}`).not.toContain('hidden-word')
})

test('the doctor signs in to the mail server, and says why it cannot', async () => {
  await runInFolder(folder, INIT_ARGS, PASSWORD)
  const findMail = async (url: string) => {
    const { out } = await runReeve(['doctor', '--json'], { dataDir: folder.data, env: configure(url) })
    expect(out).not.toContain('hidden-word')
    const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string; found: string }[] }
    return findings.filter(({ check }) => check === 'mail')
  }
  expect(await findMail(server.url)).toMatchObject([{ verdict: 'ok' }])
  expect(await findMail(server.url.replace('reeve:', 'other:'))).toMatchObject([
    { verdict: 'warning', found: expect.stringContaining('does not accept the user name and the password') },
  ])
  await server.setFault('refuse')
  expect(await findMail(server.url)).toMatchObject([
    { verdict: 'warning', found: expect.stringContaining('cannot be reached (ECONNREFUSED)') },
  ])
})
