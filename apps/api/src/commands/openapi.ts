import { localCommand } from '../command-line/command.ts'
import { readSettings, resolvePublicUrl } from '../config.ts'
import { standaloneDocument } from '../openapi/standalone.ts'

/** Prints indented JSON, or one line with `--json`. */
export const openapiCommand = localCommand({
  options: {},
  settings: ['publicUrl', 'legacyPrefix'],
  run({ flags, env }) {
    const config = readSettings(['publicUrl', 'legacyPrefix', 'host', 'port'], flags, env)
    return standaloneDocument({
      publicUrl: resolvePublicUrl(config, config.port),
      legacyPrefix: config.legacyPrefix,
    })
  },
  print: (document) => JSON.stringify(document, null, 2),
})
