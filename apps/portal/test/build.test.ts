import { expect, test } from 'bun:test'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_THEME } from '@mantine/core'
import { REPLACED_COLORS, UNUSED_COLORS } from '../build/styles.ts'
import { theme } from '../src/app/theme.ts'

const portal = join(import.meta.dir, '..')

/** Builds a copy of the portal in another folder. @returns the names of its files, which contain hashes of their content */
async function buildCopy(folder: string): Promise<string[]> {
  for (const name of ['build', 'src', 'dist/api'])
    await cp(join(portal, name), join(folder, name), { recursive: true })
  await symlink(join(portal, 'node_modules'), join(folder, 'node_modules'))
  const build = Bun.spawn([process.execPath, 'build/build.ts'], { cwd: folder, stderr: 'inherit' })
  expect(await build.exited).toBe(0)
  return [...new Bun.Glob('*').scanSync(join(folder, 'dist/assets'))].sort()
}

test('the build has the same result in every folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'reeve-build-'))
  try {
    const [one = [], other] = await Promise.all(
      ['a', 'a-folder-with-a-longer-path/portal'].map((path) => buildCopy(join(root, path))),
    )
    expect(one.length).toBeGreaterThan(20)
    expect(one).toEqual(other ?? [])
  } finally {
    await rm(root, { recursive: true })
  }
}, 60_000)

const readSources = async () =>
  new Map(
    await Promise.all(
      [...new Bun.Glob('src/**/*.{ts,tsx,css}').scanSync(portal)].map(
        async (file) => [file, await Bun.file(join(portal, file)).text()] as const,
      ),
    ),
  )

test('the theme replaces every shade that the build removes', () => {
  for (const color of REPLACED_COLORS) {
    const shades = theme.colors?.[color] ?? []
    expect(shades.filter((shade, index) => shade !== DEFAULT_THEME.colors[color][index])).toHaveLength(10)
  }
})

test('the portal uses no loader whose styles the build removes', async () => {
  const files = [...(await readSources())].filter(([, text]) =>
    /<Loader\b[^>]*\btype=|loaderProps/.test(text),
  )
  expect(files.map(([file]) => file)).toEqual([])
})

test('the portal uses no color whose variables the build removes', async () => {
  const name = new RegExp(
    `['"](?:${UNUSED_COLORS.join('|')})(?:\\.\\d)?['"]|--mantine-color-(?:${UNUSED_COLORS.join('|')})-`,
  )
  const files = [...(await readSources())].filter(([, text]) => name.test(text))
  expect(files.map(([file]) => file)).toEqual([])
})

test('no field lets its options be reordered, which the build removes', async () => {
  const files = [...(await readSources())].filter(([, text]) => text.includes('withPillsReorder'))
  expect(files.map(([file]) => file)).toEqual([])
})
