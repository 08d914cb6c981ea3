package roll.env.webshop.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import roll.testkit.PhraseTokenizer;

/** The words of the model of {@code configs/webshop.yaml} are those of the shop. */
class ShopTokenizerTest {
  private final PhraseTokenizer tokenizer = ShopTokenizer.create();

  @Test
  void theFileIsWhatIsMadeHere() throws IOException {
    tokenizer.assertShipped("webshop-words");
  }

  @Test
  void aPhraseIsAWord() {
    assertEquals(
        List.of("find me", "machine wash", "women's dresses", "with", "v neck", "with", "size"),
        tokenizer.words("Find me machine wash women's dresses with v neck with size: "));
    assertEquals(
        List.of("1.7 fl oz (pack of 1)", "and price lower than", "70", "dollars"),
        tokenizer.words("1.7 fl oz (pack of 1), and price lower than 70.00 dollars"));
    assertEquals(
        List.of("12", "to", "109", "price:", "8", "4.3", "8.5 wide"),
        tokenizer.words("$12.99 to $109.99 [SEP] Price: $8.99 [SEP] 4.3 [SEP] 8.5 wide"));
    assertEquals(List.of("click[", "soft", "]"), tokenizer.words("click[soft]"));
    assertEquals(List.of("extra soft", "soft"), tokenizer.words("extra soft [SEP] soft"));
  }

  @Test
  void everythingThatTheShopSaysIsKnown() {
    List<Product> products = new GeneratedProducts().first(10_000);
    Set<String> unknown = new TreeSet<>();
    Stream<String> said =
        Stream.concat(
            GoalGenerator.generated(products, true).stream().map(Goal::instruction),
            products.stream().flatMap(ShopTokenizerTest::texts));
    said.flatMap(text -> tokenizer.words(text).stream())
        .filter(word -> !tokenizer.knows(word))
        .forEach(unknown::add);
    assertTrue(unknown.isEmpty(), () -> "unknown: " + unknown);
  }

  private static Stream<String> texts(Product product) {
    Stream<String> single =
        Stream.of(product.title(), product.priceTag(), product.rating(), product.description());
    Stream<List<String>> lists =
        Stream.concat(
            Stream.of(
                product.bullets(),
                product.reviews(),
                product.attributes(),
                List.copyOf(product.options().keySet())),
            product.options().values().stream());
    return Stream.concat(single, lists.flatMap(List::stream));
  }
}
