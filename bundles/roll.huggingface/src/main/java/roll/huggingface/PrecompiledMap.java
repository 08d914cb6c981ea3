package roll.huggingface;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.BitSet;
import java.util.Deque;
import roll.api.option.UserException;

/**
 * SentencePiece's table of replacements in a {@code tokenizer.json}: the size of a trie in bytes,
 * the trie, and zero-terminated replacements. The native library reads it without bounds checks, so
 * every reachable position is checked here.
 *
 * <p>Layout: SentencePiece, normalizer.cc; units of the trie: darts-clone, include/darts.h.
 */
final class PrecompiledMap {
  /** Expansion of a character that needs no check, above that of Unicode's normal forms. */
  private static final int USUAL = 64;

  private final IntBuffer units;
  private final ByteBuffer texts;

  private PrecompiledMap(ByteBuffer table) {
    long size = Integer.toUnsignedLong(table.getInt());
    if (size < Integer.BYTES || size > table.remaining()) {
      throw new IllegalArgumentException(
          "says %d bytes of its trie, has %d".formatted(size, table.remaining()));
    }
    int length = (int) size / Integer.BYTES * Integer.BYTES;
    units = table.slice(table.position(), length).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    texts = table.slice(table.position() + length, table.remaining() - length);
  }

  /**
   * Checks the replacement table.
   *
   * @return the maximum factor by which a text may become longer
   * @throws UserException if a text could lead out of bounds
   */
  static double read(String where, String base64) {
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      PrecompiledMap map =
          new PrecompiledMap(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
      map.walk();
      int longest = map.longest();
      return longest <= USUAL ? 1 : longest;
    } catch (RuntimeException | CharacterCodingException e) {
      throw new UserException(
          "%s: precompiled_charsmap is damaged: %s".formatted(where, e.getMessage()), e);
    }
  }

  /** Visits every reachable position of the trie. */
  private void walk() {
    BitSet seen = new BitSet();
    Deque<Integer> open = new ArrayDeque<>();
    open.add(require(offset(units.get(0))));
    while (!open.isEmpty()) {
      int at = open.remove();
      for (int next = 1; next < 256; next++) {
        int unit = units.get(at ^ next);
        if ((unit & (1 << 31 | 0xff)) != next) {
          continue;
        }
        int place = require((at ^ next) ^ offset(unit));
        if ((unit >> 8 & 1) == 1) {
          text(units.get(place) & Integer.MAX_VALUE);
        }
        if (!seen.get(place)) {
          seen.set(place);
          open.add(place);
        }
      }
    }
  }

  private static int offset(int unit) {
    return (unit >>> 10) << ((unit & 1 << 9) >>> 6);
  }

  /** Returns a position after checking that its successors for every byte are in the trie. */
  private int require(int place) {
    if (place < 0 || (place | 0xff) >= units.limit()) {
      throw new IllegalArgumentException("its trie leads out of itself");
    }
    return place;
  }

  private void text(int index) {
    boolean within = index <= texts.limit();
    if (!within || (index < texts.limit() && (texts.get(index) & 0xc0) == 0x80)) {
      throw new IllegalArgumentException("its trie leads into the middle of a replacement");
    }
  }

  /** Returns the length of the longest replacement in characters. */
  private int longest() throws CharacterCodingException {
    CharBuffer all = StandardCharsets.UTF_8.newDecoder().decode(texts.duplicate());
    int longest = 0;
    int start = 0;
    for (int i = 0; i <= all.limit(); i++) {
      if (i == all.limit() || all.get(i) == 0) {
        longest = Math.max(longest, i - start);
        start = i + 1;
      }
    }
    return longest;
  }
}
