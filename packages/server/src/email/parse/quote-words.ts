/** The words by which mail programs introduce what they quote. Compared in lower case. */

/** A verb of an attribution line: "On Monday, Ada wrote:". */
export const WROTE: readonly string[] = [
  "wrote", // en
  "schrieb", // de
  "a écrit", // fr
  "escribió", // es
  "ha scritto", // it
  "scrisse", // it
  "escreveu", // pt
  "schreef", // nl
  "het volgende geschreven", // nl
  "geschreven", // nl
  "napisał", // pl, also napisała, napisał(a)
  "pisze", // pl
  "skrev", // da, nb, sv
  "kirjoitti", // fi
  "napsal", // cs
  "napísal", // sk
  "ezt írta", // hu
  "írta", // hu
  "a scris", // ro
  "написа", // bg, написал ru, написав uk
  "пишет", // ru
  "писал", // ru
  "пише", // uk, sr
  "napisao", // hr, sr
  "je napisal", // sl
  "έγραψε", // el
  "şunu yazdı", // tr
  "yazdı", // tr
  "כתב", // he
  "كتب", // ar
  "ने लिखा", // hi
  "đã viết", // vi
  "menulis", // id, ms
  "เขียน", // th
  "写道", // zh
  "寫道", // zh
  "のメール", // ja
  "は書きました", // ja
  "のメッセージ", // ja
  "님이 작성", // ko
  "작성", // ko
  "kirjutas", // et
  "rakstīja", // lv
  "rašė", // lt
  "va escriure", // ca
  "ha escrit", // ca
  "idatzi du", // eu
];

export type HeaderKind = "from" | "date" | "to" | "subject" | "other";

/** The names of the lines above a quote by Outlook and others, of all languages together: mails mix them. */
const HEADER_NAMES: Readonly<Record<HeaderKind, string>> = {
  from: `from|von|de|da|van|od|från|fra|lähettäjä|feladó|de la|от|от кого|від|від кого|šalje|από|kimden|gönderen|מאת|من|发件人|寄件者|寄件人|差出人|送信者|送信元
    |보낸 사람|từ|dari|mittente|nadawca|expeditorul|отправитель|saatja|siuntėjas|remitente|expéditeur|absender`,
  date: `sent|date|gesendet|gesendet am|datum|envoyé|envoyé le|message du|enviado|enviado el|fecha|inviato|data|data ora|enviada em|enviado em|verzonden|wysłano
    |wysłane|skickat|sendt|dato|lähetetty|päivämäärä|päiväys|odesláno|odoslané|dátum|elküldve|trimis|expediat|изпратено|дата|отправлено|надіслано|poslano
    |στάλθηκε|ημερομηνία|gönderilme tarihi|gönderildi|tarih|נשלח|תאריך|تم الإرسال|التاريخ|发送时间|發送時間|发送日期|日期|傳送時間|寄件日期|送信日時|日付|送信済み
    |보낸 날짜|날짜|đã gửi|ngày|dikirim|terkirim|tanggal|saadetud|kuupäev|išsiųsta|nosūtīts`,
  to: `to|an|à|a|para|aan|do|till|til|vastaanottaja|komu|címzett|către|destinatarul|до|кому|za|prima|pre|pour|adresat|προς|kime|אל|إلى|收件人|收件者|宛先|送信先
    |받는 사람|đến|tới|kepada|destinataire|destinatario|saaja`,
  subject: `subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|temat|ämne|emne|aihe|předmět|predmet|tárgy|subiect|subiectul|относно|тема|zadeva|naslov
    |θέμα|konu|נושא|الموضوع|主题|主題|主旨|件名|제목|chủ đề|subjek|perihal|teema|tema|temats`,
  other: `cc|kopie|kopie (cc)|copie à|copia|copia para|kopio|kopia|kopi|kópia|másolat|másolatot kap|dw|do wiadomości|копия|копія|bilgi|κοιν|抄送|副本|참조|reply-to
    |antwort an|répondre à|responder a|rispondi a|risposta|antwoord aan|svar til|svara till|vastaus|odpověď na|odpowiedź-do|odgovori na|odpovedať-pre|válaszcím
    |attachments|anlagen|importance|priority|wichtigkeit`,
};

