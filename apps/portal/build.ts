import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join, parse } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ASSET_PATH } from './src/addresses.ts'

/**
 * Builds the portal into `dist/assets`, each file also as brotli and gzip, and `dist/files.ts`, which imports them all: so
 * they are served from disk where the program runs from source, and are inside the single binary.
 */
const source = join(import.meta.dir, 'src')
const dist = join(import.meta.dir, 'dist')

// Built beside and put in its place in one step: a server that runs from source goes on undisturbed.
const fresh = join(dist, `assets.${process.pid}`)
rmSync(fresh, { recursive: true, force: true })
mkdirSync(fresh, { recursive: true })

const compressed = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
}

/** Builds one entry point with all that it loads. @returns the names of its script and its style */
async function build(entrypoint: string, format: 'esm' | 'iife') {
  const { outputs } = await Bun.build({
    entrypoints: [join(source, entrypoint)],
    outdir: fresh,
    target: 'browser',
    format,
    splitting: format === 'esm',
    minify: true,
    publicPath: `${ASSET_PATH}/`,
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[hash].[ext]', asset: '[name]-[hash].[ext]' },
  })
  const made = outputs.map(({ path }) => basename(path))
  const stem = `${parse(entrypoint).name}-`
  // The style of the entry holds that of all its parts, so that it comes at once and in one order.
  for (const name of made) if (name.endsWith('.css') && !name.startsWith(stem)) rmSync(join(fresh, name))
  const named = (extension: string) =>
    made.find((name) => name.startsWith(stem) && name.endsWith(extension)) ?? ''
  return { script: named('.js'), style: named('.css') }
}

const entry = { ...(await build('main.tsx', 'esm')), scheme: (await build('scheme.ts', 'iife')).script }

const names = [...new Bun.Glob('*').scanSync(fresh)].sort()
await Promise.all(
  names.map(async (name) => {
    const bytes = await Bun.file(join(fresh, name)).bytes()
    await Bun.write(join(fresh, `${name}.br`), await compressed.br(bytes))
    await Bun.write(join(fresh, `${name}.gz`), await compressed.gzip(bytes))
  }),
)

const imported = names.flatMap((name, index) =>
  [
    ['identity', ''],
    ['br', '.br'],
    ['gzip', '.gz'],
  ].map(([kind, suffix]) => `import ${kind}${index} from './assets/${name}${suffix}' with { type: 'file' }`),
)
const listed = names.map(
  (name, index) => `  { name: '${name}', identity: identity${index}, br: br${index}, gzip: gzip${index} },`,
)
rmSync(join(dist, 'assets'), { recursive: true, force: true })
renameSync(fresh, join(dist, 'assets'))
await Bun.write(
  join(dist, 'files.ts'),
  `${imported.join('\n')}\n\nexport const files = [\n${listed.join('\n')}\n]\n\nexport const entry = ${JSON.stringify(entry)}\n`,
)
