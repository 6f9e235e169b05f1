/** The knowledge base of a bag shop in ten languages; every language has the same six subjects. */
export interface ArticleForTests {
  about: `${Language}-${Subject}`;
  question: string;
  answer: string;
}
type Language = "en" | "de" | "es" | "pt" | "ru" | "hi" | "ar" | "zh" | "ja" | "th";
type Subject = "delivery" | "returns" | "payment" | "password" | "cancelling" | "warranty";

const article = (about: ArticleForTests["about"], question: string, answer: string): ArticleForTests => ({
  about,
  question,
  answer,
});

export const articlesForTests: readonly ArticleForTests[] = [
  article(
    "en-delivery",
    "How long does delivery take?",
    "Orders within the country arrive in two to three working days. To other countries in Europe we need four to seven days, overseas up to three weeks. You get an e-mail with a tracking number as soon as the parcel has left our warehouse.",
  ),
  article(
    "en-returns",
    "How can I return an item?",
    "You may send back anything that you have not worn within 30 days. Print the label from your account, put it on the parcel, and hand it in at any post office. We refund the money to the account that you paid from within five days after it has come back to us.",
  ),
  article(
    "en-payment",
    "Which payment methods do you accept?",
    "We take credit and debit cards (Visa, Mastercard, American Express), PayPal, Apple Pay and bank transfer. With a bank transfer we ship when the money has arrived. Nothing is charged before we ship.",
  ),
  article(
    "en-password",
    "I forgot my password. How do I sign in again?",
    "Open the sign-in page and choose “Forgot your password?”. We send you a link, with which you choose a new one. It works for one hour. If no e-mail comes, please look into your spam folder.",
  ),
  article(
    "en-cancelling",
    "Can I cancel or change my order?",
    "As long as it has not been packed, yes: open the order in your account and choose “Cancel”, or write to us and we change the address or the colour for you. A parcel that is on its way cannot be stopped any more.",
  ),
  article(
    "en-warranty",
    "What if my bag breaks?",
    "Every bag has a warranty of five years. We repair zips, seams and straps free of charge; send us a photo of the damage and we tell you how it goes on. What cannot be repaired we replace.",
  ),

  article(
    "de-delivery",
    "Wie lange dauert der Versand?",
    "Innerhalb Deutschlands ist Ihre Bestellung in zwei bis drei Werktagen bei Ihnen, in Österreich und der Schweiz in vier bis sechs. Die Versandkosten betragen 4,90 €, ab 80 € liefern wir kostenlos. Die Sendungsnummer schicken wir Ihnen per E-Mail.",
  ),
  article(
    "de-returns",
    "Wie kann ich etwas zurückschicken?",
    "Die Rückgabefrist beträgt 30 Tage. Das Etikett für die Rücksendung finden Sie in Ihrem Kundenkonto unter „Bestellungen“. Den Kaufpreis erstatten wir auf dem Weg, auf dem Sie bezahlt haben, sobald das Paket bei uns eingetroffen ist.",
  ),
  article(
    "de-payment",
    "Welche Zahlungsarten gibt es?",
    "Sie können mit Kreditkarte, PayPal, Lastschrift, auf Rechnung oder per Vorkasse bezahlen. Der Rechnungsbetrag ist innerhalb von 14 Tagen nach Erhalt der Ware fällig.",
  ),
  article(
    "de-password",
    "Ich habe mein Passwort vergessen.",
    "Klicken Sie auf der Anmeldeseite auf „Passwort vergessen“. Sie bekommen dann einen Link, mit dem Sie ein neues festlegen. Der Link ist eine Stunde lang gültig.",
  ),
  article(
    "de-cancelling",
    "Kann ich meine Bestellung ändern oder stornieren?",
    "Solange sie noch nicht verpackt ist: ja. Öffnen Sie die Bestellung in Ihrem Kundenkonto und wählen Sie „Stornieren“, oder schreiben Sie uns, wenn sich nur die Lieferadresse ändern soll.",
  ),
  article(
    "de-warranty",
    "Was ist, wenn meine Tasche kaputtgeht?",
    "Auf jede Tasche geben wir fünf Jahre Garantie. Reißverschlüsse, Nähte und Träger reparieren wir kostenlos. Schicken Sie uns ein Foto des Schadens, dann sagen wir Ihnen, wie es weitergeht.",
  ),

  article(
    "es-delivery",
    "¿Cuánto tarda el envío?",
    "Los pedidos dentro de España llegan en dos o tres días laborables; a las islas, en cinco. El envío cuesta 4,90 € y es gratuito a partir de 80 €. Le mandamos un número de seguimiento por correo electrónico.",
  ),
  article(
    "es-returns",
    "¿Cómo puedo devolver un artículo?",
    "Tiene 30 días para hacer una devolución. Imprima la etiqueta desde su cuenta y entregue el paquete en cualquier oficina de correos. Le reembolsamos el dinero en cuanto lo recibamos.",
  ),
  article(
    "es-payment",
    "¿Qué formas de pago aceptan?",
    "Puede pagar con tarjeta de crédito o débito, PayPal, Bizum o transferencia bancaria. No cobramos nada hasta que enviamos el pedido.",
  ),
  article(
    "es-password",
    "He olvidado mi contraseña",
    "En la página de inicio de sesión elija «He olvidado mi contraseña». Le enviaremos un enlace para crear una nueva, válido durante una hora.",
  ),
  article(
    "es-cancelling",
    "¿Puedo cancelar o cambiar mi pedido?",
    "Sí, mientras no esté preparado. Abra el pedido en su cuenta y elija «Cancelar», o escríbanos si solo quiere cambiar la dirección o el color.",
  ),
  article(
    "es-warranty",
    "¿Qué hago si se me rompe la mochila?",
    "Todas las mochilas tienen cinco años de garantía. Reparamos gratis cremalleras, costuras y correas. Mándenos una foto del daño y le diremos cómo seguir.",
  ),

  article(
    "pt-delivery",
    "Quanto tempo demora a entrega?",
    "As encomendas chegam em dois a cinco dias úteis no continente e em até dez dias nas ilhas. Enviamos o código de rastreamento por e-mail assim que o pacote sai do armazém. O frete é grátis em compras acima de R$ 300.",
  ),
  article(
    "pt-returns",
    "Como faço para devolver um produto?",
    "Você tem 30 dias para a devolução. Imprima a etiqueta na sua conta e leve o pacote a uma agência dos Correios. O reembolso é feito em até cinco dias depois que o produto chegar.",
  ),
  article(
    "pt-payment",
    "Quais são as formas de pagamento?",
    "Aceitamos cartão de crédito em até seis vezes sem juros, Pix, boleto bancário e PayPal. O boleto vence em três dias.",
  ),
  article(
    "pt-password",
    "Esqueci minha senha. E agora?",
    "Na página de acesso, clique em “Esqueci a senha”. Mandamos um link para criar uma nova; ele vale por uma hora.",
  ),
  article(
    "pt-cancelling",
    "Posso cancelar ou alterar meu pedido?",
    "Sim, enquanto ele não tiver sido embalado. Abra o pedido na sua conta e escolha “Cancelar”, ou escreva para nós se quiser mudar só o endereço ou a cor.",
  ),
  article(
    "pt-warranty",
    "Minha mochila estragou. O que eu faço?",
    "Todas as mochilas têm garantia de cinco anos. Consertamos zíperes, costuras e alças de graça. Mande uma foto do defeito e explicamos os próximos passos.",
  ),

  article(
    "ru-delivery",
    "Сколько времени занимает доставка?",
    "По Москве заказ приходит за один-два дня, по России — за три-семь рабочих дней. Доставка бесплатна при заказе от 5000 рублей. Номер для отслеживания посылки мы пришлём по электронной почте.",
  ),
  article(
    "ru-returns",
    "Как вернуть товар?",
    "Вернуть неношеный товар можно в течение 30 дней. Распечатайте этикетку в личном кабинете, наклейте её на посылку и отнесите на почту. Деньги вернутся на карту, с которой вы платили.",
  ),
  article(
    "ru-payment",
    "Какие способы оплаты вы принимаете?",
    "Банковские карты, СБП, ЮMoney и наличные при получении. Деньги списываются только после отправки заказа.",
  ),
  article(
    "ru-password",
    "Я забыл пароль",
    "На странице входа нажмите «Забыли пароль?». Мы пришлём ссылку, по которой можно задать новый пароль. Она действует один час.",
  ),
  article(
    "ru-cancelling",
    "Можно ли отменить или изменить заказ?",
    "Да, пока он не упакован. Откройте заказ в личном кабинете и нажмите «Отменить» или напишите нам, если нужно поменять только адрес или цвет.",
  ),
  article(
    "ru-warranty",
    "Что делать, если сумка сломалась?",
    "На все сумки мы даём гарантию пять лет. Молнии, швы и ремни чиним бесплатно. Пришлите фотографию повреждения, и мы расскажем, что делать дальше.",
  ),

  article(
    "hi-delivery",
    "डिलीवरी में कितना समय लगता है?",
    "भारत के अंदर ऑर्डर तीन से पाँच कार्यदिवसों में पहुँच जाता है। 999 रुपये से ऊपर के ऑर्डर पर शिपिंग मुफ़्त है। पार्सल निकलते ही हम आपको ट्रैकिंग नंबर ईमेल करते हैं।",
  ),
  article(
    "hi-returns",
    "मैं सामान वापस कैसे करूँ?",
    "आप 30 दिनों के अंदर सामान वापस कर सकते हैं। अपने खाते से लेबल प्रिंट करें और पार्सल डाकघर में जमा करें। सामान मिलने के पाँच दिन के अंदर हम पैसे लौटा देते हैं।",
  ),
  article(
    "hi-payment",
    "भुगतान के कौन से तरीके उपलब्ध हैं?",
    "आप क्रेडिट कार्ड, डेबिट कार्ड, यूपीआई, नेट बैंकिंग या कैश ऑन डिलीवरी से भुगतान कर सकते हैं।",
  ),
  article(
    "hi-password",
    "मैं अपना पासवर्ड भूल गया हूँ",
    "साइन इन पेज पर “पासवर्ड भूल गए” चुनें। हम आपको एक लिंक भेजेंगे जिससे आप नया पासवर्ड बना सकते हैं। यह लिंक एक घंटे तक चलता है।",
  ),
  article(
    "hi-cancelling",
    "क्या मैं अपना ऑर्डर रद्द कर सकता हूँ?",
    "हाँ, जब तक वह पैक नहीं हुआ है। अपने खाते में ऑर्डर खोलें और “रद्द करें” चुनें, या पता बदलने के लिए हमें लिखें।",
  ),
  article(
    "hi-warranty",
    "अगर मेरा बैग टूट जाए तो क्या होगा?",
    "हर बैग पर पाँच साल की वारंटी है। हम चेन, सिलाई और पट्टे की मरम्मत मुफ़्त में करते हैं। नुकसान की एक तस्वीर भेजिए।",
  ),

  article(
    "ar-delivery",
    "كم يستغرق التوصيل؟",
    "تصل الطلبات داخل المدينة خلال يومين، وإلى باقي المناطق خلال خمسة أيام عمل. الشحن مجاني للطلبات التي تزيد عن ٢٠٠ ريال. نرسل إليك رقم التتبع بالبريد الإلكتروني.",
  ),
  article(
    "ar-returns",
    "كيف يمكنني إرجاع منتج؟",
    "يمكنك إرجاع المنتج خلال ٣٠ يومًا من استلامه. اطبع الملصق من حسابك وسلّم الطرد في أي مكتب بريد. نعيد المبلغ إلى بطاقتك بعد وصول المنتج إلينا.",
  ),
  article(
    "ar-payment",
    "ما هي طرق الدفع المتاحة؟",
    "نقبل البطاقات الائتمانية ومدى وآبل باي والدفع عند الاستلام. لا نخصم أي مبلغ قبل شحن الطلب.",
  ),
  article(
    "ar-password",
    "نسيت كلمة المرور",
    "في صفحة تسجيل الدخول اختر «نسيت كلمة المرور». سنرسل إليك رابطًا لاختيار كلمة جديدة، وهو صالح لمدة ساعة واحدة.",
  ),
  article(
    "ar-cancelling",
    "هل يمكنني إلغاء طلبي أو تعديله؟",
    "نعم، ما دام لم يتم تغليفه. افتح الطلب في حسابك واختر «إلغاء»، أو اكتب إلينا إذا أردت تغيير العنوان أو اللون فقط.",
  ),
  article(
    "ar-warranty",
    "ماذا أفعل إذا تلفت حقيبتي؟",
    "جميع الحقائب عليها ضمان خمس سنوات. نصلح السحّابات والخياطة والأحزمة مجانًا. أرسل إلينا صورة للضرر.",
  ),

  article(
    "zh-delivery",
    "送货需要多长时间？",
    "国内订单一般三到五个工作日送达，偏远地区需要七天左右。满200元免运费。包裹发出后，我们会把快递单号发到您的邮箱。",
  ),
  article(
    "zh-returns",
    "如何退货？",
    "收到商品后30天内可以退货。请在账户中打印退货标签，贴在包裹上并寄回。我们收到后五天内退款到您的原支付账户。",
  ),
  article("zh-payment", "支持哪些付款方式？", "您可以使用支付宝、微信支付、银联卡或信用卡付款。发货之前不会扣款。"),
  article(
    "zh-password",
    "忘记密码怎么办？",
    "在登录页面点击“忘记密码”，我们会发送一个链接，您可以用它设置新密码。链接一小时内有效。",
  ),
  article(
    "zh-cancelling",
    "可以取消或修改订单吗？",
    "订单打包之前可以。请在账户中打开订单并选择“取消”；如果只需要更改地址或颜色，请直接联系我们。",
  ),
  article(
    "zh-warranty",
    "背包坏了怎么办？",
    "所有背包享有五年保修。拉链、缝线和背带免费维修。请把损坏部位的照片发给我们。",
  ),

  article(
    "ja-delivery",
    "配送にはどのくらいかかりますか？",
    "国内は2〜3営業日、離島は5営業日ほどでお届けします。8,000円以上のご注文は送料無料です。発送後に追跡番号をメールでお知らせします。",
  ),
  article(
    "ja-returns",
    "商品を返品するにはどうすればいいですか？",
    "商品到着から30日以内であれば返品できます。アカウントから返品ラベルを印刷し、郵便局でお送りください。商品が届いてから5日以内に返金いたします。",
  ),
  article(
    "ja-payment",
    "利用できる支払い方法を教えてください",
    "クレジットカード、コンビニ払い、銀行振込、PayPayがご利用いただけます。発送前に請求されることはありません。",
  ),
  article(
    "ja-password",
    "パスワードを忘れました",
    "ログイン画面で「パスワードを忘れた方」を選んでください。新しいパスワードを設定するリンクをお送りします。リンクは1時間有効です。",
  ),
  article(
    "ja-cancelling",
    "注文のキャンセルや変更はできますか？",
    "梱包前であれば可能です。アカウントで注文を開き「キャンセル」を選ぶか、住所や色の変更はメッセージでご連絡ください。",
  ),
  article(
    "ja-warranty",
    "バッグが壊れた場合はどうなりますか？",
    "すべてのバッグに5年間の保証が付いています。ファスナーや縫い目、ストラップの修理は無料です。破損箇所の写真をお送りください。",
  ),

  article(
    "th-delivery",
    "การจัดส่งใช้เวลานานเท่าไร",
    "ในกรุงเทพฯ สินค้าถึงภายในหนึ่งถึงสองวันทำการ ต่างจังหวัดสามถึงห้าวัน ส่งฟรีเมื่อซื้อครบ 1,000 บาท เราจะส่งหมายเลขติดตามพัสดุให้ทางอีเมล",
  ),
  article(
    "th-returns",
    "จะคืนสินค้าได้อย่างไร",
    "คุณคืนสินค้าได้ภายใน 30 วัน พิมพ์ใบปะหน้าจากบัญชีของคุณ แล้วนำพัสดุไปส่งที่ทำการไปรษณีย์ เราจะคืนเงินให้ภายในห้าวันหลังจากได้รับของ",
  ),
  article(
    "th-payment",
    "ชำระเงินด้วยวิธีใดได้บ้าง",
    "เรารับบัตรเครดิต พร้อมเพย์ โอนเงินผ่านธนาคาร และเก็บเงินปลายทาง เราไม่ตัดบัตรก่อนส่งของ",
  ),
  article(
    "th-password",
    "ลืมรหัสผ่านต้องทำอย่างไร",
    "กด “ลืมรหัสผ่าน” ในหน้าเข้าสู่ระบบ เราจะส่งลิงก์สำหรับตั้งรหัสผ่านใหม่ให้ ลิงก์ใช้ได้หนึ่งชั่วโมง",
  ),
  article(
    "th-cancelling",
    "ยกเลิกหรือแก้ไขคำสั่งซื้อได้ไหม",
    "ได้ ถ้ายังไม่ได้แพ็กของ เปิดคำสั่งซื้อในบัญชีของคุณแล้วเลือก “ยกเลิก” หรือเขียนถึงเราหากต้องการเปลี่ยนที่อยู่หรือสี",
  ),
  article(
    "th-warranty",
    "ถ้ากระเป๋าเสียต้องทำอย่างไร",
    "กระเป๋าทุกใบรับประกันห้าปี เราซ่อมซิป ตะเข็บ และสายสะพายให้ฟรี ส่งรูปความเสียหายมาให้เราดู",
  ),
];

