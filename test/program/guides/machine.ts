import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@reeve/api/version'
import { renderChecksums } from '../../../scripts/release/archive.ts'
import { splitCommands } from '../../support/guide.ts'
import { startObjectStore } from '../../support/object-store.ts'
import {
  BINARY,
  type CommandResult,
  ROOT,
  type RunningServer,
  readResult,
  startServerCommand,
} from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startDatabaseServer } from './postgres.ts'

/** The password of the first account, which `reeve init` asks for. */
export const PASSWORD = 'a long enough secret'
const DATABASE_PASSWORD = 'secret'
const SETTINGS_FILE = '/etc/reeve/reeve.env'
const UNIT_FILE = '/etc/systemd/system/reeve.service'

/** What people type when a command asks for it. */
const TYPED = [
  [/reeve init/, PASSWORD],
  [/createuser --pwprompt/, `${DATABASE_PASSWORD}\n${DATABASE_PASSWORD}\n`],
] as const

/** The assignments in a unit or in a file of settings; the last one of a name counts. */
const readAssignments = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]))

/** The environment without settings, as after signing in on a machine. */
const cleanEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(REEVE_|PG)/.test(name)),
)

/** Stands in for the files of a release: the binary of this build, packed as one for Linux on x64. */
async function createRelease(folder: string): Promise<void> {
  const name = `reeve-${VERSION}-linux-x64`
  mkdirSync(join(folder, name))
  symlinkSync(BINARY[0], join(folder, name, 'reeve'))
  const archive = `${name}.tar.gz`
  await Bun.$`tar --create --dereference --use-compress-program 'gzip -1' --file ${archive} ${name}`.cwd(
    folder,
  )
  rmSync(join(folder, name), { recursive: true })
  const bytes = await Bun.file(join(folder, archive)).bytes()
  const checksum = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const absent = ['reeve-0.0.0-another-platform.tar.gz', checksum] as const
  writeFileSync(join(folder, 'SHA256SUMS'), renderChecksums(new Map([absent, [archive, checksum]])))
}

/**
 * A folder that stands in for a machine on which commands of a guide are executed. As little as possible is replaced: the texts below,
 * and the programs in `bin/` that need root, systemd or another machine.
 */
