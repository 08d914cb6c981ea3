package roll.env.webshop.catalog;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import roll.env.webshop.catalog.ProductWords.Department;
import roll.env.webshop.catalog.ProductWords.Kind;
import roll.testkit.PhraseTokenizer;

/**
 * The tokenizer of {@code configs/models/webshop-words}: a word is what the generated catalog says
 * in one breath, such as {@code machine wash} or {@code 3.4 fl oz (pack of 1)}; in lower case,
 * without what separates words. Products are called by their ranks.
 */
final class ShopTokenizer {
  /** The syntax of actions; no space follows. */
  private static final List<String> ACTIONS = List.of("click[", "search[", "]");

  /** The phrases of pages and instructions around the products. */
  private static final List<String> FRAME =
      List.of(
          "find me",
          "with",
          "for",
          "and",
          "and price lower than",
          "dollars",
          "webshop",
          "instruction:",
          "search",
          "back to search",
          "page",
          "total results:",
          "next >",
          "< prev",
          "to",
          "price:",
          "rating:",
          "description",
          "features",
          "reviews",
          "attributes",
          "buy now",
          "made for",
          "n.a.",
          "thank you for shopping with us",
          "your score",
          "min",
          "max");

  private static final String CENTS = "(?:00|99)(?![0-9])";
  private static final String DOLLARS = "[0-9]+(?=\\." + CENTS + ")";
  private static final String WORD =
      "(?!(?<=[0-9]\\.)" + CENTS + "|sep\\])[a-z0-9]+(?:['.-][a-z0-9]+)*";
  private static final int DEAREST = 560;

  private final ProductWords words = ProductWords.load();
  private final Set<String> phrases = new LinkedHashSet<>();

  private ShopTokenizer() {
    phrases.addAll(FRAME);
    phrases(words.series());
    words.departments().values().forEach(department -> phrases(department.brands()));
    words.values().values().forEach(this::phrases);
    for (Kind kind : words.kinds()) {
      phrases(List.of(kind.query()));
      phrases(kind.options().keySet());
      Stream.of(kind.names(), kind.materials(), kind.how(), kind.having(), kind.purpose())
          .forEach(this::phrases);
    }
  }

  /** The tokenizer, which knows all that the shop says. */
  static PhraseTokenizer create() {
    ShopTokenizer shop = new ShopTokenizer();
    PhraseTokenizer made = new PhraseTokenizer(shop.pattern(), null);
    made.learn(ACTIONS);
    made.learn(shop.phrases);
    // "Stereo Sound Bar" is read as "stereo sound" and "bar"
    shop.words.kinds().forEach(kind -> kind.names().forEach(name -> made.learn(single(name))));
    // single words of sentences, which are on the pages with details
    Collection<Department> all = shop.words.departments().values();
    all.forEach(one -> one.sentences().forEach(said -> made.learn(made.words(said))));
    all.forEach(one -> one.reviews().forEach(said -> made.learn(made.words(said))));
    shop.words.requests().forEach(said -> made.learn(made.words(said)));
    made.learn(IntStream.rangeClosed(0, DEAREST).mapToObj(String::valueOf).toList());
    made.learn(IntStream.rangeClosed(30, 50).mapToObj(tenths -> "" + tenths / 10.0).toList());
    return made;
  }

  private static List<String> single(String name) {
    return List.of(name.toLowerCase(Locale.ROOT).split(" ", -1));
  }

  private void phrases(Collection<String> said) {
    said.forEach(phrase -> phrases.add(phrase.toLowerCase(Locale.ROOT)));
  }

  /** The longest phrase wins; a phrase is never a part of a longer word; cents are no words. */
  private String pattern() {
    return "(?:%s)(?<!\\[sep\\])|(?<![a-z0-9])(?:%s|%s|%s)"
        .formatted(
            String.join("|", ACTIONS).replaceAll("[\\[\\]]", "\\\\$0"),
            PhraseTree.of(phrases).pattern(),
            DOLLARS,
            WORD);
  }
}
