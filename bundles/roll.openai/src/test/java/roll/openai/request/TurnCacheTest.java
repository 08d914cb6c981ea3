package roll.openai.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.model.Tokenizer;

/** Turns of conversations are encoded once, where a tokenizer allows it. */
class TurnCacheTest {
  private final List<String> encoded = new ArrayList<>();

  /** A token per character, and for each of {@code phrases}, the longest first. */
  private class Phrases implements Tokenizer {
    private final List<String> phrases;

    Phrases(String... phrases) {
      this.phrases = List.of(phrases);
    }

    @Override
    public int[] encode(String text) {
      encoded.add(text);
      List<Integer> tokens = new ArrayList<>();
      for (int at = 0; at < text.length(); ) {
        int from = at;
        int found =
            phrases.indexOf(
                phrases.stream()
                    .filter(phrase -> text.startsWith(phrase, from))
                    .findFirst()
                    .orElse(""));
        tokens.add(found < 0 ? text.charAt(at) : 1000 + found);
        at += found < 0 ? 1 : phrases.get(found).length();
      }
      return tokens.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public int[] encodePrompt(String text) {
      return encode(text);
    }

    @Override
    public String decode(int[] tokens, boolean special) {
      StringBuilder text = new StringBuilder();
      for (int token : tokens) {
        text.append(token < 1000 ? String.valueOf((char) token) : phrases.get(token - 1000));
      }
      return text.toString();
    }

    @Override
    public int id(String text) {
      return phrases.indexOf(text) < 0 ? -1 : 1000 + phrases.indexOf(text);
    }

    @Override
    public Path folder() {
      return Path.of("none");
    }

    @Override
    public int size() {
      return 1000 + phrases.size();
    }

    @Override
    public List<Integer> stopTokens() {
      return List.of(id("<end>"));
    }

    @Override
    public void close() {}
  }

  /** Encodes two turns of a conversation; returns the texts that were encoded for the second. */
  private List<String> second(Tokenizer tokenizer) {
    TurnCache cache = new TurnCache(tokenizer, tokenizer.stopTokens());
    String first = "user: a<end>\nuser: b<end>\nme: ";
    String more = first + "c<end>\nuser: d<end>\nme: ";
    assertArrayEquals(tokenizer.encode(first), cache.encode(first));
    int[] expected = tokenizer.encode(more);
    encoded.clear();
    assertArrayEquals(expected, cache.encode(more));
    List<String> texts = List.copyOf(encoded);
    encoded.clear();
    assertArrayEquals(expected, cache.encode(more));
    return texts;
  }

  @Test
  void onlyNewTurnsAreEncoded() {
    List<String> fresh = List.of("<end>\nme: c", "<end>\nuser: d");
    assertEquals(fresh, second(new Phrases("<end>")));
    assertEquals(List.of(), encoded, "the same again");
    assertEquals(fresh, second(new Phrases("<end>\nuser: ", "<end>")));
  }

  @Test
  void aTokenizerThatLooksAcrossTurnsEncodesTheWholeText() {
    Tokenizer stripping =
        new Phrases("<end>") {
          @Override
          public int[] encode(String text) {
            return super.encode(text.replace(" <end>", "<end>"));
          }
        };
    assertEquals(1, second(stripping).size());
    assertEquals(1, second(new Phrases("c<end>", "<end>")).size());
    assertEquals(1, second(new Phrases("<end>\nuser: d<end>", "<end>")).size());
  }
}
