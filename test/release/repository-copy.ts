import { cpSync } from 'node:fs'
import { basename } from 'node:path'
import { ROOT } from '../support/program.ts'

/** What commands create, besides what the copy needs for Git. */
const CREATED = new Set(['node_modules', 'dist', '.turbo', 'data', 'screenshots'])

/** Copies the work tree and its Git repository into a folder, without what commands have created. */
export const copyRepository = (folder: string): void =>
  cpSync(ROOT, folder, {
    recursive: true,
    // A build of another test has its binary in the folder until it is complete.
    filter: (path) => !CREATED.has(basename(path)) && !path.endsWith('.bun-build'),
  })
