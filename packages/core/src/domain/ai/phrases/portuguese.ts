import type { Phrases } from "./phrases.ts";

export const portuguese: Phrases = {
  wordsStandApart: true,
  request: [
    "(?:falar|conversar|contato|contacto|atendido|chat)~(?:com|por) (?:um |uma |algum |o |a )?(?:pessoa|humano|ser humano|atendente|agente|operadora?|representante|alguem|funcionario|suporte humano)(?! (?:de viagens|imobiliario))",
    "(?:me )?(?:passa|passe|transfere|transfira|conecta|conecte|coloca|coloque|encaminha|encaminhe)(?:-me)?~(?:para|com|a) (?:um |uma |o |a )?(?:pessoa|humano|atendente|agente|operador|representante|alguem)",
    "(?:quero|preciso de|prefiro) (?:um |uma )?(?:humano|atendente|pessoa|atendimento humano)(?: (?:real|humano|de verdade))?(?=[ .!?,]*(?:por favor|agora|ja)?[ .!]*$)",
    "nao quero (?:falar|conversar) com (?:um|uma) (?:robo|bot|maquina|ia)",
  ],
  noRequest: [
    "(?:preciso|tenho que|e preciso|devo) falar com~para",
    "nao quero(?! (?:falar|conversar) com (?:um|uma) (?:robo|bot|maquina|ia))",
    "sem (?:falar|precisar)",
  ],
  upset: [
    "(?:isso|isto|o servico de voces|o atendimento)? ?e (?:realmente |totalmente |absolutamente |simplesmente |muito |tao |um |uma )*(?:ridiculo|inaceitavel|absurdo|vergonhoso|vergonha|palhacada|piada de mau gosto|lamentavel|patetico|revoltante|falta de respeito|desrespeito|nojo)(?=[ .!,]|$)(?! pensar)",
    "que (?:absurdo|vergonha|palhacada|falta de respeito|nojo|servico pessimo|merda|descaso)",
    "(?:voces|vcs) sao (?:todos |uns |umas |realmente |muito |tao |um bando de )*(?:inuteis|incompetentes|idiotas|ladroes|golpistas|mentirosos|palhacos|pessimos|ridiculos|uma vergonha)",
    "(?:estou|to) (?:muito |tao |realmente |super |completamente )*(?:furios[oa]|irritad[oa]|indignad[oa]|revoltad[oa]|puto|puta da vida|com muita raiva|com raiva|de saco cheio|fart[oa](?: de)?)",
    "pior (?:servico|atendimento|empresa|experiencia|loja)(?! (?:que|do que))",
    "(?:estao|voces estao|ta) (?:me fazendo de (?:palhac[oa]|idiota|otari[oa])|de brincadeira|brincando com a minha cara|de sacanagem)",
    "(?:robo|bot|maquina) (?:inutil|idiota|burr[oa]|de merda)",
    "ja chega(?=[ !.]*$)",
    "merda",
    "porra",
    "caralho",
    "vai se foder",
    "vao se foder",
    "que saco",
  ],
  calm: [
    "nao (?:e|estou|sao|to) (?:tao |muito |nada )*(?:ridiculo|inaceitavel|irritad[oa]|furios[oa]|com raiva|inuteis|absurdo|uma)",
    "seria (?:ridiculo|inaceitavel|absurdo)",
  ],
  helped: [
    "(?:me )?(?:ajudou|funcionou|resolveu|deu certo)",
    "(?:agora|ja) (?:funciona|esta funcionando|deu)",
    "problema (?:esta )?resolvido",
    "resolvido",
    "muito util",
  ],
  notHelped: [
    "nao (?:me )?(?:ajudou|ajuda|funciona|funcionou|serve|serviu|resolveu|resolve|e |foi|era|deu)",
    "continua (?:sem|igual)",
    "(?:esta|e) errad",
    "incorreto",
    "^nao",
  ],
  promise: [
    "(?:vou|vamos|ira|irei|iremos|vai|vao)~(?:contat|entrar em contato|entrar em contacto|ligar|responder|escrever|reembols|enviar|avis|inform|verific|process|cancel|encaminh|resolver|consult|retorn|providenci|repass)",
    "(?:entraremos|entrarei|entrara|entrarao) em conta(?:to|cto)",
    "(?:retornaremos|retornarei|responderemos|responderei|reembolsaremos|enviaremos|enviarei|avisaremos|avisarei|verificaremos|verificarei|processaremos|ligaremos|ligarei|encaminharei|encaminharemos|cuidaremos|cuidarei)",
    "so um (?:momento|instante)",
    "deixe-me verificar",
  ],
};
