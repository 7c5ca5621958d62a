import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { readBuildInfo } from '../../apps/api/build-info.ts'
import { version } from '../../apps/api/package.json'
import { writeRelease } from '../../scripts/release/files.ts'
import { readLicense } from '../../scripts/release/licenses.ts'
import { findTargets } from '../../scripts/release/targets.ts'
import { ROOT, runReeve, startServer } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { copyRepository } from './repository-copy.ts'

/** Compiling for all, or building everything again in another folder. */
const BUILD_TIMEOUT_MS = 300_000

const TARGET = 'linux-arm64'
const NAME = `reeve-${version}-${TARGET}`
/** Runs programs for arm64, with the libraries of Debian's package libc6-arm64-cross. */
const QEMU = ['/usr/bin/qemu-aarch64', '-L', '/usr/aarch64-linux-gnu']

/** On the disk, where packages are linked instead of copied: the one of other tests can be in memory. */
const folder = temporaryFolder('/var/tmp')
const out = join(folder.path, 'release')
const unpacked = join(folder.path, 'unpacked')
/** A copy of the repository in another folder. */
const copy = join(folder.path, 'copy')
const arm64 = [...QEMU, join(unpacked, NAME, 'reeve')]
const build = readBuildInfo(ROOT, process.env)

beforeAll(async () => {
  copyRepository(copy)
  await writeRelease(findTargets([TARGET]), build, out)
  mkdirSync(unpacked)
  await Bun.$`tar --extract --gzip --file ${join(out, `${NAME}.tar.gz`)} --directory ${unpacked}`
}, BUILD_TIMEOUT_MS)
afterAll(() => folder.remove(), BUILD_TIMEOUT_MS)

interface Sbom {
  readonly metadata: { readonly component: Record<string, unknown> }
  readonly components: readonly { readonly name: string; readonly version: string; readonly type: string }[]
}

const readSbom = async (): Promise<Sbom> => Bun.file(join(out, `reeve-${version}.cdx.json`)).json()

