package roll.openai.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;

/**
 * Encodes rendered conversations and keeps the tokens of their latest turns, so that a request that
 * repeats a history encodes only what is new. A turn begins with a stop token: tokenizers split
 * their text at special tokens first, so that what is before does not change what is behind.
 */
final class TurnCache {
  /** Maximum characters of all turns. */
  private static final int MOST = 16 << 20;

  /** Text before and behind a stop token that shows whether a tokenizer splits there. */
  private static final List<String> BESIDE = List.of("", "x", "x ", " x", "\n\n", "7", "é");

  private final Tokenizer tokenizer;
  private final @Nullable Pattern begin;
  private final Map<String, int[]> known = new LinkedHashMap<>(16, 0.75f, true);
  private int size;

  /** Creates an empty cache of conversations whose responses end with {@code stops}. */
  TurnCache(Tokenizer tokenizer, List<Integer> stops) {
    this.tokenizer = tokenizer;
    String marks =
        stops.stream()
            .map(stop -> tokenizer.decode(new int[] {stop}, true))
            .filter(mark -> !mark.isEmpty() && splits(mark))
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    begin = marks.isEmpty() ? null : Pattern.compile(marks);
  }

  /** Returns whether no token spans the beginning of {@code mark}, however text is beside it. */
  private boolean splits(String mark) {
    return IntStream.range(0, tokenizer.size())
            .noneMatch(token -> tokenizer.decode(new int[] {token}, true).indexOf(mark, 1) > 0)
        && BESIDE.stream()
            .allMatch(
                before ->
                    BESIDE.stream()
                        .allMatch(
                            behind ->
                                Arrays.equals(
                                    tokenizer.encode(before + mark + behind),
                                    joined(
                                        List.of(
                                            tokenizer.encode(before),
                                            tokenizer.encode(mark + behind))))));
  }

  /** Returns the tokens of {@code text}. */
  int[] encode(String text) {
    if (begin == null) {
      return tokenizer.encode(text);
    }
    List<int[]> turns = new ArrayList<>();
    int from = 0;
    Matcher next = begin.matcher(text);
    while (next.find()) {
      turns.add(turn(text.substring(from, next.start())));
      from = next.start();
    }
    turns.add(turn(text.substring(from)));
    return joined(turns);
  }

  private int[] turn(String text) {
    synchronized (known) {
      int[] tokens = known.get(text);
      if (tokens != null) {
        return tokens;
      }
    }
    int[] tokens = tokenizer.encode(text);
    synchronized (known) {
      if (text.length() < MOST && known.put(text, tokens) == null) {
        size += text.length();
        Iterator<String> oldest = known.keySet().iterator();
        while (size > MOST) {
          size -= oldest.next().length();
          oldest.remove();
        }
      }
    }
    return tokens;
  }

  private static int[] joined(List<int[]> parts) {
    int[] all = new int[parts.stream().mapToInt(part -> part.length).sum()];
    int at = 0;
    for (int[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }
}
