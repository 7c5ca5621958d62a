import { rm } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { build as bundle, type Plugin } from 'rolldown'
import { assignBundles, MAIN, type Part } from './bundles.ts'
import { MANTINE_CLASS, MANTINE_PACKAGES, type StyleCollector } from './styles.ts'
import { removeUnusedParts } from './subcomponents.ts'

export interface BuiltScripts {
  /** The file of each bundle by its name, with the files that it imports. */
  readonly bundles: ReadonlyMap<string, { readonly file: string; readonly imports: readonly string[] }>
  /** The styles of the first bundle. Each other bundle brings its own. */
  readonly style: string
  /** The absolute paths of the modules in the bundles. */
  readonly modules: readonly string[]
}

/**
 * Builds the scripts. Bun compiles and removes unused code, but splits it into more than a hundred files; Rolldown then
 * merges these into bundles and minifies them. Each on its own is worse: Bun cannot merge files, and Rolldown takes ten
 * times as long to read all modules. The result does not depend on the folder of the repository, nor on the order in which
 * the threads of Bun finish.
 */
export async function buildScripts(
  source: string,
  outputDir: string,
  { plugin, render }: StyleCollector,
): Promise<BuiltScripts> {
  const { metafile, outputs } = await Bun.build({
    entrypoints: [join(source, 'main.tsx')],
    target: 'browser',
    splitting: true,
    // The page and Rolldown know which bundles to request.
    modulePreload: false,
    minify: { syntax: true },
    metafile: true,
    plugins: [plugin, removeUnusedParts(source, MANTINE_PACKAGES)],
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: { entry: '[name].[ext]', chunk: 'part-[hash].[ext]' },
  })
  if (!metafile) throw new Error('Bun wrote no metafile')
  const code = new Map(
    await Promise.all(outputs.map(async (file) => [basename(file.path), await file.text()] as const)),
  )
  const toSource = (path: string) => relative(source, join(process.cwd(), path))
  const parts = Object.entries(metafile.outputs).map(
    ([path, { entryPoint, imports }]): Part => ({
      name: basename(path),
      entry: entryPoint === undefined ? null : toSource(entryPoint),
      imports: imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path)),
    }),
  )
  const inputs = new Map(Object.entries(metafile.inputs).map(([path, input]) => [toSource(path), input]))
  const routeFiles = [...inputs].filter(([path]) => path === 'router.tsx' || path.startsWith('routes/'))
  const screens = new Set(
    routeFiles.flatMap(([, { imports }]) => imports.map(({ entryPoint }) => toSource(entryPoint ?? ''))),
  )
  const bundleOfPart = assignBundles(parts, screens)
  const bundleOfInput = new Map(
    Object.entries(metafile.outputs).flatMap(([path, output]) =>
      Object.keys(output.inputs).map((input) => [input, bundleOfPart.get(basename(path)) ?? MAIN]),
    ),
  )
  const styles = await render(
    listStyleModules(metafile.inputs).map((path) => ({
      path: join(process.cwd(), path),
      bundle: bundleOfInput.get(path) ?? MAIN,
    })),
    findMantineClasses(code, bundleOfPart),
  )

  const ids = numberParts(code)
  const { output } = await bundle({
    input: { [MAIN]: ENTRY },
    plugins: [readParts(code, ids)],
    preserveEntrySignatures: false,
    checks: { pluginTimings: false },
    output: {
      dir: outputDir,
      minify: true,
      hashCharacters: 'base36',
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      banner: ({ name }) => (name === MAIN ? '' : renderStyleScript(styles.get(name) ?? '')),
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: (id) => bundleOfPart.get(ids.get(id) ?? '') ?? null, debugName: 'bundles' }],
      },
    },
  })
  const chunks = output.filter((file) => file.type === 'chunk')
  await inlineRuntime(chunks, outputDir)
  return {
    bundles: new Map(
      chunks
        .filter(({ name }) => name !== RUNTIME)
        .map(({ name, fileName, imports }) => [
          name,
          { file: fileName, imports: imports.filter((file) => !file.startsWith(RUNTIME)) },
        ]),
    ),
    style: styles.get(MAIN) ?? '',
    modules: [...bundleOfInput.keys()].map((path) => join(process.cwd(), path)),
  }
}

/** The name of the part with `main.tsx`. */
const ENTRY = 'main.js'

/** The file name of a part in the code of others. */
const PART = /\bpart-\w+\.js\b/g

/**
 * Numbers the parts in the order in which they import each other: their names depend on the folder of the repository, and the
 * order of the code in a bundle depends on the names.
 * @returns the name of each part by its number
 */
function numberParts(code: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const names = new Set([ENTRY])
  // The set grows during the iteration.
  for (const name of names) for (const imported of code.get(name)?.match(PART) ?? []) names.add(imported)
  return new Map([...names].map((name, index) => [String(index), name]))
}

/** Gives Rolldown the parts by their numbers. */
function readParts(code: ReadonlyMap<string, string>, ids: ReadonlyMap<string, string>): Plugin {
  const idsByName = new Map([...ids].map(([id, name]) => [name, id]))
  return {
    name: 'parts',
    resolveId: (path) => idsByName.get(basename(path)) ?? null,
    load: (id) => code.get(ids.get(id) ?? '') ?? null,
  }
}

/** The bundle of the component of each class of Mantine. */
const findMantineClasses = (
  code: ReadonlyMap<string, string>,
  bundleOfPart: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(
    [...bundleOfPart].flatMap(([part, bundle]) =>
      [...new Set(code.get(part)?.match(MANTINE_CLASS))].map((name) => [name, bundle] as const),
    ),
  )

/** Adds the styles of a bundle after those of the bundles that it imports. */
const renderStyleScript = (css: string): string =>
  css === ''
    ? ''
    : `{const sheet=new CSSStyleSheet;sheet.replaceSync(${JSON.stringify(css)});document.adoptedStyleSheets.push(sheet)}`

const RUNTIME = 'rolldown-runtime'

/** Copies Rolldown's helper, of 200 bytes, into the bundles that use it: a file of its own costs a request. */
async function inlineRuntime(
  chunks: readonly { readonly name: string; readonly fileName: string; readonly code: string }[],
  outputDir: string,
): Promise<void> {
  const runtime = chunks.find(({ name }) => name === RUNTIME)
  if (!runtime) return
  const helper = /^(.*)export\{(\w+) as t\};?\s*$|^(.*)export\{(t)\};?\s*$/s.exec(runtime.code)
  if (!helper) throw new Error('Rolldown changed its helper')
  const [, body = helper[3], name = helper[4]] = helper
  await Promise.all(
    chunks
      .filter((chunk) => chunk !== runtime)
      .map(({ fileName, code }) =>
        Bun.write(
          join(outputDir, fileName),
          code.replace(
            /import\{t(?: as ([\w$]+))?\}from"\.\/rolldown-runtime-[\w-]+\.js";/,
            (_, local = 't') => `var ${local}=(()=>{${body};return ${name}})();`,
          ),
        ),
      ),
  )
  await rm(join(outputDir, runtime.fileName))
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
