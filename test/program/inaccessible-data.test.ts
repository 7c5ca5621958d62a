import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, chownSync, copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BINARY, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type BackupFixture, listAccounts, openBackupFixture } from './backups.ts'

// A test runs many commands.
setDefaultTimeout(60_000)

const isRoot = process.getuid?.() === 0
/** Whether a process of this user can have mounts of its own. */
const canMount = isRoot && Bun.spawnSync(['unshare', '--mount', 'true']).success

let fixture: BackupFixture
let binary: string
beforeEach(async () => {
  fixture = await openBackupFixture()
  binary = join(fixture.folder.path, 'reeve')
  copyFileSync(BINARY[0], binary)
})
afterEach(() => fixture.folder.remove())

test.skipIf(!isRoot)(
  'every command says that this user cannot read the data folder, and none that there is no instance or no backup',
  async () => {
    await fixture.createBackup()
    chmodSync(fixture.folder.path, 0o755)
    const run = (args: readonly string[]) =>
      runReeve(args, {
        dataDir: fixture.folder.data,
        cwd: '/',
        program: ['setpriv', '--reuid=65534', '--clear-groups', binary],
      })
    for (const command of [
      ...[
        'backup',
        'backup list',
        'backup verify',
        'restore --from latest',
        'restore --from latest --create',
      ],
      ...['user list', 'migrate', 'audit verify', 'secret-key rotate', 'secret-key replace'],
      ...['move --to /tmp/elsewhere', 'import list --workspace 01a21bfb-ef23-7656-aedd-bc920399ee2d'],
    ])
      expect({ command, ...(await run(command.split(' '))) }).toEqual({
        ...{ command, exitCode: 1, out: '' },
        err: `Permission denied: this user cannot read ${fixture.folder.data}. Run this command as the user that runs the server (sudo -u <user> reeve …).\n`,
      })
    chmodSync(fixture.folder.data, 0o755)
    expect(await run(['backup', 'list'])).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`this user cannot read ${fixture.backupsDir}.`),
    })
  },
)

test.skipIf(!canMount)(
  'a read-only file system is reported as such, without advice to grant a permission or to restore a backup, and can be backed up',
  async () => {
    const { path, data } = fixture.folder
    const mounted = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
    const run = (args: readonly string[]) =>
      runReeve(args, { dataDir: data, program: ['unshare', '--mount', 'sh', '-c', mounted, path, binary] })
    const { exitCode, out } = await run(['doctor', '--json'])
    const { findings } = JSON.parse(out) as { findings: { verdict: string; found: string; advice: string }[] }
    const faults = findings.filter(({ verdict }) => verdict === 'fault')
    expect([exitCode, faults[0]?.found]).toEqual([1, `The file system of ${data} is read-only (EROFS).`])
    for (const { advice } of faults) {
      expect(advice).toContain('The data may be intact')
      expect(advice).not.toContain('reeve restore')
    }
    for (const command of ['serve', 'user list']) {
      const { exitCode, err } = await run(command.split(' '))
      expect([exitCode, err]).toEqual([
        1,
        expect.stringContaining(`The file system of ${data} is read-only (EROFS). Linux makes`),
      ])
    }
    const clean = await run(['backup'])
    expect(clean).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('copy the folder to another disk'),
    })
    const server = await startServer({ dataDir: data, program: [binary] })
    server.signal('SIGKILL')
    await server.exited
    const other = temporaryFolder()
    try {
      const to = join(other.path, 'rescued.db')
      const backup = await run(['backup', '--to', to])
      expect(backup).toMatchObject({
        exitCode: 0,
        err: expect.stringContaining('The backup is complete, but `reeve doctor` does not know of it.'),
      })
      expect(listAccounts(to)).toEqual(['robin'])
    } finally {
      other.remove()
    }
  },
)

test('a path that is not a folder is named as such, without advice to grant a permission', async () => {
  const file = join(fixture.folder.path, 'not-a-folder')
  writeFileSync(file, '')
  for (const command of ['serve', 'backup', 'restore --from latest', 'user list'])
    expect({ command, ...(await runReeve(command.split(' '), { dataDir: file })) }).toEqual({
      ...{ command, exitCode: 1, out: '' },
      err: `${file} is not a folder, or a part of its path is not. Choose another path.\n`,
    })
  expect((await runReeve(['serve'], { dataDir: join(file, 'data') })).err).toStartWith(
    `${join(file, 'data')} is not a folder, or a part of its path is not.`,
  )
})

test.skipIf(!isRoot)('an instance of another user that has lost its database is not restored', async () => {
  const { file } = await fixture.createBackup()
  const { data } = fixture.folder
  for (const name of readdirSync(data)) {
    if (name.startsWith('reeve.db')) rmSync(join(data, name))
    else chownSync(join(data, name), 65_534, 65_534)
  }
  const { exitCode, err } = await fixture.run(['restore', '--from', file])
  expect([exitCode, err]).toEqual([1, expect.stringContaining('Run this command as that user')])
  expect(readdirSync(data).filter((name) => name.startsWith('reeve.db'))).toEqual([])
})
