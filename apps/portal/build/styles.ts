import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { browserslistToTargets, type Selector, transform } from 'lightningcss'

/** The oldest browsers that know `light-dark()`, which the theme uses. */
const targets = browserslistToTargets(['chrome 123', 'firefox 120', 'safari 17.5'])

/** The packages of Mantine that have a stylesheet, in the order in which it must appear. */
const MANTINE_PACKAGES = ['core', 'dates', 'notifications']

/** A class name that Mantine generates. */
const MANTINE_CLASS = /\bm_[0-9a-f]{4,8}\b/g

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

export interface StyleCollector {
  /** Replaces the import of a CSS file by its class names, and keeps its styles. */
  readonly plugin: BunPlugin
  /**
   * Renders the one stylesheet of the portal: Mantine's styles, the base styles, those of the modules, and those for paper.
   * @param modulePaths the CSS modules in the order of their imports
   * @param scripts all scripts: they contain the class names of the components in use
   */
  readonly render: (modulePaths: readonly string[], scripts: string) => Promise<string>
}

/** Compiles the CSS files that scripts import. @param source the folder of `main.tsx` */
export function collectStyles(source: string): StyleCollector {
  const stylesByPath = new Map<string, string>()
  return {
    plugin: {
      name: 'styles',
      setup(build) {
        build.onLoad({ filter: /\.module\.css$/ }, async ({ path }) => {
          const { code, exports = {} } = transform({
            filename: path,
            code: await Bun.file(path).bytes(),
            minify: true,
            targets,
            cssModules: { pattern: '[hash]_[local]' },
          })
          stylesByPath.set(path, decode(code))
          const classNames = Object.fromEntries(
            Object.entries(exports).map(([localName, { name }]) => [localName, name]),
          )
          return { loader: 'js', contents: `export default ${JSON.stringify(classNames)}` }
        })
      },
    },
    async render(modulePaths, scripts) {
      const usedClasses = new Set(scripts.match(MANTINE_CLASS))
      const mantine = await Promise.all(
        MANTINE_PACKAGES.map((name) =>
          compile(Bun.resolveSync(`@mantine/${name}/styles.css`, source), usedClasses),
        ),
      )
      const [base, print] = await Promise.all(
        ['base', 'print'].map((name) => compile(join(source, `app/${name}.css`), usedClasses)),
      )
      const modules = modulePaths.map((path) => stylesByPath.get(path) ?? '')
      return [...mantine, base, ...modules, print].join('')
    },
  }
}

/** Compiles a stylesheet without the rules of Mantine's classes that no script contains. */
async function compile(path: string, usedClasses: ReadonlySet<string>): Promise<string> {
  const isUsed = (selector: Selector): boolean =>
    selector.every((part) => part.type !== 'class' || !/^m_/.test(part.name) || usedClasses.has(part.name))
  const { code } = transform({
    filename: path,
    code: await Bun.file(path).bytes(),
    minify: true,
    targets,
    visitor: {
      Rule: { style: (rule) => (rule.value.selectors.some(isUsed) ? undefined : []) },
    },
  })
  return decode(code)
}
