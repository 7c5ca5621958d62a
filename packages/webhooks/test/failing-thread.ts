import { parentPort } from 'node:worker_threads'
import { runSenderThread } from '../src/outbound/thread/run.ts'

// Fails as a defect of the program would, if a test asks for it.
parentPort?.on('message', (message: unknown) => {
  if (JSON.stringify(message).includes('fail the thread')) throw new Error('the thread has failed')
})
runSenderThread()
