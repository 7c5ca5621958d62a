import { runSenderThread } from '@reeve/webhooks/sender-thread'

// A module of its own, because it is the first one of a thread.
runSenderThread()
