import { expect } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@reeve/api/version'
import { parseBlocks } from '../../support/guide.ts'
import type { CommandResult } from '../../support/program.ts'
import { BACKUPS, DATA, type Fixture } from './fixture.ts'
import type { Step } from './steps.ts'

const DATABASE_URL =
  'REEVE_DATABASE_URL=postgres://reeve:secret@db.example.com:5432/reeve?sslmode=verify-full'

const readLast = (results: readonly CommandResult[]): string => results.at(-1)?.out ?? ''

/** What self-host.md promises of its blocks, by heading. */
export function createBlockSteps(
  guide: string,
  {
    machine,
    instance,
    getMode,
    listFiles,
    runAsReeve,
    runWithSettings,
    isReady,
    waitForBackup,
    findBackup,
    resetService,
  }: Fixture,
): Readonly<Record<string, readonly Step[]>> {
  const installing: Step = {
    kind: 'commands',
    check() {
      expect(getMode('/etc/reeve/reeve.env')).toBe('600')
      expect(existsSync(machine.locate('/etc/systemd/system/reeve.service'))).toBe(true)
    },
  }

  const firstStart: Step = {
    kind: 'commands',
    async check(results) {
      instance.readCredentials(readLast(results))
      expect(await isReady(machine.getService().url)).toBe(true)
      expect(await instance.listBans()).toEqual([])
      await instance.ban('156')
      expect(getMode(DATA)).toBe('700')
      await waitForBackup()
    },
  }

  const creatingDatabase: Step = {
    kind: 'commands',
    async check() {
      const [database] = await machine.database.query(
        `select rolname as owner, pg_encoding_to_char(encoding) as encoding
         from pg_database join pg_roles on pg_roles.oid = datdba where datname = 'reeve'`,
      )
      expect(database).toEqual({ owner: 'reeve', encoding: 'UTF8' })
    },
  }

  /** The block of the guide that contains a text. */
  const findCode = (text: string): string =>
    parseBlocks(guide).find(({ code }) => code.includes(text))?.code ?? ''

  return {
    Install: [
      {
        kind: 'commands',
        check([verified, , , version]) {
          expect(verified?.out).toMatch(/^reeve-\S+-linux-x64\.tar\.gz: OK$/m)
          expect(getMode('/usr/local/bin/reeve')).toBe('755')
          expect(version?.out).toStartWith(`${VERSION} `)
        },
      },
    ],
    Start: [
      {
        kind: 'server',
        async check(server) {
          const { firstRunCode } = await server.waitForLog((line) => 'firstRunCode' in line)
          expect(firstRunCode).toMatch(/^\w{4}-\w{4}-\w{4}$/)
          expect((await fetch(server.url)).headers.get('content-type')).toContain('text/html')
          expect(readdirSync(join(machine.clone, 'data'))).toContain('reeve.db')
        },
      },
    ],
    'As a service': [
      installing,
      firstStart,
      { kind: 'commands', check: (results) => expect(readLast(results)).toBe('All settings are valid.\n') },
    ],
    'Listening on a Unix socket': [
      {
        kind: 'settings',
        async check() {
          expect(getMode('/run/reeve/reeve.sock')).toBe('660')
          const unix = machine.locate('/run/reeve/reeve.sock')
          expect((await fetch('http://localhost/readyz', { unix })).status).toBe(200)
          await resetService()
        },
      },
    ],
    'People who cannot sign in': [
      {
        kind: 'commands',
        before: instance.addSecondFactor,
        check: async () => expect(await instance.needsNoSecondFactor()).toBe(true),
      },
      {
        kind: 'commands',
        check: ([link]) => expect(link?.out).toStartWith('https://staff.example.com/sign-in/password#'),
      },
    ],
    'Several machines: PostgreSQL': [
      creatingDatabase,
      {
        kind: 'commands',
        check: () => expect(statSync(join(machine.clone, 'secret.key')).mode & 0o777).toBe(0o600),
      },
      {
        kind: 'server',
        async check(server) {
          expect(await isReady(server.url)).toBe(true)
          const connections = await machine.database.query<{ ssl: boolean }>(
            `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'reeve'`,
          )
          expect(connections).toEqual([{ ssl: true }])
        },
      },
    ],
    Moving: [
      {
        kind: 'commands',
        async before() {
          await machine.database.query('drop database reeve')
          await machine.database.query('drop role reeve')
          await machine.runAll(findCode('createdb'))
        },
        async check(results) {
          expect(readLast(results)).toContain('verified')
          machine.addSettings(`${DATABASE_URL}\nREEVE_SECRET_KEY_FILE=${DATA}/secret.key`)
          await machine.run('systemctl start reeve')
          expect(await instance.listBans()).toEqual(['156'])
          await instance.ban('261')
        },
      },
      {
        kind: 'commands',
        async check(results) {
          expect(readLast(results)).toContain('verified')
          machine.resetSettings()
          await machine.run('sudo systemctl start reeve')
          expect(await instance.listBans()).toEqual(['156', '261'])
        },
      },
    ],
    'Images in an S3-compatible store': [
      {
        kind: 'settings',
        async check() {
          await runWithSettings('reeve doctor')
          expect(machine.imageStore.requests).toContain('PUT /reeve-images/reeve-doctor.txt')
          expect(machine.imageStore.requests).toContain('GET /reeve-images/reeve-doctor.txt')
          await resetService()
        },
      },
    ],
    Backups: [
      {
        kind: 'commands',
        before: async () => void (await runAsReeve('reeve backup')),
        async check() {
          const copies = machine.locate('/elsewhere/reeve')
          const { out } = await machine.run(`cd ${copies} && sha256sum -c *.sha256`)
          expect(out).toMatch(/^reeve-\S+\.db: OK$/m)
        },
      },
    ],
    'Offsite backups': [
      {
        kind: 'commands',
        check(results) {
          expect(getMode('/etc/reeve/keys')).toBe('700')
          const key = readFileSync(machine.locate('/etc/reeve/keys/backup.key'), 'utf8')
          expect(key.trimEnd().split('\n')).toHaveLength(1)
          expect(readLast(results)).toContain('backup.key')
        },
      },
      {
        kind: 'settings',
        check: async () => expect((await runWithSettings('reeve config check')).exitCode).toBe(0),
      },
      {
        kind: 'commands',
        async check(results) {
          const [name = '', object] = [...machine.backupStore.objects].at(-1) ?? []
          expect(name).toMatch(/^reeve\/reeve-\S+\.db\.enc$/)
          expect(await object?.text()).not.toContain('SQLite format')
          expect(readLast(results)).toContain('can be restored')
        },
      },
      {
        kind: 'commands',
        async before() {
          await machine.run('systemctl stop reeve')
          copyFileSync(machine.locate('/etc/reeve/keys/backup.key'), join(machine.clone, 'backup.key'))
          copyFileSync(machine.locate(`${DATA}/secret.key`), join(machine.clone, 'secret.key'))
          machine.removeInstallation()
          for (const text of ['SHA256SUMS', 'useradd']) await machine.runAll(findCode(text))
          machine.addSettings(findCode('REEVE_BACKUP_S3_BUCKET'))
        },
        async check(results) {
          expect(getMode('/etc/reeve/keys/backup.key')).toBe('600')
          expect(results[3]?.out).toContain('s3://reeve-backups/reeve/')
          expect(await instance.listBans()).toEqual(['156', '261'])
        },
      },
    ],
    Restoring: [
      {
        kind: 'commands',
        async before() {
          await waitForBackup()
          await runAsReeve('reeve backup')
          machine.replaceExample(`${BACKUPS}/reeve-3f9a2c-20261121T030000000Z.db`, findBackup())
          await instance.ban('4416')
        },
        async check() {
          expect(await instance.listBans()).toEqual(['156', '261'])
          expect(listFiles(DATA).join()).toContain('reeve.db.before-restore-')
        },
      },
    ],
    'Storage quotas': [
      {
        kind: 'commands',
        before: async () => machine.replaceExample('<id>', instance.getWorkspaceId()),
        check([shown, limited, reset]) {
          expect(shown?.out).toMatch(/^storage .* 5 GB \(default\)$/m)
          expect(limited?.out).toEndWith('It may store 20 GB.\n')
          expect(reset?.out).toBe(
            'The workspace may send 1000000 requests per calendar month (UTC).\n' +
              'It may store as much as the default of the instance.\n',
          )
        },
      },
    ],
  }
}
