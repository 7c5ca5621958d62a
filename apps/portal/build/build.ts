import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { MAIN } from './bundles.ts'
import { buildScripts } from './scripts.ts'
import { collectStyles, compileAppStyle } from './styles.ts'

/**
 * Builds the portal into `dist/assets`, with a brotli and a gzip variant of each file, and generates `dist/files.ts`, which
 * imports them all, so that the single binary embeds them.
 */
process.chdir(join(import.meta.dir, '..'))
const source = join(process.cwd(), 'src')
const dist = join(process.cwd(), 'dist')

// Built in a temporary directory and renamed into place, so that a server running from source is not disturbed.
const buildDir = join(dist, `assets.${process.pid}`)
rmSync(buildDir, { recursive: true, force: true })
mkdirSync(buildDir, { recursive: true })

const compressors = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  // 4 % smaller than zlib's best level.
  gzip: async (bytes: Uint8Array<ArrayBuffer>) => Bun.gzipSync(bytes, { library: 'libdeflate', level: 12 }),
}

/** Writes a file whose name contains a hash of its content. @returns its name */
async function writeHashed(name: string, extension: string, content: string): Promise<string> {
  const fileName = `${name}-${Bun.hash(content).toString(36)}.${extension}`
  await Bun.write(join(buildDir, fileName), content)
  return fileName
}

/** The script inside the page. */
async function buildInlineScript(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(source, 'inline.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  return (await outputs[0]?.text())?.trim() ?? ''
}

const { bundles, style: css, modules } = await buildScripts(source, buildDir, collectStyles(source))
const style = await writeHashed(MAIN, 'css', css)
const forcedColorsStyle = await writeHashed(
  'forced-colors',
  'css',
  await compileAppStyle(source, 'forced-colors'),
)

const mainScript = bundles.get(MAIN)?.file ?? ''
const entry = {
  script: mainScript,
  style,
  forcedColorsStyle,
  inlineScript: await buildInlineScript(),
  bundles: Object.fromEntries(
    [...bundles].map(([name, { file, imports }]) => [
      name,
      [...imports, file].filter((script) => script !== mainScript),
    ]),
  ),
}

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
// What a release lists as its content. Relative, because a build can come from the cache of another folder.
await Bun.write(
  join(dist, 'modules.json'),
  JSON.stringify(modules.map((path) => relative(dist, path)).sort(), null, 2),
)
