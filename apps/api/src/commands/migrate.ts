import { instanceCommand } from '../command-line/command.ts'

/** Opening the database applies the migrations, so the command itself does nothing. */
export const migrateCommand = instanceCommand({
  options: {},
  run: async ({ applied }) => ({ applied }),
  print: ({ applied }) =>
    applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}.`,
})
