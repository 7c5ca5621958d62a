import { join, relative } from 'node:path'
import type { BunPlugin } from 'bun'
import { browserslistToTargets, type Selector, transform } from 'lightningcss'
import { MAIN } from './bundles.ts'

/** The oldest browsers that know `light-dark()`, which the theme uses. */
const targets = browserslistToTargets(['chrome 123', 'firefox 120', 'safari 17.5'])

/** The packages of Mantine that have a stylesheet, in the order in which it must appear. */
export const MANTINE_PACKAGES = ['core', 'dates', 'notifications']

/** A class name that Mantine generates. */
export const MANTINE_CLASS = /\bm_[0-9a-f]{4,8}\b/g

/** The colors of Mantine that the portal does not use. */
export const UNUSED_COLORS = ['pink', 'violet', 'indigo', 'cyan', 'teal', 'lime']
const UNUSED_COLOR_VARIABLE = new RegExp(
  `--mantine-color-(?:${UNUSED_COLORS.join('|')})-[\\w-]+:[^;}]+;?`,
  'g',
)

/** The colors of which the theme replaces all shades. */
export const REPLACED_COLORS = ['green', 'red', 'dark', 'gray'] as const
const REPLACED_SHADE = new RegExp(`--mantine-color-(?:${REPLACED_COLORS.join('|')})-\\d:[^;}]+;?`, 'g')

/**
 * The classes of groups of buttons and icons, and of loaders of bars and dots, which the portal does not use, while their names are part
 * of the code of a button or a loader.
 */
const UNUSED_CLASSES = [
  ...['m_80d6d844', 'm_70be2a01', 'm_1a0f1b21', 'm_437b6484'],
  ...['m_7a2bd4cd', 'm_870bb79', 'm_4e3f22d7', 'm_870c4af'],
]

/** What remains of a conditional rule without the rules inside it. */
const EMPTY_RULE = /@(?:media|supports|container)[^{}]*\{\}/g

/** An animation, and its name. */
const KEYFRAMES = /@keyframes ([\w-]+)\{(?:[^{}]*\{[^{}]*\})*\}/g

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export interface StyleCollector {
  /** Replaces the import of a CSS file by its class names, and keeps its styles. */
  readonly plugin: BunPlugin
  /**
   * Renders the styles of each bundle: those of Mantine's components in it, then those of its modules. The first bundle also
   * has the base styles, and those for paper.
   * @param modules the CSS modules in the order of their imports, and the bundle of each
   * @param bundleOfClass the bundle of the component of each class of Mantine
   */
  readonly render: (
    modules: readonly StyleModule[],
    bundleOfClass: ReadonlyMap<string, string>,
  ) => Promise<ReadonlyMap<string, string>>
}

interface StyleModule {
  readonly path: string
  readonly bundle: string
}

/** Compiles a stylesheet of `app/`, which no script imports. @param source the folder of `main.tsx` */
export const compileAppStyle = async (source: string, name: string): Promise<string> =>
  compile(await readStyles(join(source, `app/${name}.css`)), () => true)

