package roll.env.webshop.catalog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import roll.api.data.RandomStreams;
import roll.env.webshop.catalog.Product.Wish;
import roll.env.webshop.catalog.ProductWords.Department;
import roll.env.webshop.catalog.ProductWords.Kind;

/** Generates products from word lists. Each is a function of its number and has a unique title. */
public final class GeneratedProducts {
  /**
   * Step between generated codes; coprime to 36, so that its multiples modulo a power of 36 are
   * distinct.
   */
  private static final long STRIDE = 1_580_030_173_711L;

  private static final long NUMBERS = 2_821_109_907_456L;
  private static final int BASE = 36;

  private final ProductWords words = ProductWords.load();

  /** Returns the first {@code count} generated products. */
  public List<Product> first(int count) {
    List<Product> products = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      products.add(product(number));
    }
    return products;
  }

  private Product product(int number) {
    RandomGenerator random =
        RandomStreams.of(GoalGenerator.SEED, "roll.env.webshop/product", number);
    Kind kind = words.kinds().get(number % words.kinds().size());
    Department department = words.of(kind);
    String title = title(kind, department, number / words.kinds().size(), random);
    List<String> how = some(kind.how(), 3, random);
    List<String> having = some(kind.having(), 2, random);
    List<String> purpose = some(kind.purpose(), 1, random);
    List<String> attributes = joined(how, having, purpose);
    Map<String, List<String>> options = options(kind, random);
    Prices prices = prices(kind, random);
    // features and description mention only some of the attributes
    List<String> bullets = new ArrayList<>();
    List.of(having.getFirst(), how.getFirst()).forEach(told -> bullets.add(sentence(told)));
    bullets.addAll(some(department.sentences(), 2, random));
    String description =
        title
            + ", made for "
            + purpose.getFirst()
            + ". "
            + sentence(how.get(1))
            + " "
            + String.join(" ", some(department.sentences(), 2, random));
    return new Product(
        asin(number),
        title,
        kind.department(),
        kind.query(),
        kind.path(),
        prices.drawn(random),
        prices.tag(),
        options,
        some(attributes, attributes.size(), random),
        List.copyOf(bullets),
        description,
        String.valueOf((30 + random.nextInt(21)) / 10.0),
        some(department.reviews(), random.nextInt(4), random),
        Optional.of(wish(kind, how, having, purpose, random)),
        List.of(request(kind, how, options, random)));
  }

  private String title(Kind kind, Department department, int ofKind, RandomGenerator random) {
    List<String> series = words.series();
    int round = ofKind / series.size();
    return one(department.brands(), random)
        + " "
        + series.get(ofKind % series.size())
        + (round == 0 ? "" : " " + (round + 1))
        + " "
        + one(kind.materials(), random)
        + " "
        + one(kind.names(), random);
  }

  /** Returns an instruction in WebShop's form: Find me … dresses with … for …. */
  private static Wish wish(
      Kind kind,
      List<String> how,
      List<String> having,
      List<String> purpose,
      RandomGenerator random) {
    List<String> before = how.subList(0, 1 + random.nextInt(2));
    List<String> with = having.subList(0, random.nextInt(3));
    List<String> serving = purpose.subList(0, random.nextInt(2));
    String text =
        "Find me "
            + String.join(", ", before)
            + " "
            + kind.query()
            + (with.isEmpty() ? "" : " with " + String.join(", ", with))
            + (serving.isEmpty() ? "" : " for " + serving.getFirst());
    return new Wish(text, joined(before, with, serving), List.of());
  }

  /** Returns an instruction in the style of people. */
  private Wish request(
      Kind kind, List<String> how, Map<String, List<String>> options, RandomGenerator random) {
    List<String> wanted = some(how, 1 + random.nextInt(2), random);
    List<String> values = new ArrayList<>();
    options.values().forEach(list -> values.add(one(list, random)));
    List<String> asked = some(values, random.nextInt(values.size() + 1), random);
    String text =
        one(words.requests(), random)
            .replace("{things}", kind.query())
            .replace("{attributes}", String.join(" and ", wanted))
            .replace("{options}", asked.isEmpty() ? "" : ", in " + String.join(" and ", asked));
    return new Wish(text, wanted, asked);
  }

  private Map<String, List<String>> options(Kind kind, RandomGenerator random) {
    Map<String, List<String>> options = new LinkedHashMap<>();
    kind.options()
        .forEach(
            (name, list) -> {
              List<String> all = words.list(list);
              int count = 2 + random.nextInt(all.size() - 1);
              List<String> chosen = some(all, count, random);
              // in the list's order: sizes go from small to large
              options.put(name, all.stream().filter(chosen::contains).toList());
            });
    return options;
  }

  private static Prices prices(Kind kind, RandomGenerator random) {
    double low = kind.price().getFirst();
    double price = cents(low + (kind.price().getLast() - low) * random.nextDouble());
    return random.nextInt(6) > 0
        ? new Prices(List.of(price))
        : new Prices(List.of(price, cents(price * (1.1 + random.nextDouble() / 2))));
  }

  private static double cents(double price) {
    return Math.floor(price) + 0.99;
  }

  private static String asin(int number) {
    long scattered = number * STRIDE % NUMBERS;
    String digits = Long.toString(scattered, BASE).toUpperCase(Locale.ROOT);
    return "B0" + "0".repeat(8 - digits.length()) + digits;
  }

  private static String sentence(String words) {
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
  }

  private static String one(List<String> list, RandomGenerator random) {
    return list.get(random.nextInt(list.size()));
  }

  private static List<String> some(List<String> list, int count, RandomGenerator random) {
    List<String> shuffled = new ArrayList<>(list);
    Collections.shuffle(shuffled, Random.from(random));
    return List.copyOf(shuffled.subList(0, Math.min(count, shuffled.size())));
  }

  private static List<String> joined(List<String> a, List<String> b, List<String> c) {
    return Stream.of(a, b, c).flatMap(List::stream).toList();
  }
}
