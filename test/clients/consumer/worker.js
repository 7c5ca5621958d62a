// The same in a worker, which may only send requests while it handles one.
import { runBot } from './bot.js'

export default {
  async fetch(_request, env) {
    return Response.json(await runBot(env))
  },
}
