import { runSenderThread } from '@reeve/webhooks/sender-thread'

runSenderThread()
