package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;

/** Goals are made from products as WebShop makes them. */
class GoalsTest {
  @TempDir Path folder;

  @Test
  void eachCombinationOfOptionsIsAGoal() throws IOException {
    List<Goal> goals = Excerpt.scenario(folder, Map.of()).goals();
    Map<String, Long> counts =
        goals.stream()
            .collect(Collectors.groupingBy(goal -> goal.product().asin(), Collectors.counting()));
    assertEquals(8, counts.get("B07NZ173GY"), "4 sizes and 2 colors");
    assertEquals(30, counts.get("B07GYWW3NY"), "6 sizes and 5 colors");
    assertEquals(1, counts.get("B00CQ7PQYU"), "no options");
    assertEquals(11, counts.size());
  }

  @Test
  void priceBoundsAreOneOfThreeTensAboveThePrice() throws IOException {
    Set<Double> bounds = new HashSet<>();
    for (Goal goal : Excerpt.scenario(new WebshopEnvironment(), Map.of()).goals()) {
      double price = goal.product().price();
      double steps = (goal.priceUpper() - Math.floor(price / 10) * 10) / 10;
      bounds.add(steps);
      String text = String.format(", and price lower than %.2f dollars", goal.priceUpper());
      assertTrue(goal.instruction().endsWith(text), goal::instruction);
    }
    // the larger of two of the first four is the second, third or fourth
    assertEquals(Set.of(2.0, 3.0, 4.0), bounds);
  }

  @Test
  void dearProductsHaveNoBound() throws IOException {
    Goal dear = priced("[985.0]");
    assertEquals(Goal.NO_LIMIT, dear.priceUpper());
    assertTrue(dear.instruction().endsWith("cream cheeses"), dear::instruction);
    assertEquals(990, priced("[975.0]").priceUpper());
    Product unknown = priced("[]").product();
    assertEquals(100, unknown.price());
    assertEquals("$100.0", unknown.priceTag());
    Product range = priced("[10, 12.5]").product();
    assertEquals("$10.0 to $12.5", range.priceTag());
    assertTrue(range.price() >= 10 && range.price() <= 12.5);
    assertEquals(7.25, priced("\"$7.25\"").product().price());
  }

  private Goal priced(String pricing) throws IOException {
    String line =
        Excerpt.lines("products.jsonl").stream()
            .filter(l -> l.contains("B00CQ7PQYU"))
            .findFirst()
            .orElseThrow();
    Path file = folder.resolve("priced.jsonl");
    Files.writeString(file, line.replace("\"pricing\": [100.0]", "\"pricing\": " + pricing));
    return Excerpt.scenario(new WebshopEnvironment(), Map.of("file_path", file.toString()))
        .goals()
        .getFirst();
  }

  @Test
  void peoplesGoals() throws IOException {
    List<Goal> goals = Excerpt.scenario(folder, Map.of("human_goals", true)).goals();
    assertEquals(1, goals.size());
    Goal goal = goals.getFirst();
    assertEquals(List.of("dry hair"), goal.attributes());
    assertEquals(List.of("pink"), goal.options());
    assertTrue(
        goal.instruction()
            .startsWith("i want a pink niuta 2 pack hair towel wrap for dry hair, and price lower"),
        goal::instruction);
  }

