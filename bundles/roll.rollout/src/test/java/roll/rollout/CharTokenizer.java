package roll.rollout;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.testkit.CharacterTokenizer;

/** One token per character below 128, and ChatML's special tokens after them. */
@NullMarked
public final class CharTokenizer extends CharacterTokenizer {
  static final int START = 128;
  public static final int END = 129;
  static final int PAD = 130;

  /** A text that it does not encode. */
  static final String REFUSED = "\u0001";

  private final Path folder;
  private final List<String> specials;

  CharTokenizer(String... specials) {
    this(Path.of("no folder"), specials);
  }

  CharTokenizer(Path folder, String... specials) {
    this.folder = folder;
    this.specials = List.of(specials);
  }

  public static CharTokenizer chatMl() {
    return chatMl(Path.of("no folder"));
  }

  /** The tokenizer of a model in {@code folder}. */
  public static CharTokenizer chatMl(Path folder) {
    return new CharTokenizer(folder, "<|im_start|>", "<|im_end|>", "<|endoftext|>");
  }

  @Override
  public @Nullable String refusal(String text) {
    return text.contains(REFUSED) ? "a control character" : null;
  }

  @Override
  public int[] encode(String text) {
    if (refusal(text) != null) {
      throw new UserException("no folder: refuses a text: " + refusal(text));
    }
    var tokens = new java.util.ArrayList<Integer>();
    int at = 0;
    while (at < text.length()) {
      int token = text.charAt(at);
      int length = 1;
      for (String special : specials) {
        if (text.startsWith(special, at)) {
          token = id(special);
          length = special.length();
        }
      }
      tokens.add(token);
      at += length;
    }
    return tokens.stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    StringBuilder text = new StringBuilder();
    for (int token : tokens) {
      if (token < START || token >= size()) {
        text.append((char) token);
      } else if (special) {
        text.append(specials.get(token - START));
      }
    }
    return text.toString();
  }

  @Override
  public int id(String text) {
    int found = specials.indexOf(text);
    return found >= 0 ? START + found : text.length() == 1 ? text.charAt(0) : -1;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public int size() {
    return START + specials.size();
  }

  @Override
  public List<Integer> stopTokens() {
    return specials.size() < 3 ? List.of() : List.of(PAD);
  }
}
