import { join } from 'node:path'
import { renderCliReference } from './src/commands/markdown.ts'

/** Writes the reference of the command line. */
await Bun.write(join(import.meta.dir, '../../docs/cli.md'), await renderCliReference())
