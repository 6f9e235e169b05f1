/** The emoji common in customer conversations, with the names they are searched by. */
const NAMES = `😀 grinning happy|😄 smile|😅 sweat relief|😂 joy laugh tears|🙂 slight smile|😉 wink|😊 blush|😍 love eyes heart|😎 cool sunglasses|🤔 thinking hmm|😐 neutral|😕 confused|😢 sad cry|😭 sob|😮 surprised wow|😴 sleep|🙈 monkey oops|👋 wave hello|👍 thumbs up yes ok|👎 thumbs down no|👌 ok perfect|👏 clap bravo|🙌 hooray raised hands|🙏 thanks please pray|🤝 handshake deal|💪 strong muscle|✌️ peace victory|🤞 fingers crossed luck|👀 eyes look|❤️ heart love|💙 blue heart|💚 green heart|🎉 party tada celebrate|🎁 gift present|✨ sparkles|⭐ star|🔥 fire hot|💡 idea bulb|⚡ fast zap|✅ check done|❌ cross no|⚠️ warning|❓ question|❗ exclamation|➡️ arrow right|⏳ hourglass wait|⏰ alarm clock|📅 calendar date|📎 paperclip attachment|📄 document page|📦 package parcel|🚚 truck delivery|💳 card payment|🧾 receipt invoice|💰 money|🛒 cart shop|🔒 lock safe|🔑 key|🔗 link|📞 phone call|📧 mail email|💬 chat message|🐛 bug|🛠️ tools fix repair|🚀 rocket launch|☕ coffee|🌍 world earth|☀️ sun|🌈 rainbow|🍀 luck clover`;

export interface Emoji {
  sign: string;
  names: string;
}

export const emoji: readonly Emoji[] = NAMES.split("|").map((line) => {
  const [sign = "", ...names] = line.split(" ");
  return { sign, names: names.join(" ") };
});
