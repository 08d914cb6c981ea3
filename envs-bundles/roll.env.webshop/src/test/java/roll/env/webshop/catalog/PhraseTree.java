package roll.env.webshop.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Phrases by their letters, as a regular expression that tries no letter twice: with one
 * alternative for each of some hundred phrases, splitting took longer than the model.
 */
final class PhraseTree {
  /** The end of a phrase is the end of a word. */
  private static final String END = "(?![a-z0-9])";

  private final Map<Character, PhraseTree> next = new TreeMap<>();
  private boolean ends;

  /** The tree of {@code phrases}. */
  static PhraseTree of(Iterable<String> phrases) {
    PhraseTree root = new PhraseTree();
    phrases.forEach(root::add);
    return root;
  }

  private void add(String phrase) {
    PhraseTree node = this;
    for (int i = 0; i < phrase.length(); i++) {
      node = node.next.computeIfAbsent(phrase.charAt(i), _ -> new PhraseTree());
    }
    node.ends = true;
  }

  /** Finds the longest phrase that ends where a word does. */
  String pattern() {
    List<String> ways = new ArrayList<>();
    next.forEach((letter, rest) -> ways.add(literally(letter) + rest.pattern()));
    if (ends) {
      ways.add(END);
    }
    return ways.size() == 1 ? ways.getFirst() : "(?:" + String.join("|", ways) + ")";
  }

  /** The letter as a pattern has it. */
  static String literally(char letter) {
    return ("[]().?*+|{}^$\\".indexOf(letter) < 0 ? "" : "\\") + letter;
  }
}
