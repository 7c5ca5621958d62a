import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startObjectStore } from '../support/object-store.ts'
import { BINARY, type CommandResult, runReeve } from '../support/program.ts'
import { openBackupFixture } from './backups.ts'

/** The start of the names of uploaded backups in the store, and of their URLs. */
export const PREFIX = 'backups/'
export const toUrl = (name: string): string => `s3://images/${name}`

/** An instance with one account, a store for its backups and a key. Commands run in the binary. */
export async function openOffsiteFixture() {
  const fixture = await openBackupFixture()
  const store = startObjectStore()
  const keyFile = join(fixture.folder.path, 'backup.key')
  const env = { ...store.backupEnv, REEVE_BACKUP_KEY_FILE: keyFile }

  const run = (args: string[], changes: Record<string, string> = {}): Promise<CommandResult> =>
    runReeve(args, { dataDir: fixture.folder.data, env: { ...env, ...changes }, program: BINARY })
  await run(['backup', 'create-key', '--file', keyFile])

  /** The names of the uploaded backups, oldest first. */
  const listObjects = (): string[] => [...store.objects.keys()].sort()

  async function backUp(changes: Record<string, string> = {}) {
    const { exitCode, out, err } = await run(['backup', '--json'], changes)
    return { exitCode, err, report: JSON.parse(out) }
  }

  /** Everything in a folder: names and contents. */
  const readFolder = (path: string): Record<string, string> =>
    existsSync(path)
      ? Object.fromEntries(
          readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString('base64')]),
        )
      : {}

  /** Uploads another backup under a new name. */
  async function putObject(name: string, content: Uint8Array): Promise<string> {
    store.objects.set(name, new Blob([new Uint8Array(content)]))
    return toUrl(name)
  }

  /** Renames the newest backup, in the folder and the bucket, as if a clock had been ahead when it was taken. @returns its file name */
  async function moveToFuture(): Promise<string> {
    const [newest = ''] = readdirSync(fixture.backupsDir)
      .filter((name) => name.endsWith('.db'))
      .sort()
      .reverse()
    const name = newest.replace(/\d{8}T\d{9}Z/, '20990101T000000000Z')
    for (const suffix of ['', '.sha256'])
      renameSync(join(fixture.backupsDir, `${newest}${suffix}`), join(fixture.backupsDir, `${name}${suffix}`))
    const object = `${PREFIX}${newest}.enc`
    await putObject(`${PREFIX}${name}.enc`, (await store.objects.get(object)?.bytes()) ?? new Uint8Array())
    store.objects.delete(object)
    return name
  }

  /** The doctor's finding on offsite backups. */
  async function findOffsite(changes: Record<string, string> = {}) {
    const { out } = await run(['doctor', '--json'], changes)
    const { findings } = JSON.parse(out) as { findings: { check: string; verdict: string; found: string }[] }
    const finding = findings.find(({ check }) => check === 'offsite')
    return finding && `${finding.verdict}: ${finding.found}`
  }

  /** Writes another key. @returns its path */
  function writeKey(name: string, mode = 0o600): string {
    const path = join(fixture.folder.path, name)
    writeFileSync(path, crypto.getRandomValues(new Uint8Array(32)), { mode })
    return path
  }

  return {
    ...fixture,
    ...{
      store,
      keyFile,
      env,
      run,
      listObjects,
      backUp,
      readFolder,
      putObject,
      moveToFuture,
      findOffsite,
      writeKey,
    },
    async close() {
      await store.close()
      fixture.folder.remove()
    },
  }
}

export type OffsiteFixture = Awaited<ReturnType<typeof openOffsiteFixture>>
