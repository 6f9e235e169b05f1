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
  "idatzi du", // eu
];

/** The names of the lines above a quote by Outlook, in the order From, Sent or Date, To, Subject. */
export const HEADER_NAMES: readonly (readonly [from: string, sent: string, to: string, subject: string])[] = [
  ["from", "sent|date", "to", "subject"], // en
  ["von", "gesendet|datum", "an", "betreff"], // de
  ["de", "envoyé|date", "à", "objet"], // fr
  ["de", "enviado|enviado el|fecha", "para", "asunto"], // es
  ["da", "inviato|data", "a", "oggetto"], // it
  ["de", "enviado|enviada em|enviado em|data", "para", "assunto"], // pt
  ["van", "verzonden|datum", "aan", "onderwerp"], // nl
  ["od", "wysłano|wysłane|data", "do", "temat"], // pl
  ["från", "skickat|datum", "till", "ämne"], // sv
  ["fra", "sendt|dato", "til", "emne"], // da, nb
  ["lähettäjä", "lähetetty|päivämäärä", "vastaanottaja", "aihe"], // fi
  ["od", "odesláno|datum", "komu", "předmět"], // cs
  ["od", "odoslané|dátum", "komu", "predmet"], // sk
  ["feladó", "elküldve|dátum", "címzett", "tárgy"], // hu
  ["de la", "trimis|expediat|data", "către", "subiect"], // ro
  ["от", "изпратено|дата", "до", "относно|тема"], // bg
  ["от|от кого", "отправлено|дата", "кому", "тема"], // ru
  ["від", "надіслано|дата", "кому", "тема"], // uk
  ["od|šalje", "poslano|datum", "za|prima", "predmet|tema"], // hr
  ["od", "poslano|datum", "za", "zadeva"], // sl
  ["από", "στάλθηκε|ημερομηνία", "προς", "θέμα"], // el
  ["kimden|gönderen", "gönderilme tarihi|gönderildi|tarih", "kime", "konu"], // tr
  ["מאת", "נשלח|תאריך", "אל", "נושא"], // he
  ["من", "تم الإرسال|التاريخ", "إلى", "الموضوع"], // ar
  ["发件人|寄件者", "发送时间|日期|傳送時間", "收件人|收件者", "主题|主旨"], // zh
  ["差出人|送信者", "送信日時|日付|送信済み", "宛先", "件名"], // ja
  ["보낸 사람", "보낸 날짜|날짜", "받는 사람", "제목"], // ko
  ["từ", "đã gửi|ngày", "đến|tới", "chủ đề"], // vi
  ["dari", "dikirim|terkirim|tanggal", "kepada", "subjek|perihal"], // id
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
  "début du message",
  "mensaje reenviado", // es
  "messaggio inoltrato", // it
  "mensagem encaminhada", // pt
  "doorgestuurd bericht", // nl
  "przekazana wiadomość", // pl
  "vidarebefordrat", // sv
  "videresendt", // da, nb
  "välitetty viesti", // fi
  "přeposlaná zpráva", // cs
  "továbbított üzenet", // hu
  "пересылаемое сообщение", // ru
  "переслане повідомлення", // uk
  "iletilen", // tr
  "转发的邮件", // zh
  "转发邮件", // zh
  "転送メッセージ", // ja
  "転送されたメッセージ", // ja
  "전달된 메일", // ko
];
