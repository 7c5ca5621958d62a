import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { startObjectStore } from '../support/object-store.ts'
import { startServer } from '../support/program.ts'
import { type BackupFixture, type BackupReport, openBackupFixture } from './backups.ts'

let fixture: BackupFixture
beforeEach(async () => {
  fixture = await openBackupFixture()
})
afterEach(() => fixture.folder.remove())

describe('a backup', () => {
  test('removes as many older backups as the running server, and none if neither a server nor a setting says how many to keep', async () => {
    const { file } = await fixture.createBackup()
    const [, tag] = /^reeve-(\w{6})-/.exec(basename(file)) ?? []
    const oldFiles = Array.from({ length: 9 }, (_, index) =>
      join(fixture.backupsDir, `reeve-${tag}-2020010${index + 1}T000000000Z.db`),
    )
    for (const old of oldFiles) writeFileSync(old, 'of last year')
    const runWithServer = async (env: Record<string, string>, backupEnv: Record<string, string> = {}) => {
      const running = await startServer({ dataDir: fixture.folder.data, env })
      const { out } = await fixture.run(['backup', '--json'], backupEnv)
      expect(await running.stop()).toBe(0)
      return (JSON.parse(out) as BackupReport).removed
    }
    expect(await runWithServer({ REEVE_BACKUP_KEEP: '30' })).toEqual([])
    const { out } = await fixture.run(['backup'])
    expect(out).toContain('No older backup was removed')
    expect(oldFiles.filter((old) => !existsSync(old))).toEqual([])
    expect(await runWithServer({})).toEqual(oldFiles.slice(0, 6).reverse())
    expect(await runWithServer({}, { REEVE_BACKUP_KEEP: '6' })).toEqual(oldFiles.slice(6, 8).reverse())
  })

  test('without the settings of the running server is created in its folder, where the other commands find it, and says that it was not uploaded', async () => {
    const backupDir = join(fixture.folder.path, 'other-disk')
    const store = startObjectStore()
    const running = await startServer({
      dataDir: fixture.folder.data,
      env: {
        REEVE_BACKUP_DIR: backupDir,
        ...store.backupEnv,
        REEVE_BACKUP_PASSPHRASE: 'nine owls over the harbour',
      },
    })
    const { exitCode, out } = await fixture.run(['backup'])
    expect(exitCode).toBe(0)
    expect(out).toContain(`Created and verified backup ${backupDir}/reeve-`)
    expect(out).toContain('This backup was not uploaded')
    expect((await fixture.run(['backup', '--local'])).out).not.toContain('not uploaded')
    expect((await fixture.run(['backup', 'list'])).out).toContain(`${backupDir}/reeve-`)
    expect((await fixture.run(['backup', 'verify'])).exitCode).toBe(0)
    expect(await running.stop()).toBe(0)
    await store.close()
    expect(existsSync(fixture.backupsDir)).toBe(false)
  })

  test('that is newer but in another folder than the one that `latest` is looked for in is named', async () => {
    await fixture.createBackup()
    const to = join(fixture.folder.path, 'other-disk')
    const { file } = await fixture.createBackup('--to', to)
    expect((await fixture.run(['restore', '--from', 'latest'])).err).toContain(`${file}, is newer`)
    expect((await fixture.run(['restore', '--from', 'latest'], { REEVE_BACKUP_DIR: to })).err).not.toContain(
      'is newer',
    )
  })
})
