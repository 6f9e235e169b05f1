import { ada, grace, hours, lin, minutesAgo, note, omar, on, resolved, type Thread, thread, v } from "../script.ts";
import { delhi, jaipur } from "./places.ts";

export const hindi: readonly Thread[] = [
  thread(
    { name: "अंजलि वर्मा", email: "anjali.verma@example.com", from: delhi },
    on(24, "08:10"),
    ["/products/heron-backpack"],
    [
      v("नमस्ते, क्या हेरॉन बैग में पानी की बोतल रखने की जगह है?"),
      grace("नमस्ते अंजलि जी, जी हाँ, दोनों तरफ़ एक-एक जेब है जिसमें एक लीटर की बोतल आ जाती है।"),
      v("बहुत अच्छा। दिल्ली तक कितने दिन लगेंगे?"),
      grace("आठ से ग्यारह दिन। भेजने का ख़र्च 21 यूरो है।"),
      v("ठीक है, धन्यवाद।"),
      resolved("grace"),
    ],
  ),
  thread(
    { name: "रोहित शर्मा", email: "rohit.sharma@example.com", from: jaipur },
    on(18, "12:35"),
    ["/orders/2108"],
    [
      v("मेरा ऑर्डर 2108 तीन दिन से मुंबई में अटका है।"),
      omar("नमस्ते रोहित जी, असुविधा के लिए क्षमा करें। मैं अभी कूरियर से पूछता हूँ।"),
      note("omar", "कूरियर को फ़ोन नंबर नहीं मिला था, इसलिए रुका था। नंबर भेज दिया।"),
      omar("उन्हें आपका फ़ोन नंबर नहीं मिला था। अब दे दिया है, कल तक जयपुर पहुँच जाएगा।"),
      hours(30),
      v("मिल गया, बहुत-बहुत धन्यवाद!"),
      resolved("omar"),
    ],
  ),
  thread(
    { name: "मीरा जोशी", email: "meera.joshi@example.com", from: delhi },
    on(12, "15:20"),
    ["/products/lantern-blanket", "/returns"],
    [
      v("कंबल का रंग फ़ोटो से थोड़ा अलग है। क्या बदल सकते हैं?"),
      lin("जी बिल्कुल, मीरा जी। आपको कौन-सा रंग चाहिए?"),
      v("स्लेटी वाला।"),
      lin("स्लेटी रंग उपलब्ध है। वापसी का लेबल यह रहा, भेजने का ख़र्च हमारा।", "/files/return-label-2133.pdf"),
      v("आपकी सेवा बहुत अच्छी है।"),
      resolved("lin"),
    ],
  ),
  thread(
    { from: delhi },
    on(7, "17:45"),
    ["/gift-cards"],
    [
      v("क्या गिफ़्ट कार्ड रुपये में मिलेगा?"),
      ada("नमस्ते! अभी केवल यूरो में है, पर आपका बैंक उसे रुपये में बदल देगा।"),
      v("अच्छा, ठीक है।"),
      resolved("ada"),
    ],
  ),
  thread(
    { name: "कबीर मल्होत्रा", email: "kabir.malhotra@example.com", from: jaipur },
    minutesAgo(320),
    ["/products/drizzle-jacket"],
    [
      v("क्या यह जैकेट बच्चों के नाप में भी आती है? मेरी बेटी दस साल की है।"),
      grace("अभी बच्चों के नाप नहीं हैं। बड़ों का XS 158 सेमी से ऊपर की लंबाई पर ठीक बैठता है।"),
      v("वह 140 की है। क्या आगे कभी आएगी?"),
    ],
  ),
];
