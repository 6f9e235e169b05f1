import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";

/** The texts of the pages by which visitors ask for their data, and of the mail with the link, in each of the widget's languages. */
export interface OwnDataTexts {
  askTitle: string;
  askText(team: string): string;
  email: string;
  emailWrong: string;
  send: string;
  sentTitle: string;
  sentText(team: string): string;
  confirmTitle: string;
  confirmText(team: string): string;
  confirm: string;
  makingTitle: string;
  makingText: string;
  look: string;
  readyTitle: string;
  readyText(date: string): string;
  download(size: string): string;
  failedTitle: string;
  failedText: string;
  goneTitle: string;
  goneText: string;
  offTitle: string;
  offText: string;
  tooManyTitle: string;
  tooManyText: string;
  mailSubject(team: string): string;
  mailText(team: string): string;
  mailEnd: string;
}

export const ownDataTexts: Record<WidgetLanguage, OwnDataTexts> = {
  ar: {
    askTitle: "احصل على بياناتك",
    askText: (team) =>
      `أدخل عنوان البريد الإلكتروني الذي استخدمته مع ${team}. سنرسل إليه رابطًا يمكنك منه تنزيل بياناتك.`,
    email: "البريد الإلكتروني",
    emailWrong: "أدخل عنوان بريد إلكتروني صالحًا.",
    send: "إرسال الرابط",
    sentTitle: "تحقق من بريدك الإلكتروني",
    sentText: (team) =>
      `إذا كانت لدى ${team} بيانات مرتبطة بهذا العنوان، فسيصلك رابط عليه قريبًا. الرابط صالح لمدة ساعة.`,
    confirmTitle: "بياناتك",
    confirmText: (team) => `سننشئ ملفًا يضم بياناتك ومحادثاتك وملفاتك لدى ${team}.`,
    confirm: "إنشاء الملف",
    makingTitle: "جارٍ إنشاء الملف",
    makingText: "يستغرق ذلك عادةً بضع ثوانٍ، وقد يستغرق بضع دقائق إذا كانت محادثاتك كثيرة.",
    look: "تحقق مرة أخرى",
    readyTitle: "ملفك جاهز",
    readyText: (date) => `يمكنك تنزيله حتى ${date}. ويُحذف قبل ذلك إذا حُذف شيء مما فيه.`,
    download: (size) => `تنزيل (${size})`,
    failedTitle: "تعذّر إنشاء الملف",
    failedText: "يُرجى طلب بياناتك مرة أخرى.",
    goneTitle: "هذا الرابط لم يعد صالحًا",
    goneText: "ربما انتهت صلاحيته، أو حُذف شيء من بياناتك منذ ذلك الحين. يمكنك طلب رابط جديد.",
    offTitle: "هذه الصفحة غير متاحة",
    offText: "للحصول على بياناتك، اكتب إلينا في الدردشة.",
    tooManyTitle: "طلبات كثيرة جدًا",
    tooManyText: "يُرجى المحاولة مرة أخرى لاحقًا.",
    mailSubject: (team) => `بياناتك لدى ${team}`,
    mailText: (team) => `طُلبت نسخة من بياناتك لدى ${team}. للحصول عليها، افتح هذا الرابط خلال ساعة:`,
    mailEnd: "إذا لم تطلب ذلك، فتجاهل هذه الرسالة. لن يحدث شيء، ولا تُعطِ الرابط لأي شخص.",
  },
  de: {
    askTitle: "Ihre Daten anfordern",
    askText: (team) =>
      `Geben Sie die E-Mail-Adresse ein, die Sie bei ${team} verwendet haben. Wir schicken einen Link dorthin, über den Sie Ihre Daten herunterladen können.`,
    email: "E-Mail",
    emailWrong: "Geben Sie eine gültige E-Mail-Adresse ein.",
    send: "Link senden",
    sentTitle: "Sehen Sie in Ihr Postfach",
    sentText: (team) =>
      `Wenn ${team} Daten zu dieser Adresse gespeichert hat, kommt dort in Kürze ein Link an. Er gilt eine Stunde.`,
    confirmTitle: "Ihre Daten",
    confirmText: (team) =>
      `Wir erstellen eine Datei mit Ihren Angaben, Unterhaltungen und Dateien, die bei ${team} gespeichert sind.`,
    confirm: "Datei erstellen",
    makingTitle: "Die Datei wird erstellt",
    makingText: "Das dauert meist einige Sekunden, bei vielen Unterhaltungen einige Minuten.",
    look: "Noch einmal nachsehen",
    readyTitle: "Ihre Datei ist fertig",
    readyText: (date) =>
      `Sie können sie bis zum ${date} herunterladen. Wird vorher etwas daraus gelöscht, wird auch sie gelöscht.`,
    download: (size) => `Herunterladen (${size})`,
    failedTitle: "Die Datei konnte nicht erstellt werden",
    failedText: "Bitte fordern Sie Ihre Daten noch einmal an.",
    goneTitle: "Dieser Link gilt nicht mehr",
    goneText:
      "Er ist abgelaufen, oder etwas von Ihren Daten wurde inzwischen gelöscht. Sie können einen neuen Link anfordern.",
    offTitle: "Diese Seite gibt es nicht",
    offText: "Wenn Sie Ihre Daten möchten, schreiben Sie uns im Chat.",
    tooManyTitle: "Zu viele Anfragen",
    tooManyText: "Bitte versuchen Sie es später noch einmal.",
    mailSubject: (team) => `Ihre Daten bei ${team}`,
    mailText: (team) =>
      `Jemand hat eine Kopie Ihrer Daten bei ${team} angefordert. Um sie zu erhalten, öffnen Sie innerhalb einer Stunde diesen Link:`,
    mailEnd:
      "Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Es passiert dann nichts. Geben Sie den Link an niemanden weiter.",
  },
  en: {
    askTitle: "Get your data",
    askText: (team) =>
      `Enter the email address that you used with ${team}. We’ll send a link to it, where you can download your data.`,
    email: "Email",
    emailWrong: "Enter a valid email address.",
    send: "Send link",
    sentTitle: "Check your email",
    sentText: (team) =>
      `If ${team} has data stored for this address, a link will arrive there soon. It’s valid for one hour.`,
    confirmTitle: "Your data",
    confirmText: (team) => `We’ll create a file with your details, conversations and files at ${team}.`,
    confirm: "Create file",
    makingTitle: "Your file is being created",
    makingText: "This usually takes a few seconds, or a few minutes if you have many conversations.",
    look: "Check again",
    readyTitle: "Your file is ready",
    readyText: (date) =>
      `You can download it until ${date}. If anything in it is deleted before then, the file is deleted too.`,
    download: (size) => `Download (${size})`,
    failedTitle: "The file couldn’t be created",
    failedText: "Please ask for your data again.",
    goneTitle: "This link is no longer valid",
    goneText: "It has expired, or some of your data has been deleted since. You can ask for a new link.",
    offTitle: "This page isn’t available",
    offText: "To get your data, write to us in the chat.",
    tooManyTitle: "Too many requests",
    tooManyText: "Please try again later.",
    mailSubject: (team) => `Your data at ${team}`,
    mailText: (team) => `Someone asked for a copy of your data at ${team}. To get it, open this link within one hour:`,
    mailEnd: "If this wasn’t you, you can ignore this email. Nothing will happen. Don’t give the link to anyone.",
  },
  es: {
    askTitle: "Obtén tus datos",
    askText: (team) =>
      `Escribe la dirección de correo que usaste con ${team}. Te enviaremos un enlace para descargar tus datos.`,
    email: "Correo electrónico",
    emailWrong: "Escribe una dirección de correo válida.",
    send: "Enviar enlace",
    sentTitle: "Revisa tu correo",
    sentText: (team) =>
      `Si ${team} tiene datos guardados con esta dirección, pronto llegará un enlace. Es válido durante una hora.`,
    confirmTitle: "Tus datos",
    confirmText: (team) => `Crearemos un archivo con tus datos, conversaciones y archivos en ${team}.`,
    confirm: "Crear archivo",
    makingTitle: "Se está creando el archivo",
    makingText: "Suele tardar unos segundos, o unos minutos si tienes muchas conversaciones.",
    look: "Comprobar de nuevo",
    readyTitle: "Tu archivo está listo",
    readyText: (date) =>
      `Puedes descargarlo hasta el ${date}. Si antes se elimina algo de su contenido, también se elimina.`,
    download: (size) => `Descargar (${size})`,
    failedTitle: "No se pudo crear el archivo",
    failedText: "Vuelve a pedir tus datos.",
    goneTitle: "Este enlace ya no es válido",
    goneText: "Ha caducado, o desde entonces se ha eliminado alguno de tus datos. Puedes pedir un enlace nuevo.",
    offTitle: "Esta página no está disponible",
    offText: "Para obtener tus datos, escríbenos en el chat.",
    tooManyTitle: "Demasiadas solicitudes",
    tooManyText: "Inténtalo de nuevo más tarde.",
    mailSubject: (team) => `Tus datos en ${team}`,
    mailText: (team) =>
      `Alguien ha pedido una copia de tus datos en ${team}. Para obtenerla, abre este enlace antes de una hora:`,
    mailEnd: "Si no has sido tú, puedes ignorar este correo. No pasará nada. No des el enlace a nadie.",
  },
  fr: {
    askTitle: "Obtenir vos données",
    askText: (team) =>
      `Saisissez l’adresse e-mail que vous avez utilisée avec ${team}. Nous y enverrons un lien pour télécharger vos données.`,
    email: "E-mail",
    emailWrong: "Saisissez une adresse e-mail valide.",
    send: "Envoyer le lien",
    sentTitle: "Consultez votre messagerie",
    sentText: (team) =>
      `Si ${team} a des données enregistrées pour cette adresse, un lien y arrivera bientôt. Il est valable une heure.`,
    confirmTitle: "Vos données",
    confirmText: (team) =>
      `Nous allons créer un fichier avec vos informations, conversations et fichiers chez ${team}.`,
    confirm: "Créer le fichier",
    makingTitle: "Votre fichier est en cours de création",
    makingText: "Cela prend en général quelques secondes, ou quelques minutes si vous avez beaucoup de conversations.",
    look: "Vérifier à nouveau",
    readyTitle: "Votre fichier est prêt",
    readyText: (date) =>
      `Vous pouvez le télécharger jusqu’au ${date}. Si une partie de son contenu est supprimée avant, il l’est aussi.`,
    download: (size) => `Télécharger (${size})`,
    failedTitle: "Le fichier n’a pas pu être créé",
    failedText: "Veuillez redemander vos données.",
    goneTitle: "Ce lien n’est plus valable",
    goneText: "Il a expiré, ou une partie de vos données a été supprimée depuis. Vous pouvez demander un nouveau lien.",
    offTitle: "Cette page n’est pas disponible",
    offText: "Pour obtenir vos données, écrivez-nous dans le chat.",
    tooManyTitle: "Trop de demandes",
    tooManyText: "Veuillez réessayer plus tard.",
    mailSubject: (team) => `Vos données chez ${team}`,
    mailText: (team) =>
      `Une copie de vos données chez ${team} a été demandée. Pour l’obtenir, ouvrez ce lien dans l’heure :`,
    mailEnd:
      "Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Il ne se passera rien. Ne donnez ce lien à personne.",
  },
  hi: {
    askTitle: "अपना डेटा पाएँ",
    askText: (team) =>
      `वह ईमेल पता डालें जिसका इस्तेमाल आपने ${team} के साथ किया था। हम उस पर एक लिंक भेजेंगे, जहाँ से आप अपना डेटा डाउनलोड कर सकते हैं।`,
    email: "ईमेल",
    emailWrong: "मान्य ईमेल पता डालें।",
    send: "लिंक भेजें",
    sentTitle: "अपना ईमेल देखें",
    sentText: (team) => `अगर ${team} के पास इस पते से जुड़ा डेटा है, तो जल्द ही वहाँ एक लिंक पहुँचेगा। यह एक घंटे तक मान्य है।`,
    confirmTitle: "आपका डेटा",
    confirmText: (team) => `हम एक फ़ाइल बनाएँगे, जिसमें ${team} के पास मौजूद आपकी जानकारी, बातचीत और फ़ाइलें होंगी।`,
    confirm: "फ़ाइल बनाएँ",
    makingTitle: "आपकी फ़ाइल बनाई जा रही है",
    makingText: "आम तौर पर इसमें कुछ सेकंड लगते हैं, बातचीत ज़्यादा होने पर कुछ मिनट।",
    look: "फिर से देखें",
    readyTitle: "आपकी फ़ाइल तैयार है",
    readyText: (date) =>
      `आप इसे ${date} तक डाउनलोड कर सकते हैं। अगर उससे पहले इसमें से कुछ हटाया जाता है, तो यह फ़ाइल भी हट जाएगी।`,
    download: (size) => `डाउनलोड करें (${size})`,
    failedTitle: "फ़ाइल नहीं बन सकी",
    failedText: "कृपया अपना डेटा फिर से माँगें।",
    goneTitle: "यह लिंक अब मान्य नहीं है",
    goneText: "इसका समय खत्म हो गया है, या इस बीच आपका कुछ डेटा हटा दिया गया है। आप नया लिंक माँग सकते हैं।",
    offTitle: "यह पेज उपलब्ध नहीं है",
    offText: "अपना डेटा पाने के लिए हमें चैट में लिखें।",
    tooManyTitle: "बहुत ज़्यादा अनुरोध",
    tooManyText: "कृपया बाद में फिर कोशिश करें।",
    mailSubject: (team) => `${team} के पास आपका डेटा`,
    mailText: (team) => `किसी ने ${team} के पास मौजूद आपके डेटा की कॉपी माँगी है। इसे पाने के लिए एक घंटे के अंदर यह लिंक खोलें:`,
    mailEnd: "अगर यह आपने नहीं माँगा, तो इस ईमेल को अनदेखा करें। कुछ नहीं होगा। यह लिंक किसी को न दें।",
  },
  ja: {
    askTitle: "ご自身のデータを入手する",
    askText: (team) =>
      `${team} とのやり取りで使ったメールアドレスを入力してください。データをダウンロードするためのリンクをお送りします。`,
    email: "メールアドレス",
    emailWrong: "有効なメールアドレスを入力してください。",
    send: "リンクを送信",
    sentTitle: "メールをご確認ください",
    sentText: (team) =>
      `${team} にこのアドレスのデータが保存されている場合、まもなくリンクが届きます。リンクは1時間有効です。`,
    confirmTitle: "お客様のデータ",
    confirmText: (team) => `${team} に保存されているお客様の情報、会話、ファイルをまとめたファイルを作成します。`,
    confirm: "ファイルを作成",
    makingTitle: "ファイルを作成しています",
    makingText: "通常は数秒で終わります。会話が多い場合は数分かかることがあります。",
    look: "もう一度確認",
    readyTitle: "ファイルの準備ができました",
    readyText: (date) =>
      `${date}までダウンロードできます。それまでに内容の一部が削除された場合は、ファイルも削除されます。`,
    download: (size) => `ダウンロード（${size}）`,
    failedTitle: "ファイルを作成できませんでした",
    failedText: "もう一度お申し込みください。",
    goneTitle: "このリンクは無効になりました",
    goneText: "期限が切れたか、その後データの一部が削除されました。新しいリンクを申し込むことができます。",
    offTitle: "このページは利用できません",
    offText: "データをご希望の場合は、チャットでお知らせください。",
    tooManyTitle: "リクエストが多すぎます",
    tooManyText: "しばらくしてからもう一度お試しください。",
    mailSubject: (team) => `${team} に保存されているお客様のデータ`,
    mailText: (team) =>
      `${team} に保存されているお客様のデータの写しの申し込みがありました。入手するには、1時間以内に次のリンクを開いてください。`,
    mailEnd:
      "お心当たりがない場合は、このメールを無視してください。何も起こりません。リンクは誰にも渡さないでください。",
  },
  "pt-BR": {
    askTitle: "Receba seus dados",
    askText: (team) => `Digite o e-mail que você usou com ${team}. Enviaremos um link para você baixar seus dados.`,
    email: "E-mail",
    emailWrong: "Digite um e-mail válido.",
    send: "Enviar link",
    sentTitle: "Confira seu e-mail",
    sentText: (team) =>
      `Se ${team} tiver dados salvos com este endereço, um link chegará em breve. Ele vale por uma hora.`,
    confirmTitle: "Seus dados",
    confirmText: (team) => `Vamos criar um arquivo com seus dados, conversas e arquivos em ${team}.`,
    confirm: "Criar arquivo",
    makingTitle: "Seu arquivo está sendo criado",
    makingText: "Isso costuma levar alguns segundos, ou alguns minutos se você tiver muitas conversas.",
    look: "Verificar de novo",
    readyTitle: "Seu arquivo está pronto",
    readyText: (date) =>
      `Você pode baixá-lo até ${date}. Se algo do conteúdo for excluído antes disso, o arquivo também será.`,
    download: (size) => `Baixar (${size})`,
    failedTitle: "Não foi possível criar o arquivo",
    failedText: "Peça seus dados novamente.",
    goneTitle: "Este link não é mais válido",
    goneText: "Ele expirou, ou algum dos seus dados foi excluído desde então. Você pode pedir um novo link.",
    offTitle: "Esta página não está disponível",
    offText: "Para receber seus dados, escreva para nós no chat.",
    tooManyTitle: "Solicitações demais",
    tooManyText: "Tente novamente mais tarde.",
    mailSubject: (team) => `Seus dados em ${team}`,
    mailText: (team) =>
      `Alguém pediu uma cópia dos seus dados em ${team}. Para recebê-la, abra este link em até uma hora:`,
    mailEnd: "Se não foi você, ignore este e-mail. Nada vai acontecer. Não passe o link a ninguém.",
  },
  ru: {
    askTitle: "Получить свои данные",
    askText: (team) =>
      `Введите адрес электронной почты, с которым вы обращались в ${team}. Мы отправим на него ссылку для скачивания данных.`,
    email: "Электронная почта",
    emailWrong: "Введите действительный адрес электронной почты.",
    send: "Отправить ссылку",
    sentTitle: "Проверьте почту",
    sentText: (team) =>
      `Если у ${team} есть данные для этого адреса, на него скоро придёт ссылка. Она действует один час.`,
    confirmTitle: "Ваши данные",
    confirmText: (team) => `Мы создадим файл с вашими сведениями, диалогами и файлами, которые хранятся у ${team}.`,
    confirm: "Создать файл",
    makingTitle: "Файл создаётся",
    makingText: "Обычно это занимает несколько секунд, а если диалогов много — несколько минут.",
    look: "Проверить ещё раз",
    readyTitle: "Файл готов",
    readyText: (date) => `Его можно скачать до ${date}. Если до этого что-то из него удалят, файл тоже будет удалён.`,
    download: (size) => `Скачать (${size})`,
    failedTitle: "Не удалось создать файл",
    failedText: "Запросите свои данные ещё раз.",
    goneTitle: "Ссылка больше не действует",
    goneText: "Срок её действия истёк, или часть ваших данных с тех пор удалили. Вы можете запросить новую ссылку.",
    offTitle: "Эта страница недоступна",
    offText: "Чтобы получить свои данные, напишите нам в чат.",
    tooManyTitle: "Слишком много запросов",
    tooManyText: "Повторите попытку позже.",
    mailSubject: (team) => `Ваши данные у ${team}`,
    mailText: (team) =>
      `Кто-то запросил копию ваших данных, которые хранятся у ${team}. Чтобы получить её, откройте эту ссылку в течение часа:`,
    mailEnd:
      "Если это были не вы, не обращайте внимания на это письмо. Ничего не произойдёт. Никому не передавайте ссылку.",
  },
  "zh-CN": {
    askTitle: "获取您的数据",
    askText: (team) => `请输入您与 ${team} 联系时使用的电子邮件地址。我们会向该地址发送链接，供您下载数据。`,
    email: "电子邮件",
    emailWrong: "请输入有效的电子邮件地址。",
    send: "发送链接",
    sentTitle: "请查看您的邮箱",
    sentText: (team) => `如果 ${team} 保存了与此地址相关的数据，您很快会收到一个链接。链接在一小时内有效。`,
    confirmTitle: "您的数据",
    confirmText: (team) => `我们将创建一个文件，其中包含 ${team} 保存的您的信息、对话和文件。`,
    confirm: "创建文件",
    makingTitle: "正在创建您的文件",
    makingText: "通常只需几秒钟；如果对话很多，可能需要几分钟。",
    look: "再次查看",
    readyTitle: "您的文件已准备好",
    readyText: (date) => `您可以在 ${date} 之前下载。如果在此之前其中的内容被删除，该文件也会被删除。`,
    download: (size) => `下载（${size}）`,
    failedTitle: "无法创建文件",
    failedText: "请重新申请您的数据。",
    goneTitle: "此链接已失效",
    goneText: "链接已过期，或您的部分数据此后已被删除。您可以申请新的链接。",
    offTitle: "此页面不可用",
    offText: "如需获取您的数据，请在聊天中告诉我们。",
    tooManyTitle: "请求过多",
    tooManyText: "请稍后再试。",
    mailSubject: (team) => `${team} 保存的您的数据`,
    mailText: (team) => `有人申请了 ${team} 保存的您的数据副本。如需获取，请在一小时内打开此链接：`,
    mailEnd: "如果不是您本人申请的，请忽略此邮件，不会有任何影响。请勿将链接告诉他人。",
  },
};
