import {
  ada,
  days,
  grace,
  hours,
  lin,
  minutesAgo,
  note,
  omar,
  on,
  resolved,
  type Thread,
  thread,
  v,
} from "../script.ts";
import { osaka, tokyo } from "./places.ts";

export const japanese: readonly Thread[] = [
  thread(
    { name: "小川 美咲", email: "misaki.ogawa@example.com", from: tokyo },
    on(26, "02:30"),
    ["/products/heron-backpack"],
    [
      v("こんにちは。ヘロンのリュックは背の低い人でも使えますか？身長は152cmです。"),
      hours(6),
      lin(
        "小川様、お問い合わせありがとうございます。背面の長さは44cmですので、150cm前後のお客様にもお使いいただいています。",
      ),
      v("安心しました。肩ひもは短くできますか？"),
      lin("はい、45cmから85cmまで調節できます。余ったベルトは巻いて留められます。"),
      v("では緑を注文します。ありがとうございました。"),
      resolved("lin"),
    ],
  ),
  thread(
    { name: "田村 健", email: "ken.tamura@example.com", from: osaka },
    on(21, "05:15"),
    ["/shipping"],
    [
      v("日本への送料と日数を教えてください。"),
      hours(3),
      grace("送料は20ユーロ、通常7〜10日でお届けします。60ユーロ以上のお買い上げで送料は半額になります。"),
      v("関税はかかりますか？"),
      grace("商品の合計が1万円ほどまででしたら、かからないことがほとんどです。正確な金額は税関にご確認ください。"),
      v("わかりました。丁寧にありがとうございます。"),
      resolved("grace"),
    ],
  ),
  thread(
    { name: "高橋 由紀", email: "yuki.takahashi@example.com", from: tokyo },
    on(16, "01:50"),
    ["/orders/2105"],
    [
      v("注文2105のマグカップですが、届いた箱がつぶれていて、一つ割れていました。"),
      hours(7),
      omar("高橋様、大変申し訳ございません。すぐに新しいものをお送りします。お怪我はありませんでしたか？"),
      v("大丈夫です。お気遣いありがとうございます。写真は必要ですか？"),
      omar("お手数でなければ一枚お願いいたします。運送会社への報告に使わせていただきます。"),
      note("omar", "代替品を発送済み。箱を二重にした。写真が届いたら運送会社に請求する。"),
      days(8),
      v("新しいカップが無事に届きました。とても気に入っています。"),
      resolved("omar"),
    ],
  ),
  thread(
    { name: "森 大輔", email: "daisuke.mori@example.com", from: osaka },
    on(11, "07:05"),
    ["/products/drizzle-jacket", "/size-guide"],
    [
      v("ジャケットのMは日本のLと同じくらいですか？"),
      ada("はい、ほぼ同じです。身幅は56cm、袖丈は63cmです。お手持ちの上着と比べてみてください。"),
      v("測ってみたらちょうどでした。Mにします。"),
      resolved("ada"),
    ],
  ),
  thread(
    { from: tokyo },
    on(5, "12:20"),
    ["/gift-cards"],
    [
      v("ギフト包装はできますか？"),
      lin("はい、3ユーロで承ります。メッセージカードは無料です。"),
      v("ありがとうございます。お願いします。"),
      resolved("lin"),
    ],
  ),
  thread(
    { name: "石井 さくら", email: "sakura.ishii@example.com", from: tokyo },
    minutesAgo(260),
    ["/products/lantern-blanket"],
    [
      v("ブランケットの色を実物に近い写真で見たいのですが、可能でしょうか。"),
      grace("もちろんです。自然光で撮った写真をお送りします。", "/files/lantern-daylight.jpg"),
      v("とてもきれいな色ですね。灰色と迷います…少し考えます。"),
    ],
  ),
];
