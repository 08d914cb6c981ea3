package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;
import roll.env.webshop.catalog.PurchaseReward;
import roll.env.webshop.catalog.TitleNouns;
import roll.env.webshop.catalog.TokenSetRatio;

/** Rewards against WebShop's rules, computed by other means, and by hand. */
class RewardTest {
  @TempDir Path folder;

  private record Case(
      String goal,
      List<String> options,
      double upper,
      String bought,
      List<String> chosen,
      double type,
      double reward) {}

  @Test
  void everyPairOfProductsIsWorthWhatTheRulesSay() throws IOException {
    Map<String, Product> products = Excerpt.products(folder);
    Set<Double> types = new HashSet<>();
    for (String line : Excerpt.lines("rewards.jsonl")) {
      Case expected = new Gson().fromJson(line, Case.class);
      Product wanted = products.get(expected.goal());
      Goal goal =
          new Goal(
              wanted,
              "",
              wanted.wish().orElseThrow().attributes(),
              expected.options(),
              expected.upper(),
              1);
      PurchaseReward reward =
          PurchaseReward.of(goal, products.get(expected.bought()), expected.chosen());
      assertEquals(expected.type(), reward.type(), line);
      assertEquals(expected.reward(), reward.total(), 1e-12, line);
      types.add(reward.type());
    }
    assertEquals(Set.of(0.0, 0.1, 0.5, 1.0), types);
  }

  @Test
  void partsAreCountedByHand() throws IOException {
    Map<String, Product> products = Excerpt.products(folder);
    Product skechers = products.get("B01DJGWDBA");
    Goal goal =
        new Goal(
            skechers, "", List.of("memory foam", "rubber sole"), List.of("10.5", "red"), 60, 1);
    // rubber sole of two attributes; burgundy is no red; 10.5 matches; price ok: 3 of 5
    PurchaseReward levis =
        PurchaseReward.of(goal, products.get("B08T84R7V2"), List.of("10.5", "burgundy"));
    assertEquals(new PurchaseReward(1, 1, true, 1, 3 / 5.0), levis);
    PurchaseReward right = PurchaseReward.of(goal, skechers, List.of("10.5", "true red"));
    assertEquals(new PurchaseReward(2, 2, true, 1, 1), right);
    Goal cheap = new Goal(skechers, "", goal.attributes(), goal.options(), 50, 1);
    assertFalse(PurchaseReward.of(cheap, skechers, List.of()).price());
    Goal exact = new Goal(skechers, "", goal.attributes(), goal.options(), skechers.price(), 1);
    assertTrue(PurchaseReward.of(exact, skechers, List.of()).price());
    assertEquals(2 / 5.0, PurchaseReward.of(cheap, skechers, List.of()).total());
    // a dress of mushrooms has no noun in common
    assertEquals(0, PurchaseReward.of(goal, products.get("B00CQ7PQYU"), List.of("10.5")).total());
  }

  /** One noun of ten is a tenth, not less; a title without nouns excludes no product. */
  @Test
  void titlesDecideAboutTheType() {
    Product ten = titled("apple birch cedar dahlia elm fern hazel iris juniper kale");
    assertEquals(0.5, type(ten, titled("kale")));
    assertEquals(0.1, type(titled(ten.title() + " lotus"), titled("kale")));
    assertEquals(0, type(ten, titled("lotus")));
    assertEquals(0.5, type(titled("100 with the 7.5 of 2"), titled("kale")));
  }

  private static double type(Product wanted, Product bought) {
    Goal goal = new Goal(wanted, "", List.of(), List.of(), 60, 1);
    return PurchaseReward.of(goal, bought, List.of()).type();
  }

  private static Product titled(String title) {
    return new Product(
        title,
        title,
        "",
        title,
        "",
        1,
        "",
        Map.of(),
        List.of(),
        List.of(),
        "",
        "",
        List.of(),
        Optional.empty(),
        List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "machine wash; machine washable; 86",
        "rubber sole; rubber outsole; 88",
        "easy clean; clean easy; 100",
        "black | white; white black; 100",
        "pink light blue; light blue; 100",
        "8.5 wide; 8.5; 100",
        "x-large; xx-large; 93",
        "Solid Wood!; solid wood; 100",
        "120ml; 60ml; 67",
        "non slip; nonslip; 93",
        "gluten free; sugar free; 57",
        "abcdefg; abcdefh; 86",
        "café crème; cafe creme; 80",
        "long sleeve; long sleeves; 96",
        "day comfort; comfort day wear; 100",
        "red; '---'; 0",
        "''; ''; 0"
      })
  void ratiosAreThoseOfRapidfuzz(String a, String b, int ratio) {
    assertEquals(ratio, TokenSetRatio.of(a, b));
    assertEquals(ratio, TokenSetRatio.of(b, a));
  }

  @Test
  void coloursStandForTheirShades() {
    assertTrue(PurchaseReward.sameOption("dark navy stripes", "dark green"), "both are dark first");
    assertTrue(PurchaseReward.sameOption("heather grey", "grey melange"));
    assertFalse(PurchaseReward.sameOption("wine", "navy blue"));
  }

  @Test
  void nounsAreWhatIsLeftOfATitle() {
    assertEquals(
        Set.of("levi", "mens", "lance", "lo", "mono", "ul", "sneaker", "shoe"),
        TitleNouns.of("Levi's Mens Lance Lo Mono UL Casual Sneaker Shoe"));
    assertEquals(Set.of(), TitleNouns.of("100 with the 7.5 of 2"));
  }
}
