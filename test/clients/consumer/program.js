// A program that runs in a plain project that has installed the package. Prints what it has done as JSON.
import { runBot } from './bot.js'

console.log(JSON.stringify(await runBot(process.env)))
