import { join } from 'node:path'
import type { BunPlugin } from 'bun'

/** The assignment of a part to a component of Mantine, such as `Menu.Item = MenuItem;`. */
const ASSIGNMENT = /^([A-Z]\w+)\.([A-Z]\w+|classes|displayName|varsResolver) = [\w"@/.-]+;$/gm

/** The use of a part of a component, such as `<Menu.Item>` or `ScrollArea.Autosize`, except in messages. */
const USE = /(?<!")\b[A-Z]\w+\.(?:[A-Z]\w+|classes)\b(?! = \w+;$)/gm

const list = (folder: string, pattern: string): string[] => [
  ...new Bun.Glob(pattern).scanSync({ cwd: folder, absolute: true, followSymlinks: true }),
]

/** All parts that the portal's components and Mantine's own use. */
async function listUsed(source: string, mantine: readonly string[]): Promise<ReadonlySet<string>> {
  const files = [list(source, '**/*.tsx'), ...mantine.map((folder) => list(folder, '**/*.mjs'))].flat()
  const used = await Promise.all(files.map(async (path) => (await Bun.file(path).text()).match(USE) ?? []))
  return new Set(used.flat())
}

/**
 * Removes the parts of Mantine's components that nothing uses: `Menu` alone would bring its search field and its menus inside
 * menus with every screen.
 * @param source the folder of `main.tsx`
 * @param packages the packages of Mantine
 */
export function removeUnusedParts(source: string, packages: readonly string[]): BunPlugin {
  return {
    name: 'unused parts of components',
    async setup(build) {
      const folders = packages.map((name) =>
        join(Bun.resolveSync(`@mantine/${name}/package.json`, source), '../esm'),
      )
      const used = await listUsed(source, folders)
      // The lists of `Select` and `MultiSelect` are all that uses it.
      build.onResolve({ filter: /\/ScrollArea\/ScrollArea\.mjs$/ }, () => ({
        path: join(source, 'components/options-scroll.tsx'),
      }))
      // Menus and lists of options load what places them when they open. `popover-content.tsx` imports the original.
      build.onResolve({ filter: /^\.\.\/(\.\.\/)?Popover\/Popover\.mjs$/ }, () => ({
        path: join(source, 'components/deferred-popover.tsx'),
      }))
      // Nothing passes `withPillsReorder`, so chosen options cannot be moved.
      build.onLoad({ filter: /\/use-pills-reorder\.mjs$/ }, () => ({
        loader: 'js',
        contents:
          'export const usePillsReorder = () => ({ getPillProps() {}, getListProps() {}, handleInputKeyDown() {} })',
      }))
      build.onLoad({ filter: /@mantine\/\w+\/esm\/components\/.*\.mjs$/ }, async ({ path }) => ({
        loader: 'js',
        contents: (await Bun.file(path).text()).replace(ASSIGNMENT, (text, component, part) =>
          used.has(`${component}.${part}`) ? text : '',
        ),
      }))
    },
  }
}