/** Compiles the CSS files that scripts import. @param source the folder of `main.tsx` */
export function collectStyles(source: string): StyleCollector {
  const stylesByPath = new Map<string, string>()
  return {
    plugin: {
      name: 'styles',
      setup(build) {
        build.onLoad({ filter: /\.module\.css$/ }, async ({ path }) => {
          const { code, exports = {} } = transform({
            // Names the classes after the path inside `src`, so that they are the same in every folder of the repository.
            filename: relative(source, path),
            code: await Bun.file(path).bytes(),
            minify: true,
            targets,
            cssModules: { pattern: '[hash]_[local]' },
          })
          stylesByPath.set(path, decode(code))
          // Lightning CSS returns them in a random order.
          const classNames = Object.fromEntries(
            Object.entries(exports)
              .map(([localName, { name }]) => [localName, name] as const)
              .sort(([one], [other]) => (one < other ? -1 : 1)),
          )
          return { loader: 'js', contents: `export default ${JSON.stringify(classNames)}` }
        })
      },
    },
    async render(modules, bundles) {
      const bundleOfClass = new Map(bundles)
      for (const name of UNUSED_CLASSES) bundleOfClass.delete(name)
      // Menus and lists of options refine the style of popovers, so it comes first, although its code is loaded later.
      for (const name of await listPopoverClasses(source)) bundleOfClass.set(name, MAIN)
      const sources = await Promise.all(
        MANTINE_PACKAGES.map((name) => readStyles(Bun.resolveSync(`@mantine/${name}/styles.css`, source))),
      )
      const [base, print] = await Promise.all(['base', 'print'].map((name) => compileAppStyle(source, name)))
      const renderBundle = (bundle: string): string => {
        const mantine = sources.map((css) => compile(css, createFilter(bundle, bundleOfClass)))
        const own = modules.filter((module) => module.bundle === bundle)
        const styles = own.map(({ path }) => stylesByPath.get(path) ?? '')
        return [...mantine, bundle === MAIN && base, ...styles, bundle === MAIN && print]
          .filter((css) => css !== false)
          .join('')
      }
      const names = new Set([MAIN, ...bundleOfClass.values(), ...modules.map(({ bundle }) => bundle)])
      return new Map([...names].map((name) => [name, renderBundle(name)]))
    },
  }
}

async function listPopoverClasses(source: string): Promise<readonly string[]> {
  const path = join(
    Bun.resolveSync('@mantine/core/package.json', source),
    '../esm/components/Popover/Popover.module.mjs',
  )
  return (await Bun.file(path).text()).match(MANTINE_CLASS) ?? []
}

/** Chooses the rules of a bundle. What is no class of Mantine is in the first one. */
function createFilter(bundle: string, bundleOfClass: ReadonlyMap<string, string>) {
  /** The bundle that a selector is needed with; null if no script contains its classes. */
  const findBundle = (selector: Selector): string | null => {
    const classes = selector.filter((part) => part.type === 'class' && /^m_/.test(part.name))
    const bundles = classes.map((part) => bundleOfClass.get(part.type === 'class' ? part.name : ''))
    if (bundles.includes(undefined)) return null
    return bundles.find((name) => name !== MAIN) ?? MAIN
  }
  return (selectors: readonly Selector[]): boolean => {
    const bundles = selectors.filter(isForPortal).map(findBundle)
    return bundles.includes(bundle) && (bundle === MAIN || !bundles.includes(MAIN))
  }
}

/** Whether a selector is not for text from right to left, or inside a shadow root. */
const isForPortal = (selector: Selector): boolean =>
  selector.every((part) => {
    if (part.type === 'attribute') return part.name !== 'dir' || part.operation?.value !== 'rtl'
    if (part.type !== 'pseudo-class') return true
    return part.kind === 'where' || part.kind === 'is'
      ? part.selectors.some(isForPortal)
      : part.kind !== 'host'
  })

/** Compiles a stylesheet. @param isWanted chooses the rules */
function compile(css: string, isWanted: (selectors: readonly Selector[]) => boolean): string {
  const { code } = transform({
    filename: 'styles.css',
    code: encode(css),
    minify: true,
    targets,
    visitor: {
      Rule: {
        style: ({ value }) => (isWanted(value.selectors) ? undefined : []),
      },
    },
  })
  const styles = decode(code).replace(EMPTY_RULE, '')
  return styles.replace(KEYFRAMES, (rule, name: string) => (styles.split(name).length > 2 ? rule : ''))
}

const readStyles = async (path: string): Promise<string> => simplify(await Bun.file(path).text())

/** Removes the scale that Mantine multiplies every length by, which is always 1 here, and the variables that nothing reads. */
const simplify = (css: string): string =>
  css
    .replace(/calc\((-?[\d.]+rem) \* var\(--mantine-scale\)\)/g, '$1')
    .replace(UNUSED_COLOR_VARIABLE, '')
    .replace(REPLACED_SHADE, '')
