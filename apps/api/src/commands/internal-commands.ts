import type { CommandEntry } from '../command-line/command.ts'

/** The parts of commands that take several steps on an instance. They are not in the help. */
export const internalCommands: readonly CommandEntry[] = [
  {
    name: 'import begin',
    summary: 'Begin an import',
    load: async () => (await import('./import-steps.ts')).beginImportStep,
  },
  {
    name: 'import part',
    summary: 'Send a piece of the file',
    load: async () => (await import('./import-steps.ts')).importPartStep,
  },
  {
    name: 'import entries',
    summary: 'Show an import and a page of its entries',
    load: async () => (await import('./import-steps.ts')).importEntriesStep,
  },
]
