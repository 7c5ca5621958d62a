import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, parse } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ASSET_PATH } from './src/paths.ts'

/**
 * Builds the portal into `dist/assets`, with a brotli and a gzip variant of each file, and generates `dist/files.ts`, which
 * imports them all, so that the single binary embeds them.
 */
const source = join(import.meta.dir, 'src')
const dist = join(import.meta.dir, 'dist')

// Built in a temporary directory and renamed into place, so that a server running from source is not disturbed.
const buildDir = join(dist, `assets.${process.pid}`)
rmSync(buildDir, { recursive: true, force: true })
mkdirSync(buildDir, { recursive: true })

const compressors = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Builds one entry point with its chunks. @returns the names of its script and stylesheet */
async function build(entrypoint: string, format: 'esm' | 'iife') {
  const { outputs } = await Bun.build({
    entrypoints: [join(source, entrypoint)],
    outdir: buildDir,
    target: 'browser',
    format,
    splitting: format === 'esm',
    minify: true,
    publicPath: `${ASSET_PATH}/`,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: '[name]-[hash].[ext]' },
  })
  const outputNames = outputs.map(({ path }) => basename(path))
  const prefix = `${parse(entrypoint).name}-`
  // The entry's stylesheet already contains the styles of all chunks.
  for (const name of outputNames)
    if (name.endsWith('.css') && !name.startsWith(prefix)) rmSync(join(buildDir, name))
  const findOutput = (extension: string) =>
    outputNames.find((name) => name.startsWith(prefix) && name.endsWith(extension)) ?? ''
  return { script: findOutput('.js'), style: findOutput('.css') }
}

const entry = { ...(await build('main.tsx', 'esm')), scheme: (await build('scheme.ts', 'iife')).script }

const assetNames = [...new Bun.Glob('*').scanSync(buildDir)].sort()
await Promise.all(
  assetNames.map(async (name) => {
    const bytes = await Bun.file(join(buildDir, name)).bytes()
    await Bun.write(join(buildDir, `${name}.br`), await compressors.br(bytes))
    await Bun.write(join(buildDir, `${name}.gz`), await compressors.gzip(bytes))
  }),
)

const importLines = assetNames.flatMap((name, index) =>
  [
    ['identity', ''],
    ['br', '.br'],
    ['gzip', '.gz'],
  ].map(([kind, suffix]) => `import ${kind}${index} from './assets/${name}${suffix}' with { type: 'file' }`),
)
const fileEntries = assetNames.map(
  (name, index) => `  { name: '${name}', identity: identity${index}, br: br${index}, gzip: gzip${index} },`,
)
rmSync(join(dist, 'assets'), { recursive: true, force: true })
renameSync(buildDir, join(dist, 'assets'))
await Bun.write(
  join(dist, 'files.ts'),
  `${importLines.join('\n')}\n\nexport const files = [\n${fileEntries.join('\n')}\n]\n\nexport const entry = ${JSON.stringify(entry)}\n`,
)
