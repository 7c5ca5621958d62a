import { instanceCommand } from './command.ts'

/** The schema comes up to date whenever a folder is opened; this does nothing else. */
export const migrateCommand = instanceCommand({
  options: {},
  run: async ({ applied }) => ({ applied }),
  print: ({ applied }) =>
    applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`,
})
