import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readBuildInfo } from '../../apps/api/build-info.ts'
import { version } from '../../apps/api/package.json'
import { packArchive, renderChecksums } from '../../scripts/release/archive.ts'
import { BINARY, ROOT, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const dockerfile = readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8')
const lines = (instruction: string): string[] =>
  [...dockerfile.matchAll(RegExp(`^${instruction} (.+)$`, 'gm'))].map(([, rest = '']) => rest)

const folder = temporaryFolder()
const context = join(folder.path, 'context')

/** A release file with the binary of this machine, under the name of each architecture. */
beforeAll(async () => {
  mkdirSync(context)
  const time = new Date(readBuildInfo(ROOT, { SOURCE_DATE_EPOCH: '1767225600' }).time)
  const content = [
    { name: 'reeve', bytes: await Bun.file(BINARY[0]).bytes(), isExecutable: true },
    { name: 'LICENSE', bytes: new TextEncoder().encode('license') },
    { name: 'THIRD_PARTY_LICENSES', bytes: new TextEncoder().encode('licenses') },
  ]
  const checksums = new Map<string, string>()
  for (const target of ['linux-x64', 'linux-arm64']) {
    const name = `reeve-${version}-${target}`
    const archive = await packArchive(name, content, time)
    await Bun.write(join(context, `${name}.tar.gz`), archive)
    checksums.set(`${name}.tar.gz`, new Bun.CryptoHasher('sha256').update(archive).digest('hex'))
  }
  await Bun.write(join(context, 'SHA256SUMS'), renderChecksums(checksums))
}, 120_000)
afterAll(() => folder.remove())

/** Runs the Dockerfile's own COPY and RUN lines of the first stage. @returns the folder `/out` */
async function runFirstStage(architecture: string): Promise<string> {
  const stage = join(folder.path, architecture)
  const release = join(stage, 'release')
  const out = join(stage, 'out')
  mkdirSync(release, { recursive: true })
  const [copied = ''] = lines('COPY')
  const names = copied
    .replace(/\$\{VERSION\}/g, version)
    .split(' ')
    .slice(0, -1)
  for (const name of names) copyFileSync(join(context, name), join(release, name))
  const steps = lines('RUN').map((step) => step.replaceAll('/out', out))
  await Bun.$`sh -ec ${steps.join('\n')}`
    .cwd(release)
    .env({ ...process.env, VERSION: version, TARGETARCH: architecture })
    .quiet()
  return out
}

for (const architecture of ['amd64', 'arm64']) {
  test(`the image for ${architecture} contains the program of the release, its licenses and empty folders for data and backups`, async () => {
    const out = await runFirstStage(architecture)
    expect([...new Bun.Glob('**/*').scanSync({ cwd: out, onlyFiles: false })].sort()).toEqual([
      'backups',
      'data',
      'licenses',
      'licenses/LICENSE',
      'licenses/THIRD_PARTY_LICENSES',
      'reeve',
    ])
    expect(statSync(join(out, 'reeve')).mode & 0o777).toBe(0o755)
    for (const name of ['data', 'backups']) expect(statSync(join(out, name)).mode & 0o777).toBe(0o700)
    // Every file that the last stage copies exists.
    for (const line of lines('COPY').filter((rest) => rest.startsWith('--from=files'))) {
      const source = line.split(' ').find((word) => word.startsWith('/out')) ?? ''
      expect(statSync(join(dirname(out), source)).isDirectory() || source === '/out/reeve').toBe(true)
    }
  }, 60_000)
}

test('the build stops if a release file is damaged', async () => {
  const path = join(context, `reeve-${version}-linux-x64.tar.gz`)
  const bytes = readFileSync(path)
  await Bun.write(path, bytes.subarray(0, -1))
  await expect(runFirstStage('amd64')).rejects.toThrow()
  await Bun.write(path, bytes)
}, 60_000)

test('the program needs only the C library, which the base of the image has', async () => {
  const linked = (await Bun.$`ldd ${BINARY[0]}`.text()).match(/\b(?:lib|ld-)[\w.-]+/g) ?? []
  const ofLibc = /^(libc|libm|libdl|libpthread|ld-linux[\w-]*)\.so\.\d$/
  expect(linked.filter((name) => name.includes('.so') && !ofLibc.test(name))).toEqual([])
})

test('the health check is a command of the program, which fails until the server is ready', async () => {
  const [flagsAndCommand = ''] = lines('HEALTHCHECK')
  const command = JSON.parse(flagsAndCommand.replace(/^.*CMD /, '')) as string[]
  const [entry = ''] = lines('ENTRYPOINT').map((rest) => (JSON.parse(rest) as string[])[0])
  expect(command[0]).toBe(entry)
  const options = { dataDir: folder.data, program: BINARY }
  const running = await startServer(options)
  const check = async () =>
    (await runReeve(command.slice(1), { ...options, env: { REEVE_PORT: new URL(running.url).port } }))
      .exitCode
  expect(await check()).toBe(0)
  await running.stop()
  expect(await check()).toBe(1)
}, 60_000)

test.skipIf(process.getuid?.() !== 0)(
  'the program writes nowhere but to the folders for data and backups, as a user who owns nothing else',
  async () => {
    const [user = ''] = lines('USER')
    const [uid = '', gid = ''] = user.split(':')
    const root = join(folder.path, 'root')
    mkdirSync(root)
    for (const path of [folder.path, root]) chmodSync(path, 0o755)
    await Bun.$`install -m 755 ${BINARY[0]} ${join(root, 'reeve')}`
    for (const volume of lines('VOLUME').flatMap((paths) => paths.split(' ')))
      await Bun.$`install -d -m 700 -o ${uid} -g ${gid} ${join(root, volume)}`
    const [, backups = ''] = /REEVE_BACKUP_DIR=(\S+)/.exec(lines('ENV').join(' ')) ?? []
    const env = { HOME: '/nonexistent', ...(backups && { REEVE_BACKUP_DIR: join(root, backups) }) }
    const program = [
      ...['/usr/bin/setpriv', '--reuid', uid, '--regid', gid, '--clear-groups', '--no-new-privs'],
      join(root, 'reeve'),
    ]
    const options = { dataDir: join(root, 'data'), program, cwd: root, env }
    const running = await startServer(options)
    expect((await fetch(`${running.url}/readyz`)).status).toBe(200)
    expect(await runReeve(['backup'], options)).toMatchObject({ exitCode: 0 })
    expect(await running.stop()).toBe(0)
    expect([...new Bun.Glob('*').scanSync({ cwd: root, onlyFiles: false })].sort()).toEqual([
      'backups',
      'data',
      'reeve',
    ])
  },
  60_000,
)