test(
  'the same commit gives the same bytes, in another folder and built from nothing',
  async () => {
    const other = join(folder.path, 'other')
    const script = join(copy, 'scripts/release.ts')
    const child = Bun.spawn([process.execPath, script, '--target', TARGET, '--allow-dirty', '--out', other], {
      cwd: copy,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect({ exitCode: await child.exited, output: stdout + stderr }).toMatchObject({ exitCode: 0 })
    const read = (from: string) => readFileSync(join(from, 'SHA256SUMS'), 'utf8')
    expect(read(other)).toBe(read(out))
  },
  BUILD_TIMEOUT_MS,
)

test('sha256sum accepts every file, and rejects a changed one', async () => {
  const check = () => Bun.$`sha256sum --check SHA256SUMS`.cwd(out).quiet().nothrow()
  const { exitCode, stdout } = await check()
  expect({ exitCode, lines: stdout.toString().trim().split('\n') }).toEqual({
    exitCode: 0,
    lines: [`${NAME}.tar.gz: OK`, `reeve-${version}.cdx.json: OK`, `reeve-client-${version}.tgz: OK`],
  })
  const path = join(out, `reeve-${version}.cdx.json`)
  const sbom = readFileSync(path, 'utf8')
  writeFileSync(path, sbom.replace('MIT', 'ISC'))
  expect((await check()).exitCode).toBe(1)
  writeFileSync(path, sbom)
})

test('an archive contains the program and the licenses, owned by root, with the time of the commit', async () => {
  const listing =
    await Bun.$`tar --list --verbose --full-time --utc --file ${join(out, `${NAME}.tar.gz`)}`.text()
  const time = readBuildInfo(ROOT, process.env).time.replace('T', ' ').replace('Z', '')
  expect(
    listing
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
      .map(([mode, owner, , day, hour, path]) => [mode, owner, `${day} ${hour}`, path].join(' ')),
  ).toEqual([
    `drwxr-xr-x root/root ${time} ${NAME}/`,
    `-rw-r--r-- root/root ${time} ${NAME}/LICENSE`,
    `-rw-r--r-- root/root ${time} ${NAME}/THIRD_PARTY_LICENSES`,
    `-rwxr-xr-x root/root ${time} ${NAME}/reeve`,
  ])
})

describe('the SBOM', () => {
  test('is valid CycloneDX 1.6', async () => {
    const library = Bun.resolveSync('@cyclonedx/cyclonedx-library', import.meta.dir)
    const schemas = join(library.slice(0, library.indexOf('/dist')), 'res/schema')
    const ajv = addFormats(new Ajv({ strict: false, allErrors: true }), ['date-time', 'uri', 'email'])
    // Formats for which ajv-formats has no check.
    for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true)
    const readSchema = (name: string) => Bun.file(join(schemas, name)).json()
    for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
      ajv.addSchema(await readSchema(name), `http://cyclonedx.org/schema/${name}`)
    const validate = ajv.compile(await readSchema('bom-1.6.SNAPSHOT.schema.json'))
    validate(await readSbom())
    expect(validate.errors).toBeNull()
  })

  test('lists what the binary, the portal and the API reference contain, and no development tool', async () => {
    const { metadata, components } = await readSbom()
    expect(metadata.component).toMatchObject({ name: 'reeve', version })
    const names = components.map(({ name }) => name)
    for (const name of [
      'bun',
      'elysia',
      'kysely',
      'pg',
      'react',
      '@mantine/core',
      '@scalar/api-reference',
      'vue',
    ])
      expect(names).toContain(name)
    for (const name of ['typescript', 'turbo', '@biomejs/biome', 'rolldown', 'playwright-core', '@types/bun'])
      expect(names).not.toContain(name)
    expect(names.filter((name) => name.startsWith('@reeve/'))).toEqual([])
    expect(components.find(({ name }) => name === 'bun')).toMatchObject({
      type: 'platform',
      version: Bun.version,
    })
  })
})

test('the licenses name every component of the SBOM, and contain their texts', async () => {
  const text = readFileSync(join(unpacked, NAME, 'THIRD_PARTY_LICENSES'), 'utf8')
  for (const { name, version: contained } of (await readSbom()).components)
    expect(text).toContain(`${name}@${contained}`)
  for (const part of [
    'Copyright (c) Meta Platforms, Inc. and affiliates.',
    'Copyright (c) 2015 Titus Wormer <tituswormer@gmail.com>',
    'GNU LESSER GENERAL PUBLIC LICENSE',
  ])
    expect(text).toContain(part)
})

test('a package without a license text is an error that names it', () => {
  const found = { name: 'left-out', version: '1.2.3', license: 'MIT', folder: folder.path }
  expect(() => readLicense(found)).toThrow(
    'left-out@1.2.3 contains no license text. Add the one of its repository as release/licenses/left-out.txt.',
  )
})

test('a work tree with changes is refused', async () => {
  const changed = join(copy, 'packages/new-file.ts')
  writeFileSync(changed, '')
  const { exitCode, stderr } = await Bun.$`${process.execPath} scripts/release.ts`.cwd(copy).quiet().nothrow()
  rmSync(changed)
  expect({ exitCode, err: stderr.toString() }).toEqual({
    exitCode: 1,
    err: '✗ The work tree has changes that are not committed (see `git status`). Commit them, or try a build with --allow-dirty.\n',
  })
})

test('the temporary file of a build that runs at the same time is not a change', () => {
  const before = readBuildInfo(copy, process.env)
  const file = join(copy, '.88bc3f49a5840ced-00000000.bun-build')
  writeFileSync(file, '')
  const meanwhile = readBuildInfo(copy, process.env)
  rmSync(file)
  expect(meanwhile).toEqual(before)
})

describe('the binary for arm64, under QEMU', () => {
  test('prints the version and the commit', async () => {
    const {
      exitCode,
      out: printed,
      err,
    } = await runReeve(['--version'], { dataDir: folder.data, program: arm64 })
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    expect(printed).toStartWith(`${version} (commit ${build.commit}, built `)
  }, 60_000)

  test('serves an instance and stops', async () => {
    const running = await startServer({ dataDir: folder.data, program: arm64 })
    for (const path of ['/healthz', '/readyz', '/']) {
      const { status } = await fetch(new URL(path, running.url))
      expect({ path, status }).toEqual({ path, status: 200 })
    }
    expect(await running.stop()).toBe(0)
  }, 120_000)
})
