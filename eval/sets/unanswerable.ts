import type { Question } from "../question.ts";

/**
 * Questions that no knowledge base for visitors answers: about the world, about one customer's own data, about advice that a shop
 * does not give, and about what no one can know. An answer is made up, or from the model's own knowledge.
 */
const questions = [
  // The world.
  "What is the capital of Mongolia?",
  "Who won the football world cup in 1998?",
  "How tall is Mount Kilimanjaro?",
  "Which planet has the most moons?",
  "Who painted the Night Watch?",
  "How do I make sourdough bread rise faster?",
  "What is the square root of 1764?",
  "When did the Berlin Wall fall?",
  "What's the weather in Lisbon tomorrow?",
  "What is the exchange rate of the yen today?",
  "Who is the president of Chile at the moment?",
  "Translate “good night” into Finnish.",
  "Write a Python function that reverses a linked list.",
  "Wie viele Einwohner hat Österreich?",
  "Wer hat die Zauberflöte komponiert?",
  "Combien mesure la tour Eiffel ?",
  "Qui a écrit Les Misérables ?",
  "¿Quién escribió Don Quijote?",
  "¿Quién pintó el Guernica?",
  "Qual é a capital da Austrália?",
  "Кто написал «Войну и мир»?",
  "Какая самая длинная река в Европе?",
  "ما هي عاصمة نيوزيلندا؟",
  "दुनिया का सबसे ऊँचा पर्वत कौन सा है?",
  "富士山、標高何メートル？",
  "长城有多长？",
  // One customer's own data.
  "What is the balance of my loyalty points right now?",
  "Which colour did my sister choose in March?",
  "Has Mr Petrov signed the contract yet?",
  "What was written on the invoice my accountant got yesterday?",
  "Is my neighbour Julia Brandt a member of yours?",
  "Which password did I use last year?",
  "Wo befindet sich mein Fahrer gerade?",
  "Quel âge a votre directrice ?",
  "¿A qué hora llamó mi hermano ayer?",
  // Inner matters, and what no one knows.
  "What will your share price be next summer?",
  "How much does your CEO earn?",
  "Which of your colleagues was fired last week?",
  "What did the board decide on Monday?",
  "Are you going to merge with a competitor?",
  "What margin do you make with your best seller?",
  "Which lawyer represents you in court?",
  // Advice of other trades.
  "I have had chest pain since this morning, what should I take?",
  "Can I deduct a home office from my income tax in Spain?",
  "Should I put my savings into gold or into bonds?",
  "My landlord wants to throw me out, what are my rights?",
  "How many milligrams of ibuprofen may a child have?",
  "Is it legal to fly a drone over a stadium?",
  "Which party should I vote for?",
  "Does my grandmother have dementia if she forgets names?",
];

export const unanswerableSet: readonly Question[] = questions.map((question) => ({
  ...{ set: "unanswerable", question, expect: "handoff" },
}));
