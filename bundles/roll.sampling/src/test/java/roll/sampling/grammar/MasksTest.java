package roll.sampling.grammar;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.option.UserException;
import roll.api.strategy.StructuredOutput;

class MasksTest {
  private static final int STOP = Vocabularies.STOP;

  private static BitSet bruteForce(Grammar grammar, TokenTexts texts, int state) {
    BitSet allowed = new BitSet();
    for (int token = 0; token < texts.size(); token++) {
      byte[] text = texts.of(token);
      if (text.length > 0 && grammar.step(state, text) != Grammar.DEAD) {
        allowed.set(token);
      }
    }
    allowed.set(STOP, grammar.accepts(state));
    return allowed;
  }

  /** Every state that random texts reach, with random vocabularies. */
  @Test
  void masksAreThoseOfEveryTokenByItself() {
    List<StructuredOutput> outputs =
        List.of(
            new StructuredOutput.Regex("(ab|[日😀é])*c.?"),
            new StructuredOutput.Regex("\"[^\"]{0,9}\": ?[0-9]+"),
            StructuredOutput.Json.OBJECT);
    for (int trial = 0; trial < 30; trial++) {
      RandomGenerator random = RandomStreams.of(2, "masks", trial);
      TokenTexts texts = Vocabularies.random(random, 400);
      Grammar grammar = Grammar.of(outputs.get(trial % outputs.size()));
      TokenMasks masks = new TokenMasks(grammar, texts, List.of(STOP));
      int state = grammar.start();
      for (int step = 0; step < 60; step++) {
        BitSet mask = BitSet.valueOf(masks.mask(state));
        assertEquals(bruteForce(grammar, texts, state), mask);
        int[] allowed = mask.stream().filter(token -> token != STOP).toArray();
        state =
            allowed.length == 0
                ? grammar.start()
                : masks.after(state, allowed[random.nextInt(allowed.length)]);
      }
    }
  }

  @Test
  void forgottenMasksAreComputedAgain() {
    TokenTexts texts = Vocabularies.random(RandomStreams.of(3, "masks"), 1_000_000);
    TokenMasks masks =
        new TokenMasks(Grammar.of(new StructuredOutput.Regex("[a-c]{300}")), texts, List.of(STOP));
    long[] first = masks.mask(0).clone();
    int state = 0;
    for (int i = 0; i < 299; i++) {
      state = masks.after(state, 1 + 'a');
      assertTrue(BitSet.valueOf(masks.mask(state)).get(1 + 'b'));
    }
    assertArrayEquals(first, masks.mask(0));
  }

  @Test
  void aVocabularyWithoutSomeBytesWritesOtherTexts() {
    String letters = "ab{";
    TokenTexts texts =
        new TokenTexts(
            5,
            token ->
                token >= 1 && token <= 3
                    ? letters.substring(token - 1, token).getBytes(StandardCharsets.UTF_8)
                    : null);
    TokenMasks masks =
        new TokenMasks(Grammar.of(new StructuredOutput.Regex("(a|c)(b|é)")), texts, List.of(STOP));
    assertEquals(BitSet.valueOf(new long[] {0b10}), BitSet.valueOf(masks.mask(0)));
    int after = masks.after(0, 1);
    assertEquals(BitSet.valueOf(new long[] {0b100}), BitSet.valueOf(masks.mask(after)));
    assertTrue(masks.complete(masks.after(after, 2)));
    assertFalse(masks.grammar().ambiguous());
    assertThrows(IllegalStateException.class, () -> masks.after(after, 1));
    Grammar none = Grammar.of(new StructuredOutput.Regex("ac"));
    assertEquals(
        "structured_outputs.regex: allows no text that the vocabulary can write",
        assertThrows(UserException.class, () -> new TokenMasks(none, texts, List.of(STOP)))
            .getMessage());
    // a stop token ends a text, and is no part of it
    assertThrows(
        UserException.class,
        () ->
            new TokenMasks(Grammar.of(new StructuredOutput.Regex("ab")), texts, List.of(STOP, 1)));
  }

  /** Words without a token for each of their bytes. */
  @Test
  void tokensMayBeWords() {
    List<String> words = List.of("Left", "Up", " ", "Le", "ft");
    TokenTexts texts =
        new TokenTexts(
            7,
            token ->
                token >= 1 && token <= 5
                    ? words.get(token - 1).getBytes(StandardCharsets.UTF_8)
                    : null);
    TokenMasks masks =
        new TokenMasks(
            Grammar.of(new StructuredOutput.Regex("(Left|Up|Down|Leap)( Left)?")),
            texts,
            List.of(STOP));
    assertArrayEquals(new int[] {1, 2, 4}, tokens(masks, 0));
    assertArrayEquals(new int[] {5}, tokens(masks, masks.after(0, 4)));
    int left = masks.after(0, 1);
    assertArrayEquals(new int[] {STOP, 3}, tokens(masks, left));
    assertFalse(masks.complete(left));
    assertTrue(masks.complete(masks.after(masks.after(left, 3), 1)));
  }

  @Test
  void tokensMayBePiecesOfACharacter() {
    byte[] face = "😀".getBytes(StandardCharsets.UTF_8);
    TokenTexts texts =
        new TokenTexts(
            7,
            token ->
                switch (token) {
                  case 1, 2, 3, 4 -> new byte[] {face[token - 1]};
                  case 5 -> new byte[] {face[0], face[1]};
                  case 6 -> new byte[] {face[2], face[3]};
                  default -> null;
                });
    TokenMasks masks =
        new TokenMasks(Grammar.of(new StructuredOutput.Regex("😀")), texts, List.of(STOP));
    assertArrayEquals(new int[] {1, 5}, tokens(masks, 0));
    int half = masks.after(0, 5);
    assertArrayEquals(new int[] {3, 6}, tokens(masks, half));
    assertArrayEquals(new int[] {STOP}, tokens(masks, masks.after(half, 6)));
  }

  private static int[] tokens(TokenMasks masks, int state) {
    BitSet mask = BitSet.valueOf(masks.mask(state));
    return IntStream.range(0, 7).filter(mask::get).toArray();
  }
}
