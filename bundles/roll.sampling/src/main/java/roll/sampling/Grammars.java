package roll.sampling;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.api.strategy.StructuredOutput;
import roll.sampling.grammar.Grammar;
import roll.sampling.grammar.TokenMasks;
import roll.sampling.grammar.TokenTexts;

/** The latest compiled grammars and their masks. */
final class Grammars {
  /** Maximum grammars that are kept. */
  private static final int KEPT = 8;

  private final Map<StructuredOutput, Grammar> compiled = Collections.synchronizedMap(latest());
  private final Map<Key, TokenMasks> masks = latest();
  private @Nullable TokenTexts texts;

  /** A grammar and the tokens that end its texts. */
  private record Key(StructuredOutput output, List<Integer> stops) {}

  private static <K, V> Map<K, V> latest() {
    return new LinkedHashMap<>(KEPT, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > KEPT;
      }
    };
  }

  /**
   * Compiles {@code output} unless it is. For use from any thread; one at a time compiles.
   *
   * @throws UserException in one line if it is malformed, not supported or too large
   */
  void compile(StructuredOutput output) {
    if (!compiled.containsKey(output)) {
      synchronized (this) {
        if (!compiled.containsKey(output)) {
          compiled.put(output, Grammar.of(output));
        }
      }
    }
  }

  /**
   * Returns the guide of an empty response. Only on the compute thread.
   *
   * @param stops tokens that end a response
   * @param vocabulary read at first use
   * @throws UserException if the vocabulary or the stop tokens cannot write the texts
   */
  Guide guide(StructuredOutput output, List<Integer> stops, Supplier<TokenTexts> vocabulary) {
    Key key = new Key(output, stops);
    TokenMasks found = masks.get(key);
    if (found == null) {
      if (texts == null) {
        texts = vocabulary.get();
      }
      Grammar grammar = compiled.get(output);
      found = new TokenMasks(grammar == null ? Grammar.of(output) : grammar, texts, stops);
      masks.put(key, found);
    }
    if (stops.isEmpty() && found.grammar().ambiguous()) {
      throw new UserException(
          "structured_outputs: a text may continue another, and no stop token can end it");
    }
    return new GrammarGuide(found, found.grammar().start());
  }
}
