import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { version } from '../../apps/api/package.json'
import { packArchive } from '../../scripts/release/archive.ts'
import { dependencies } from './package.json'

/** Compiles the package and packs it as `npm pack` does, with the same bytes for the same content. */
const root = join(import.meta.dir, '../..')
const dist = join(import.meta.dir, 'dist')
const staged = join(dist, 'package')
const NAME = `reeve-client-${version}.tgz`
/** The time of every file in packages that npm packs. */
const TIME = new Date('1985-10-26T08:15:00.000Z')

rmSync(dist, { recursive: true, force: true })
const compiled = Bun.spawnSync(
  [process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '--project', 'tsconfig.build.json'],
  { cwd: import.meta.dir, stdout: 'inherit', stderr: 'inherit' },
)
if (!compiled.success) process.exit(1)

/** The version of a dependency, which the manifest takes from the catalog. */
async function readCatalogVersion(name: string): Promise<string> {
  const { workspaces } = await Bun.file(join(root, 'package.json')).json()
  return workspaces.catalog[name]
}

const manifest = {
  name: '@reeve/client',
  version,
  description: 'Client for Reeve: bans, records, departments and events of your game community',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20.3' },
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
  types: './dist/index.d.ts',
  dependencies: Object.fromEntries(
    await Promise.all(
      Object.keys(dependencies).map(async (name) => [name, `^${await readCatalogVersion(name)}`] as const),
    ),
  ),
}
const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const modules = [...new Bun.Glob('dist/**/*.{js,d.ts}').scanSync(staged)].sort()
/** The compiler leaves the extensions in declarations as they are in the sources. */
const readModule = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  encode((await Bun.file(join(staged, name)).text()).replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
const archive = await packArchive(
  'package',
  [
    { name: 'package.json', bytes: encode(`${JSON.stringify(manifest, null, 2)}\n`) },
    { name: 'README.md', bytes: await Bun.file(join(import.meta.dir, 'README.md')).bytes() },
    { name: 'LICENSE', bytes: await Bun.file(join(root, 'LICENSE')).bytes() },
    ...(await Promise.all(modules.map(async (name) => ({ name, bytes: await readModule(name) })))),
  ],
  TIME,
)

for (const path of [join(dist, NAME), join(root, 'dist', NAME)]) {
  mkdirSync(dirname(path), { recursive: true })
  await Bun.write(path, archive)
}
// The program embeds the file, and serves it under its name.
await Bun.write(
  join(dist, 'archive.ts'),
  `import path from './${NAME}' with { type: 'file' }\n\nexport const archive = { name: '${NAME}', path }\n`,
)
console.log(`✓ dist/${NAME}  ${(archive.length / 1024).toFixed(0)} KiB`)
