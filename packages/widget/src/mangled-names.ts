/**
 * Property names used only within the application; the build shortens them. None of them is a browser's or the service's, none
 * is stored or sent to another tab or to the page, whose script may have another version.
 */
export const MANGLED_NAMES = `
  outbox hasMore picking dropping tooMany announcement loadingOlder onConnection onPresence tookEmail networked
  teamOnline follower retryAfterMs onStep onWake onStored onEnd onPick onMute loadOlder backAt onIdentified onGone forget
  onSent fetching received discard reachable transports problem problems muted behind expired change state chat
  host config here back again made node clock most wake closed check reset subscribe retry seen post
  apply ready onDemand
  Articles Attachments attach listenForFiles Preview announce newestAnswer chime EmojiGrid LeaveEmail Rating articlesScript openFromChat Hello Sources Person
  session storageKey anonymousKey pageDetails identifying refusedIdentity generation cancelIdentify unconfirmed isConfirming cancelReceipt typingSentAt visited listeners enter load
  storage first last line written_at sending cancel identified fill browser
`.match(/\w+/g) as string[];