/** What each name may mean, in lower case: "da" is From in Italian. */
export const HEADER_LABELS: ReadonlyMap<string, readonly HeaderKind[]> = labels();

function labels(): Map<string, HeaderKind[]> {
  const found = new Map<string, HeaderKind[]>();
  for (const [kind, names] of Object.entries(HEADER_NAMES) as [HeaderKind, string][]) {
    for (const name of names.split("|").map((each) => each.trim())) {
      found.set(name, [...(found.get(name) ?? []), kind]);
    }
  }
  return found;
}

/** Between dashes in a line of its own, above the mail that is quoted. */
export const ORIGINAL: readonly string[] = [
  "original message", // en
  "reply message",
  "ursprüngliche nachricht", // de
  "originalnachricht",
  "original-nachricht",
  "antwort nachricht",
  "message d'origine", // fr
  "message original",
  "mensaje original", // es
  "messaggio originale", // it
  "mensagem original", // pt
  "oorspronkelijk bericht", // nl
  "wiadomość oryginalna", // pl
  "oryginalna wiadomość",
  "ursprungligt meddelande", // sv
  "originalmeddelande",
  "oprindelig meddelelse", // da
  "oprindelig besked",
  "opprinnelig melding", // nb
  "alkuperäinen viesti", // fi
  "původní zpráva", // cs
  "pôvodná správa", // sk
  "eredeti üzenet", // hu
  "mesaj original", // ro
  "оригинално съобщение", // bg
  "исходное сообщение", // ru
  "вихідне повідомлення", // uk
  "izvorna poruka", // hr
  "izvirno sporočilo", // sl
  "αρχικό μήνυμα", // el
  "özgün ileti", // tr
  "orijinal mesaj",
  "הודעה מקורית", // he
  "الرسالة الأصلية", // ar
  "原始邮件", // zh
  "原始郵件",
  "元のメッセージ", // ja
  "원본 메시지", // ko
  "원본 메일",
  "thư gốc", // vi
  "pesan asli", // id
];

/** At the beginning of a subject. */
export const FORWARD_PREFIXES: readonly string[] = [
  ...[
    "fwd",
    "fw",
    "wg",
    "tr",
    "rv",
    "enc",
    "pd",
    "vb",
    "vl",
    "doorst",
    "fs",
    "továbbítás",
    "ilt",
    "i̇lt",
    "redir",
    "reenv",
  ],
  ...["转发", "轉寄", "転送", "전달", "пересл", "πρθ"],
];

/** In the line above a forwarded mail. */
export const FORWARDED: readonly string[] = [
  "forwarded message", // en
  "forwarded mail",
  "begin forwarded message",
  "weitergeleitete nachricht", // de
  "anfang der weitergeleiteten",
  "message transféré", // fr
  "message transmis",
  "début du message",
  "mensaje reenviado", // es
  "messaggio inoltrato", // it
  "mensagem encaminhada", // pt
  "mensagem reencaminhada",
  "doorgestuurd bericht", // nl
  "przekazana wiadomość", // pl
  "przekazywanej wiadomości",
  "vidarebefordrat", // sv
  "videresendt", // da, nb
  "välitetty viesti", // fi
  "edelleenlähetetty viesti",
  "přeposlan", // cs, přeposlaná zpráva, přeposlané zprávy
  "preposlan", // sk
  "továbbított", // hu
  "redirecționat", // ro
  "proslijeđen", // hr
  "пересылаемо", // ru
  "переадресованн",
  "перенаправлен", // ru, uk
  "переслан", // uk
  "пересилається",
  "letilen", // tr, of İletilen: the dot of İ is a letter of its own in lower case
  "letilmiş",
  "leti başlangıcı",
  "转发的邮件", // zh
  "转发邮件", // zh
  "転送メッセージ", // ja
  "転送されたメッセージ", // ja
  "전달된 메일", // ko
];
