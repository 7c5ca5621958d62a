import { basename, join, relative } from 'node:path'
import { build as bundle } from 'rolldown'
import { assignBundles, MAIN, type Part } from './bundles.ts'
import type { StyleCollector } from './styles.ts'

export interface BuiltScripts {
  /** The file of each bundle by its name, with the files that it imports. */
  readonly bundles: ReadonlyMap<string, { readonly file: string; readonly imports: readonly string[] }>
  /** The CSS modules in the order of their imports. */
  readonly styleModules: readonly string[]
}

/**
 * Builds the scripts. Bun compiles and removes unused code, but splits it into more than a hundred files; Rolldown then
 * merges these into bundles and minifies them. Each on its own is worse: Bun cannot merge files, and Rolldown takes ten
 * times as long to read all modules.
 * @param partsDir an empty folder for the files in between
 */
export async function buildScripts(
  source: string,
  partsDir: string,
  outputDir: string,
  { plugin }: StyleCollector,
): Promise<BuiltScripts> {
  const { metafile } = await Bun.build({
    entrypoints: [join(source, 'main.tsx')],
    outdir: partsDir,
    target: 'browser',
    splitting: true,
    // The page and Rolldown know which bundles to request.
    modulePreload: false,
    minify: { syntax: true },
    metafile: true,
    plugins: [plugin],
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: '[name].[ext]', chunk: 'part-[hash].[ext]' },
  })
  if (!metafile) throw new Error('Bun wrote no metafile')
  const toSource = (path: string) => relative(source, join(process.cwd(), path))
  const parts = Object.entries(metafile.outputs).map(
    ([path, { entryPoint, imports }]): Part => ({
      name: basename(path),
      entry: entryPoint === undefined ? null : toSource(entryPoint),
      imports: imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path)),
    }),
  )
  const inputs = new Map(Object.entries(metafile.inputs).map(([path, input]) => [toSource(path), input]))
  const screens = new Set(
    inputs.get('router.tsx')?.imports.map(({ entryPoint }) => toSource(entryPoint ?? '')),
  )
  const bundleOfPart = assignBundles(parts, screens)

  const { output } = await bundle({
    input: { [MAIN]: join(partsDir, 'main.js') },
    preserveEntrySignatures: false,
    checks: { pluginTimings: false },
    output: {
      dir: outputDir,
      minify: true,
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          { name: MAIN, test: /rolldown.runtime/ },
          { name: (id) => bundleOfPart.get(basename(id)) ?? null, debugName: 'bundles' },
        ],
      },
    },
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  return {
    bundles: new Map(chunks.map(({ name, fileName, imports }) => [name, { file: fileName, imports }])),
    styleModules: listStyleModules(metafile.inputs).map((path) => join(process.cwd(), path)),
  }
}

type Inputs = NonNullable<Awaited<ReturnType<typeof Bun.build>>['metafile']>['inputs']

/** The CSS modules in the order in which their importers run, if every screen were loaded at once. */
function listStyleModules(inputs: Inputs): string[] {
  const visited = new Set<string>()
  const ordered: string[] = []
  const visit = (path: string): void => {
    if (visited.has(path)) return
    visited.add(path)
    for (const { path: imported, entryPoint } of inputs[path]?.imports ?? []) visit(entryPoint ?? imported)
    if (path.endsWith('.module.css')) ordered.push(path)
  }
  visit(Object.keys(inputs).find((path) => path.endsWith('src/main.tsx')) ?? '')
  return ordered
}