  @Test
  void webShopsOwnFilesLieBesideEachOther() throws IOException {
    Path items = folder.resolve("items_shuffle_2.json");
    Files.writeString(
        items,
        """
        [{"asin": "B000000001", "name": "Red Box", "query": " Boxes ", "category": "garden",
          "product_category": "Home › Boxes", "full_description": "A box.",
          "small_description": ["Made of tin."], "pricing": "$8.00$9.50", "images": ["a.jpg"],
          "customization_options": {"Color": [{"value": "Red/Blue", "image": null},
            {"value": " Green "}], "Size": null}},
         {"asin": "B000000001", "name": "Again", "query": "boxes"},
         {"asin": "toolonganumber", "name": "Odd", "query": "boxes"}]
        """);
    Files.writeString(
        folder.resolve("items_ins_v2_2.json"),
        """
        {"B000000001": {"attributes": ["tin box", "with lid"], "instruction": "Find me tin boxes",
          "instruction_attributes": ["tin box"]}}
        """);
    Files.writeString(
        folder.resolve("items_human_ins.json"),
        """
        {"B000000001": [{"instruction": "a tin box please.", "instruction_attributes": ["tin box"],
          "instruction_options": ["green"]},
          {"instruction": "nothing", "instruction_attributes": [], "instruction_options": []}]}
        """);
    Map<String, Object> config = new HashMap<>(Map.of("file_path", items.toString()));
    WebshopScenario scenario = Excerpt.scenario(new WebshopEnvironment(), config);
    Product box = scenario.site().catalog().products().getFirst();
    assertEquals(1, scenario.site().catalog().products().size());
    assertEquals(Map.of("color", List.of("red | blue", "green")), box.options());
    assertEquals("boxes", box.query());
    assertEquals("$8.0 to $9.5", box.priceTag());
    assertEquals(List.of("tin box", "with lid"), box.attributes());
    assertEquals("red box a box. made of tin. color: red | blue, green", box.document());
    assertEquals(
        Set.of("Find me tin boxes with color: red | blue", "Find me tin boxes with color: green"),
        scenario.goals().stream()
            .map(goal -> goal.instruction().replaceFirst(", and price.*", ""))
            .collect(Collectors.toSet()));
    config.put("human_goals", true);
    Goal human = Excerpt.scenario(new WebshopEnvironment(), config).goals().getFirst();
    assertTrue(human.instruction().startsWith("a tin box please, and price lower than "));
    assertEquals(List.of("green"), human.options());
  }

  @Test
  void filesWithoutInstructionsGetOneGoalAProduct() throws IOException {
    Path file = folder.resolve("bare.json");
    Files.writeString(
        file,
        """
        [{"asin": "B000000001", "Title": "Tin Box", "query": "boxes", "pricing": [12],
          "Attributes": ["made of tin", "with lid", "stackable", "blue"],
          "options": {"size": ["small", "large"]}},
         {"asin": "B000000002", "Title": "Nothing Known", "query": "boxes", "Attributes": []}]
        """);
    List<Goal> goals =
        Excerpt.scenario(new WebshopEnvironment(), Map.of("file_path", file.toString())).goals();
    assertEquals(1, goals.size());
    assertTrue(
        goals
            .getFirst()
            .instruction()
            .matches(
                "Find me made of tin, with lid, stackable boxes with size: (small|large), and price"
                    + " lower than [345]0.00 dollars"),
        goals.getFirst()::instruction);
  }

  @Test
  void goalsCanBeFilteredAndLimited() {
    WebshopEnvironment environment = new WebshopEnvironment();
    List<Goal> all = Excerpt.scenario(environment, Map.of()).goals();
    List<Goal> some =
        Excerpt.scenario(environment, Map.of("filter_goals", "LIP\\w+s|rugs")).goals();
    assertEquals(
        all.stream().filter(goal -> goal.instruction().matches(".*(lip\\w+s|rugs).*")).toList(),
        some);
    assertEquals(100, some.size());
    List<Goal> limited = Excerpt.scenario(environment, Map.of("limit_goals", 200)).goals();
    assertEquals(200, new HashSet<>(limited).size());
    assertTrue(all.containsAll(limited));
    assertEquals(limited, Excerpt.scenario(environment, Map.of("limit_goals", 200)).goals());
    double mean = all.stream().mapToDouble(Goal::weight).average().orElseThrow();
    assertTrue(limited.stream().mapToDouble(Goal::weight).average().orElseThrow() > mean);
    assertEquals(all, Excerpt.scenario(environment, Map.of("limit_goals", 5_000)).goals());
  }

  @Test
  void numProductsTakesTheFirst() throws IOException {
    WebshopScenario few = Excerpt.scenario(folder, Map.of("num_products", 3));
    assertEquals(3, few.site().catalog().products().size());
    WebshopScenario many =
        Excerpt.scenario(new WebshopEnvironment(), Map.of("num_products", 1_200));
    assertEquals(1_200, many.site().catalog().products().size());
    assertEquals(1_200, many.goals().size());
  }
}
