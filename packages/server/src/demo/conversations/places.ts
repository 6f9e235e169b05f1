import type { Place } from "../script.ts";

const place = (location: string, country: string, code: string, timezone: string, language: string): Place => ({
  location,
  country,
  country_dialing_code: code,
  timezone,
  language,
});

export const london = place("London", "United Kingdom", "+44", "Europe/London", "en-GB");
export const leeds = place("Leeds", "United Kingdom", "+44", "Europe/London", "en-GB");
export const portland = place("Portland", "United States", "+1", "America/Los_Angeles", "en-US");
export const austin = place("Austin", "United States", "+1", "America/Chicago", "en-US");
export const boston = place("Boston", "United States", "+1", "America/New_York", "en-US");
export const toronto = place("Toronto", "Canada", "+1", "America/Toronto", "en-CA");
export const dublin = place("Dublin", "Ireland", "+353", "Europe/Dublin", "en-IE");
export const sydney = place("Sydney", "Australia", "+61", "Australia/Sydney", "en-AU");
export const wellington = place("Wellington", "New Zealand", "+64", "Pacific/Auckland", "en-NZ");
export const nairobi = place("Nairobi", "Kenya", "+254", "Africa/Nairobi", "en-KE");
export const berlin = place("Berlin", "Germany", "+49", "Europe/Berlin", "de-DE");
export const munich = place("München", "Germany", "+49", "Europe/Berlin", "de-DE");
export const vienna = place("Wien", "Austria", "+43", "Europe/Vienna", "de-AT");
export const zurich = place("Zürich", "Switzerland", "+41", "Europe/Zurich", "de-CH");
export const paris = place("Paris", "France", "+33", "Europe/Paris", "fr-FR");
export const lyon = place("Lyon", "France", "+33", "Europe/Paris", "fr-FR");
export const brussels = place("Bruxelles", "Belgium", "+32", "Europe/Brussels", "fr-BE");
export const montreal = place("Montréal", "Canada", "+1", "America/Toronto", "fr-CA");
export const madrid = place("Madrid", "Spain", "+34", "Europe/Madrid", "es-ES");
export const sevilla = place("Sevilla", "Spain", "+34", "Europe/Madrid", "es-ES");
export const mexicoCity = place("Ciudad de México", "Mexico", "+52", "America/Mexico_City", "es-MX");
export const bogota = place("Bogotá", "Colombia", "+57", "America/Bogota", "es-CO");
export const buenosAires = place("Buenos Aires", "Argentina", "+54", "America/Argentina/Buenos_Aires", "es-AR");
export const saoPaulo = place("São Paulo", "Brazil", "+55", "America/Sao_Paulo", "pt-BR");
export const recife = place("Recife", "Brazil", "+55", "America/Recife", "pt-BR");
export const curitiba = place("Curitiba", "Brazil", "+55", "America/Sao_Paulo", "pt-BR");
export const tokyo = place("東京", "Japan", "+81", "Asia/Tokyo", "ja-JP");
export const osaka = place("大阪", "Japan", "+81", "Asia/Tokyo", "ja-JP");
export const cairo = place("القاهرة", "Egypt", "+20", "Africa/Cairo", "ar-EG");
export const dubai = place("دبي", "United Arab Emirates", "+971", "Asia/Dubai", "ar-AE");
export const amman = place("عمّان", "Jordan", "+962", "Asia/Amman", "ar-JO");
export const delhi = place("दिल्ली", "India", "+91", "Asia/Kolkata", "hi-IN");
export const jaipur = place("जयपुर", "India", "+91", "Asia/Kolkata", "hi-IN");
export const almaty = place("Алматы", "Kazakhstan", "+7", "Asia/Almaty", "ru-KZ");
export const tbilisi = place("Тбилиси", "Georgia", "+995", "Asia/Tbilisi", "ru-GE");
export const riga = place("Рига", "Latvia", "+371", "Europe/Riga", "ru-LV");
export const singapore = place("新加坡", "Singapore", "+65", "Asia/Singapore", "zh-SG");
export const shanghai = place("上海", "China", "+86", "Asia/Shanghai", "zh-CN");
export const taipei = place("台北", "Taiwan", "+886", "Asia/Taipei", "zh-TW");
