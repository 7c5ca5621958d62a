import { join } from 'node:path'
import { renderCliReference } from './src/command-line/markdown.ts'
import { renderLogReference } from './src/log-reference.ts'

/** Writes the generated pages: the reference of the command line, and that of the log. */
const docs = join(import.meta.dir, '../../docs')
await Bun.write(join(docs, 'cli.md'), await renderCliReference())
await Bun.write(join(docs, 'logs.md'), renderLogReference())
