package roll.sampling.grammar;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Vocabularies of bytes and pieces of UTF-8, and texts written with their tokens. */
final class Vocabularies {
  /** The only stop token. */
  static final int STOP = 0;

  private static final String CHARACTERS = "{}[]\":, abceflnrstu0123456789.-+\\\n\tÄ日😀";

  private Vocabularies() {}

  /** A vocabulary with a stop token, all bytes, and {@code pieces} random cuts of UTF-8. */
  static TokenTexts random(RandomGenerator random, int pieces) {
    List<byte @Nullable []> tokens = new ArrayList<>();
    tokens.add(null);
    for (int value = 0; value < 256; value++) {
      tokens.add(new byte[] {(byte) value});
    }
    int[] characters = CHARACTERS.codePoints().toArray();
    for (int piece = 0; piece < pieces; piece++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(4); i >= 0; i--) {
        text.appendCodePoint(characters[random.nextInt(characters.length)]);
      }
      byte[] all = text.toString().getBytes(StandardCharsets.UTF_8);
      int from = random.nextInt(all.length);
      tokens.add(Arrays.copyOfRange(all, from, from + 1 + random.nextInt(all.length - from)));
    }
    return new TokenTexts(tokens.size() + 3, id -> id < tokens.size() ? tokens.get(id) : null);
  }

  /**
   * Returns a text of uniformly drawn allowed tokens; null if it does not end within {@code most}.
   */
  static @Nullable String write(
      TokenMasks masks, TokenTexts texts, RandomGenerator random, int most) {
    Grammar grammar = masks.grammar();
    List<Byte> bytes = new ArrayList<>();
    int state = grammar.start();
    for (int i = 0; i < most; i++) {
      if (masks.complete(state)) {
        return text(bytes);
      }
      int[] allowed = BitSet.valueOf(masks.mask(state)).stream().toArray();
      int token = allowed[random.nextInt(allowed.length)];
      if (token == STOP) {
        return text(bytes);
      }
      for (byte one : texts.of(token)) {
        bytes.add(one);
      }
      state = masks.after(state, token);
    }
    return null;
  }

  private static String text(List<Byte> bytes) {
    byte[] all = new byte[bytes.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = bytes.get(i);
    }
    return new String(all, StandardCharsets.UTF_8);
  }
}