/** Visitors' questions, and the article that must come first. */
export const questionsForTests: readonly {
  kind: "exact words" | "a typo" | "another form of a word" | "a question in everyday words";
  asked: string;
  finds: ArticleForTests["about"];
}[] = [
  { kind: "exact words", asked: "payment methods", finds: "en-payment" },
  { kind: "exact words", asked: "tracking number", finds: "en-delivery" },
  { kind: "exact words", asked: "Rückgabefrist", finds: "de-returns" },
  { kind: "exact words", asked: "formas de pago", finds: "es-payment" },
  { kind: "exact words", asked: "boleto", finds: "pt-payment" },
  { kind: "exact words", asked: "способы оплаты", finds: "ru-payment" },
  { kind: "exact words", asked: "ट्रैकिंग नंबर", finds: "hi-delivery" },
  { kind: "exact words", asked: "طرق الدفع", finds: "ar-payment" },
  { kind: "exact words", asked: "退货", finds: "zh-returns" },
  { kind: "exact words", asked: "付款方式", finds: "zh-payment" },
  { kind: "exact words", asked: "返品", finds: "ja-returns" },
  { kind: "exact words", asked: "送料無料", finds: "ja-delivery" },
  { kind: "exact words", asked: "คืนสินค้า", finds: "th-returns" },
  { kind: "exact words", asked: "รับประกัน", finds: "th-warranty" },

  { kind: "a typo", asked: "paymnet methods", finds: "en-payment" },
  { kind: "a typo", asked: "forgoten pasword", finds: "en-password" },
  { kind: "a typo", asked: "waranty", finds: "en-warranty" },
  { kind: "a typo", asked: "Rueckgabefrist", finds: "de-returns" },
  { kind: "a typo", asked: "stronieren", finds: "de-cancelling" },
  { kind: "a typo", asked: "contrasenia", finds: "es-password" },
  { kind: "a typo", asked: "devolver un articlo", finds: "es-returns" },
  { kind: "a typo", asked: "pagmento", finds: "pt-payment" },
  { kind: "a typo", asked: "дотсавка", finds: "ru-delivery" },
  { kind: "a typo", asked: "зaбыл пороль", finds: "ru-password" },
  { kind: "a typo", asked: "पासवर्द भूल गया", finds: "hi-password" },
  { kind: "a typo", asked: "كلمه المروور", finds: "ar-password" },
  { kind: "a typo", asked: "キャンセリ", finds: "ja-cancelling" },
  { kind: "a typo", asked: "ลืมรหัสผ่าร", finds: "th-password" },

  { kind: "another form of a word", asked: "returning items", finds: "en-returns" },
  { kind: "another form of a word", asked: "cancellation", finds: "en-cancelling" },
  { kind: "another form of a word", asked: "Zahlungsart", finds: "de-payment" },
  { kind: "another form of a word", asked: "Garantien", finds: "de-warranty" },
  { kind: "another form of a word", asked: "Frist für die Rückgabe", finds: "de-returns" },
  { kind: "another form of a word", asked: "envíos", finds: "es-delivery" },
  { kind: "another form of a word", asked: "devoluciones", finds: "es-returns" },
  { kind: "another form of a word", asked: "entregas", finds: "pt-delivery" },
  { kind: "another form of a word", asked: "доставку", finds: "ru-delivery" },
  { kind: "another form of a word", asked: "отмена заказа", finds: "ru-cancelling" },
  { kind: "another form of a word", asked: "ऑर्डरों को रद्द करना", finds: "hi-cancelling" },
  { kind: "another form of a word", asked: "توصيل", finds: "ar-delivery" },
  { kind: "another form of a word", asked: "بالدفع", finds: "ar-payment" },

  {
    kind: "a question in everyday words",
    asked: "Hello, I bought a bag last week and I do not like it. How do I send it back and get my money?",
    finds: "en-returns",
  },
  {
    kind: "a question in everyday words",
    asked: "the zip of my bag is broken, do you repair it?",
    finds: "en-warranty",
  },
  {
    kind: "a question in everyday words",
    asked: "Guten Tag, wann kommt meine Bestellung an? Wie lange dauert das normalerweise?",
    finds: "de-delivery",
  },
  {
    kind: "a question in everyday words",
    asked: "Kann ich auch auf Rechnung zahlen oder nur mit Karte?",
    finds: "de-payment",
  },
  {
    kind: "a question in everyday words",
    asked: "hola, no recuerdo mi contraseña y no puedo entrar",
    finds: "es-password",
  },
  {
    kind: "a question in everyday words",
    asked: "oi, quanto tempo leva para a entrega chegar na minha casa?",
    finds: "pt-delivery",
  },
  {
    kind: "a question in everyday words",
    asked: "здравствуйте, как я могу вернуть деньги за товар, который не подошёл?",
    finds: "ru-returns",
  },
  { kind: "a question in everyday words", asked: "मेरा बैग टूट गया है, क्या आप मरम्मत करते हैं?", finds: "hi-warranty" },
  { kind: "a question in everyday words", asked: "أريد أن أرجع المنتج، كم يوما لدي؟", finds: "ar-returns" },
  { kind: "a question in everyday words", asked: "我想取消昨天的订单，可以吗", finds: "zh-cancelling" },
  { kind: "a question in everyday words", asked: "我忘了密码，登录不了", finds: "zh-password" },
  { kind: "a question in everyday words", asked: "昨日の注文をキャンセルしたいのですが", finds: "ja-cancelling" },
  { kind: "a question in everyday words", asked: "商品はいつ届きますか？配送は何日かかりますか", finds: "ja-delivery" },
  { kind: "a question in everyday words", asked: "สวัสดีค่ะ จะจ่ายด้วยบัตรเครดิตได้ไหมคะ", finds: "th-payment" },
];

/** Questions that no article answers. */
export const unanswerableForTests: readonly string[] = [
  "asdf qwertz",
  "xkcd zzyzx plugh",
  "What is the capital of France?",
  "who won the football match yesterday",
  "Wie hoch ist der Mount Everest?",
  "Rezept für Apfelkuchen",
  "¿Quién ganó la guerra civil?",
  "receita de feijoada",
  "рецепт борща",
  "आज मौसम कैसा रहेगा",
  "وصفة الكبسة",
  "今天天气怎么样",
  "明日の天気を教えて",
  "สูตรต้มยำกุ้ง",
  "12345",
  "👍👍👍",
  "?!…",
];