export async function createMachine() {
  const folder = temporaryFolder()
  const root = folder.path
  const clone = join(root, 'clone')
  const database = await startDatabaseServer(root)
  const imageStore = startObjectStore({ bucket: 'reeve-images', region: 'eu-central-1' })
  const backupStore = startObjectStore({ bucket: 'reeve-backups', region: 'eu-central-1' })
  let service: RunningServer | null = null

  /** What stands in for what in commands and settings, and why. */
  const standIns: readonly (readonly [pattern: RegExp, replacement: string, reason: string])[] = [
    [/(?<![\w./])\/(?=(?:etc|mnt|run|usr|var)\/)/g, `${root}/`, 'the test leaves the machine as it is'],
    [/db\.example\.com:5432/g, `localhost:${database.port}`, 'an embedded PostgreSQL server'],
    [/sslmode=verify-full/g, `$&&sslrootcert=${database.certificateFile}`, 'its certificate is private'],
    [/(REEVE_S3_ENDPOINT)=https:\S+/g, `$1=${imageStore.settings.endpoint.origin}`, 'no Amazon S3'],
    [/(BACKUP_S3_ENDPOINT)=https:\S+/g, `$1=${backupStore.settings.endpoint.origin}`, 'no Amazon S3'],
    [/(_ACCESS_KEY_ID)=…/g, `$1=${imageStore.settings.accessKeyId}`, 'a value to fill in'],
    [/(_SECRET_ACCESS_KEY)=…/g, `$1=${imageStore.settings.secretAccessKey}`, 'a value to fill in'],
    [/(PGPASSWORD=|reeve:)…/g, `$1${DATABASE_PASSWORD}`, 'a value to fill in'],
  ]
  /** Values that are known only during the test, such as IDs, by the text in the guide. */
  const examples = new Map<string, string>()
  const adapt = (text: string): string =>
    [...examples, ...standIns].reduce(
      (adapted, [pattern, replacement]) => adapted.replaceAll(pattern, replacement),
      text,
    )

  mkdirSync(clone)
  await createRelease(clone)
  cpSync(join(ROOT, 'deploy'), join(clone, 'deploy'), { recursive: true })
  for (const file of ['reeve.env', 'reeve.service']) {
    const path = join(clone, 'deploy/systemd', file)
    writeFileSync(path, adapt(readFileSync(path, 'utf8')))
  }
  /** Makes the folder a machine on which Reeve was never installed. */
  function removeInstallation(): void {
    for (const path of ['etc', 'usr', 'var']) rmSync(join(root, path), { recursive: true, force: true })
    for (const path of ['usr/local/bin', 'etc/systemd/system', 'mnt/usb', 'var/lib'])
      mkdirSync(join(root, path), { recursive: true })
    writeFileSync(join(root, 'users'), 'root\npostgres\nwww-data\n')
  }
  removeInstallation()
  writeFileSync(
    join(root, 'postgres.env'),
    Object.entries(database.env)
      .map(([name, value]) => `export ${name}=${value}\n`)
      .join(''),
  )

  const locate = (path: string): string => join(root, path)
  const readSettings = () =>
    readAssignments(readFileSync(locate(SETTINGS_FILE), 'utf8'), /^(REEVE_\w+)=(.*)$/gm)

  async function startService(): Promise<void> {
    if (service) throw new Error('the service is running already')
    const unit = readFileSync(locate(UNIT_FILE), 'utf8')
    const value = (name: string) => unit.match(new RegExp(`^${name}=(.*)$`, 'm'))?.[1] ?? ''
    for (const name of value('StateDirectory').split(' '))
      mkdirSync(locate(`var/lib/${name}`), {
        recursive: true,
        mode: Number.parseInt(value('StateDirectoryMode'), 8),
      })
    mkdirSync(locate(`run/${value('RuntimeDirectory')}`), { recursive: true })
    const env = { ...readAssignments(unit, /^Environment=(\w+)=(.*)$/gm), ...readSettings() }
    const port = 'REEVE_LISTEN' in env ? {} : { REEVE_PORT: '0' }
    service = await startServerCommand(value('ExecStart').split(' '), root, { ...cleanEnv, ...env, ...port })
  }

  async function stopService(): Promise<void> {
    const exitCode = await service?.stop()
    service = null
    if (exitCode) throw new Error(`the service exited with status ${exitCode}`)
  }

  const actions: Readonly<Record<string, () => Promise<void>>> = {
    'daemon-reload': async () => {},
    'enable --now reeve': startService,
    'start reeve': startService,
    'stop reeve': stopService,
    'restart reeve': () => stopService().then(startService),
  }
  const serviceManager = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const action = actions[await request.text()]
      if (!action) return new Response('systemctl: unexpected arguments\n', { status: 400 })
      return action().then(
        () => new Response(),
        (error) => new Response(`${error}\n`, { status: 500 }),
      )
    },
  })
  const shellEnv = {
    ...cleanEnv,
    PATH: `${join(import.meta.dir, 'bin')}:${process.env.PATH}`,
    MACHINE_ROOT: root,
    SERVICE_MANAGER: serviceManager.url.href,
  }

  /** Executes a command in the clone. @throws Error with the command and its output if it fails */
  async function run(command: string): Promise<CommandResult> {
    const typed = TYPED.find(([pattern]) => pattern.test(command))?.[1] ?? ''
    // Without a terminal, programs read passwords from standard input.
    const child = Bun.spawn(['setsid', '--wait', 'bash', '-eu', '-o', 'pipefail', '-c', adapt(command)], {
      cwd: clone,
      env: shellEnv,
      stdin: new Blob([typed]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const result = await readResult(child)
    const { exitCode, out, err } = result
    if (exitCode !== 0) throw new Error(`${command}\nexits with status ${exitCode}: ${out}${err}`)
    return result
  }

  return {
    clone,
    database,
    imageStore,
    backupStore,
    run,
    /** Says what stands in for an example of the guide from now on, such as an ID. */
    replaceExample: (text: string, value: string) => void examples.set(text, value),
    /** Executes the commands of a block, one after the other. */
    async runAll(code: string): Promise<CommandResult[]> {
      const results: CommandResult[] = []
      for (const command of splitCommands(code)) results.push(await run(command))
      return results
    },
    /** Starts the server that a block starts in the foreground, on a free port. */
    serve: (code: string): Promise<RunningServer> =>
      startServerCommand(['bash', '-c', adapt(code)], clone, { ...shellEnv, REEVE_PORT: '0' }),
    /** The place of a path of the guide. */
    locate,
    /** Adds lines to the settings of the service. */
    addSettings(lines: string): void {
      writeFileSync(locate(SETTINGS_FILE), adapt(`\n${lines}`), { flag: 'a' })
    },
    /** Puts the settings of the service back to those of the example. */
    resetSettings: (): void => cpSync(join(clone, 'deploy/systemd/reeve.env'), locate(SETTINGS_FILE)),
    removeInstallation,
    /** The running service. @throws Error if it is not running */
    getService(): RunningServer {
      if (!service) throw new Error('the service is not running')
      return service
    },
    async close(): Promise<void> {
      await stopService()
      await serviceManager.stop(true)
      await Promise.all([imageStore.close(), backupStore.close()])
      folder.remove()
    },
  }
}

export type Machine = Awaited<ReturnType<typeof createMachine>>
