package roll.env.webshop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;
import roll.env.webshop.catalog.ProductFile;
import roll.env.webshop.catalog.ShopFiles;
import roll.testkit.TestOptions;

/** Eleven products of WebShop, and shops to test with. */
final class Excerpt {
  private Excerpt() {}

  /** The lines of a file beside this class. */
  static List<String> lines(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Excerpt.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The products, copied to {@code folder}. */
  static Path file(Path folder) throws IOException {
    return Files.write(folder.resolve("products.jsonl"), lines("products.jsonl"));
  }

  /** The products by number. */
  static Map<String, Product> products(Path folder) throws IOException {
    ShopFiles files = new ShopFiles(Optional.of(file(folder)), Optional.empty(), Optional.empty());
    return ProductFile.read(files, Integer.MAX_VALUE).stream()
        .collect(Collectors.toMap(Product::asin, Function.identity()));
  }

  /** A shop with these options. */
  static WebshopScenario scenario(WebshopEnvironment environment, Map<String, Object> config) {
    return (WebshopScenario)
        environment.configure(TestOptions.of("env_config", config, environment.options()));
  }

  /** A shop with the products of {@code folder} and further options. */
  static WebshopScenario scenario(Path folder, Map<String, Object> config) throws IOException {
    Map<String, Object> all = new HashMap<>(config);
    all.put("file_path", file(folder).toString());
    return scenario(new WebshopEnvironment(), all);
  }

  /** A visit to that shop for a product with these options. */
  static WebshopEpisode visit(WebshopScenario scenario, String asin, String... options) {
    Goal goal =
        scenario.goals().stream()
            .filter(g -> g.product().asin().equals(asin))
            .filter(g -> g.options().equals(List.of(options)))
            .findFirst()
            .orElseThrow();
    return new WebshopEpisode(scenario, goal);
  }
}
