import {
  ada,
  corrected,
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
import { berlin, munich, vienna, zurich } from "./places.ts";

export const german: readonly Thread[] = [
  thread(
    { name: "Lena Vogt", email: "lena.vogt@example.com", phone: "+493023125014", from: berlin },
    on(29, "10:30"),
    ["/products/drizzle-jacket", "/size-guide"],
    [
      v("Guten Morgen, fällt die Drizzle-Jacke eher groß oder klein aus?"),
      grace(
        "Guten Morgen Frau Vogt, eher normal. Wenn ein dicker Pullover darunter soll, nehmen Sie lieber eine Nummer größer.",
      ),
      v("Ich trage sonst 40 und ja, mit Pullover."),
      grace("Dann passt die L gut. Umtauschen geht 30 Tage lang kostenlos."),
      v("Wunderbar, danke für die schnelle Antwort."),
      resolved("grace"),
    ],
  ),
  thread(
    { name: "Jonas Reuter", email: "jonas.reuter@example.com", phone: "+498999998231", from: munich },
    on(27, "16:50"),
    ["/orders/2049"],
    [
      v(
        "Hallo, können Sie die Rechnung zu 2049 auf meine Firma ausstellen? Reuter Holzbau GmbH, Beispielweg 3, 80331 München",
      ),
      lin("Hallo Herr Reuter, gern. Hier ist sie.", "/files/rechnung-2049.pdf"),
      v("Perfekt. Das Lieferdatum fehlt noch, das will unser Steuerbüro."),
      lin("Das hätte gleich draufstehen sollen, Entschuldigung. So ist es richtig:", "/files/rechnung-2049-b.pdf"),
      v("Passt, vielen Dank!"),
      resolved("lin"),
    ],
  ),
  thread(
    { name: "Marlene Huber", email: "marlene.huber@example.com", from: vienna },
    on(24, "09:05"),
    ["/shipping"],
    [
      v("Grüß Gott, wie lange dauert der Versand nach Wien?"),
      omar("Guten Morgen, zwei bis drei Werktage. Ab 60 € ist er kostenlos."),
      v("Und kann das Packerl in eine Abholstation?"),
      omar("Ja, tragen Sie bei der Adresse die Nummer der Station ein, dann geht es dorthin."),
      v("Super, danke!"),
      resolved("omar"),
    ],
  ),
  thread(
    { name: "Stefan Brunner", email: "stefan.brunner@example.com", from: zurich },
    on(22, "13:40"),
    ["/products/heron-backpack", "/shipping"],
    [
      v("Grüezi, fallen bei Lieferung in die Schweiz Zollgebühren an?"),
      ada(
        "Grüezi Herr Brunner, wir verzollen für Sie: der Preis im Warenkorb ist der Endpreis, mit Schweizer Mehrwertsteuer.",
      ),
      v("Das ist angenehm. Wie sieht es bei einer Rücksendung aus?"),
      ada("Das Etikett mit den Zollpapieren liegt bei. Sie kleben es auf und geben das Paket auf der Post ab."),
      v("Besten Dank."),
      resolved("ada"),
    ],
  ),
  thread(
    { name: "Katrin Seidel", email: "katrin.seidel@example.com", phone: "+493023125077", from: berlin },
    on(19, "19:22"),
    ["/orders/2088", "/returns"],
    [
      v("Der Reißverschluss am Heron klemmt nach drei Wochen. Das darf bei dem Preis nicht sein."),
      lin("Da haben Sie recht, Frau Seidel. Ist es der lange oder der an der Vordertasche?"),
      v("Der lange. Ich habe es schon mit Seife versucht."),
      note(
        "lin",
        "Charge vom Frühjahr, bekannter Schieberfehler. Neuer Rucksack statt Reparatur, mit Grace abgesprochen.",
      ),
      lin(
        "Dann tauschen wir ihn aus, ohne Wenn und Aber. Der neue geht morgen früh raus, das Rücksendeetikett liegt im Paket.",
      ),
      v("Ohne Fotos und Formulare? Das lobe ich mir."),
      days(3),
      v("Ist angekommen und läuft wie Butter. Danke!"),
      resolved("lin"),
    ],
  ),
  thread(
    { name: "Familie Petersen", email: "petersen@example.org", from: munich },
    on(17, "07:55"),
    ["/orders/2115"],
    [
      v("Guten Tag, wir haben uns bei der Adresse vertan, die PLZ muss 80333 sein."),
      omar("Guten Morgen, das Paket ist schon beim Paketdienst. Ich habe die Postleitzahl dort ändern lassen."),
      v("Kommt es dann trotzdem bis Freitag?"),
      omar("Nach heutigem Stand am Freitag, spätestens Samstag Vormittag."),
      v("Vielen Dank, das hilft uns sehr."),
      resolved("omar"),
    ],
  ),
  thread(
    { from: berlin },
    on(13, "21:15"),
    ["/", "/opening-hours"],
    [v("Habt ihr am Samstag offen?"), grace("Hallo! Ja, von zehn bis zwei."), v("Top, danke"), resolved("grace")],
  ),
  thread(
    { name: "Uwe Lindner", email: "uwe.lindner@example.com", from: berlin },
    on(9, "11:48"),
    ["/business"],
    [
      v("Guten Tag, wir sind ein Ruderverein und bräuchten 40 Drizzle-Jacken mit Vereinswappen. Machen Sie so etwas?"),
      ada("Guten Tag Herr Lindner, ja, ab 25 Stück. Gestickt oder gedruckt?"),
      v("Gestickt wäre schöner. Größen bunt gemischt, von S bis XXL."),
      ada(
        "Gestickt kommt die Jacke auf 96 € statt 119 €. Schicken Sie mir die Größenliste, dann lege ich ein Muster an.",
      ),
      note("ada", "Muster in L, Wappen zweifarbig. Stickerei braucht 3 Wochen."),
      hours(26),
      v("Liste ist per Mail unterwegs, der Vorstand hat zugestimmt."),
      corrected({ name: "Uwe Lindner (Ruderverein)" }),
      ada("Ist angekommen. Das Muster geht am Montag zu Ihnen."),
    ],
  ),
  thread(
    { name: "Miriam Adler", email: "miriam.adler@example.com", from: vienna },
    on(5, "14:10"),
    ["/products/pebble-mug"],
    [
      v("Ist die Pebble-Tasse für die Mikrowelle geeignet?"),
      lin("Ja, und für die Spülmaschine. Nur die mit dem goldenen Rand nicht, die funkt."),
      v("Haha, dann lieber die ohne Gold. Danke!"),
      resolved("lin"),
    ],
  ),
  thread(
    { name: "Anke Thomsen", email: "anke.thomsen@example.com", from: berlin },
    minutesAgo(95),
    ["/orders/2181"],
    [
      v("Hallo, ich habe zwei Decken bestellt und nur eine bekommen (2181)."),
      omar("Hallo Frau Thomsen, das tut mir leid. Ich sehe nach, ob sie in zwei Paketen unterwegs sind."),
      v("Auf dem Zettel steht 1 von 1."),
    ],
  ),
];
