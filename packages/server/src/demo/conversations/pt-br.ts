import { ada, days, grace, hours, lin, note, omar, on, resolved, type Thread, thread, v } from "../script.ts";
import { curitiba, recife, saoPaulo } from "./places.ts";

export const portuguese: readonly Thread[] = [
  thread(
    { name: "Rafaela Antunes", email: "rafaela.antunes@example.com", from: saoPaulo },
    on(27, "13:15"),
    ["/shipping", "/products/heron-backpack"],
    [
      v("Oi! Vocês entregam em São Paulo?"),
      grace("Oi, Rafaela! Entregamos sim, leva de oito a doze dias e o frete fica em 26 €."),
      v("E o imposto, vem junto no preço?"),
      grace("Vem: o valor do carrinho já inclui os tributos de importação, então não tem surpresa na entrega."),
      v("Que alívio. Vou fechar o pedido hoje."),
      resolved("grace"),
    ],
  ),
  thread(
    { name: "Thiago Moura", email: "thiago.moura@example.com", from: curitiba },
    on(23, "17:40"),
    ["/orders/2079"],
    [
      v("Boa tarde, a jaqueta do pedido 2079 chegou com a cor errada. Pedi azul e veio verde."),
      lin("Boa tarde, Thiago. Desculpe pelo engano! Quer trocar ou prefere ficar com a verde e receber um desconto?"),
      v("Na verdade a verde é bonita... quanto de desconto?"),
      lin("25 % do valor da jaqueta."),
      v("Fechado, fico com a verde."),
      note("lin", "Reembolso de 29,75 feito. Conferir etiquetas azul/verde na prateleira 4."),
      resolved("lin"),
    ],
  ),
  thread(
    { name: "Dona Célia Barros", email: "celia.barros@example.com", from: recife },
    on(19, "12:05"),
    ["/products/lantern-blanket"],
    [
      v("Bom dia, minha neta mora em Portugal e queria mandar uma manta de presente. Pode ir com um bilhete?"),
      omar("Bom dia, dona Célia! Pode sim, escrevemos o bilhete à mão. O que devemos escrever?"),
      v('"Para você não sentir frio longe da gente. Com amor, vó Célia."'),
      omar("Que lindo. Vai escrito exatamente assim, e o pacote vai sem o preço."),
      days(5),
      v("Ela me ligou chorando de alegria. Deus abençoe vocês!"),
      omar("Ficamos emocionados aqui também. Muito obrigado por contar!"),
      resolved("omar"),
    ],
  ),
  thread(
    { name: "Juliana Prado", email: "juliana.prado@example.com", from: saoPaulo },
    on(13, "20:25"),
    ["/returns"],
    [
      v("Oi, dá pra devolver do Brasil ou fica caro demais?"),
      ada("Oi, Juliana! A primeira troca é por nossa conta, o código de postagem chega por e-mail."),
      v("E se eu só quiser o dinheiro de volta?"),
      ada("Também pode, em até 30 dias. Nesse caso o frete de volta custa 12 €."),
      v("Entendi, obrigada."),
      resolved("ada"),
    ],
  ),
  thread(
    { from: recife },
    on(8, "22:30"),
    ["/opening-hours"],
    [
      v("vcs atendem por telefone?"),
      hours(9),
      grace("Bom dia! Por enquanto só por aqui e por e-mail, mas respondemos rápido. Em que posso ajudar?"),
      v("era só pra saber mesmo, valeu"),
      resolved("grace"),
    ],
  ),
  thread(
    { name: "Caio Figueira", email: "caio@figueira-cafe.test", from: curitiba },
    on(1, "12:40"),
    ["/business", "/products/pebble-mug"],
    [
      v("Oi, tenho uma cafeteria e quero 80 canecas Pebble com o nosso desenho. Qual o prazo?"),
      ada("Oi, Caio! Com gravação são três semanas mais o envio. O desenho tem quantas cores?"),
      v("Uma só, preto."),
      note("ada", "Pedir orçamento à gravadora: 80 canecas, uma cor."),
      ada("Perfeito. Amanhã mando o orçamento com uma prova do desenho na caneca."),
      v("Show, fico no aguardo!"),
    ],
  ),
];
