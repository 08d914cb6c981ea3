package roll.env.webshop.catalog;

import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import roll.api.data.RandomStreams;
import roll.api.option.UserException;
import roll.env.webshop.catalog.JsonItems.Item;
import roll.env.webshop.catalog.Product.Wish;

/**
 * Reads WebShop's products: its {@code items_shuffle….json} with the instruction files in the same
 * folder, or products in the format of its server ({@code Title}, {@code options}, {@code
 * Attributes}, {@code instruction_text} …), as an array or as JSON lines.
 */
public final class ProductFile {
  private static final int LONGEST_ASIN = 10;

  private final Map<String, JsonFields> generated = new HashMap<>();
  private final Map<String, List<Wish>> human = new HashMap<>();
  private final List<Product> products = new ArrayList<>();
  private final Set<String> known = new HashSet<>();
  private final int most;

  private ProductFile(int most) {
    this.most = most;
  }

  /**
   * Returns the first {@code most} products of {@code files}.
   *
   * @throws UserException with file and line, if a file is malformed
   */
  public static List<Product> read(ShopFiles files, int most) {
    ProductFile reader = new ProductFile(most);
    files
        .attributes()
        .ifPresent(
            file ->
                JsonItems.members(
                    file,
                    (asin, member) ->
                        reader.generated.put(
                            asin,
                            new JsonFields(
                                JsonItems.object(member.value(), member.where()),
                                member.where()))));
    files
        .human()
        .ifPresent(
            file ->
                JsonItems.members(
                    file,
                    (asin, member) ->
                        reader.human.put(asin, humanWishes(member.value(), member.where()))));
    files.products().ifPresent(file -> JsonItems.list(file, reader::add));
    if (reader.products.isEmpty()) {
      throw new UserException(files.products().orElseThrow() + ": no product in it");
    }
    return reader.products;
  }

  /** Adds a product; invalid and duplicate numbers are skipped, as in WebShop. */
  private void add(Item item) {
    JsonFields fields = new JsonFields(item);
    String asin = fields.required("asin");
    boolean odd = asin.equals("nan") || asin.length() > LONGEST_ASIN;
    if (products.size() < most && !odd && known.add(asin)) {
      products.add(product(asin, fields));
    }
  }

  private Product product(String asin, JsonFields fields) {
    JsonFields more = generated.getOrDefault(asin, fields);
    Prices prices = Prices.of(fields);
    long place = products.size();
    double price =
        prices.drawn(RandomStreams.of(GoalGenerator.SEED, "roll.env.webshop/price", place));
    List<Wish> wishes =
        human.containsKey(asin)
            ? human.getOrDefault(asin, List.of())
            : fields
                .member("instructions")
                .map(list -> humanWishes(list, fields.where()))
                .orElse(List.of());
    return new Product(
        asin.toUpperCase(Locale.ROOT),
        fields.required("Title", "name"),
        fields.text("", "category"),
        fields.required("query").toLowerCase(Locale.ROOT).strip(),
        fields.text("", "product_category"),
        price,
        prices.tag(),
        options(fields),
        more.texts("Attributes", "attributes"),
        fields.texts("BulletPoints", "small_description"),
        fields.text("", "Description", "full_description"),
        fields.text("N.A.", "Rating"),
        reviews(fields),
        wish(more),
        wishes);
  }

  private static Map<String, List<String>> options(JsonFields fields) {
    JsonElement all = fields.member("options", "customization_options").orElse(null);
    if (all == null || (all.isJsonPrimitive() && all.getAsString().isEmpty())) {
      return Map.of();
    }
    if (!all.isJsonObject()) {
      throw fields.wrong("options", "lists by name", all);
    }
    Map<String, List<String>> options = new LinkedHashMap<>();
    JsonFields byName = new JsonFields(all.getAsJsonObject(), fields.where());
    for (String name : all.getAsJsonObject().keySet()) {
      List<String> values = new ArrayList<>();
      for (JsonElement element : byName.elements(name)) {
        String value =
            element.isJsonObject()
                ? new JsonFields(element.getAsJsonObject(), fields.where()).required("value")
                : element.getAsString();
        values.add(
            value
                .strip()
                .replace("/", element.isJsonObject() ? " | " : "/")
                .toLowerCase(Locale.ROOT));
      }
      if (!values.isEmpty()) {
        options.put(name.toLowerCase(Locale.ROOT), List.copyOf(values));
      }
    }
    return options;
  }

  private static List<String> reviews(JsonFields fields) {
    List<String> reviews = new ArrayList<>();
    for (JsonElement element : fields.elements("Reviews", "reviews")) {
      reviews.add(
          element.isJsonObject()
              ? new JsonFields(element.getAsJsonObject(), fields.where()).text("", "body", "review")
              : element.getAsString());
    }
    return reviews;
  }

  private static Optional<Wish> wish(JsonFields fields) {
    String text = fields.text("", "instruction_text", "instruction");
    List<String> attributes = fields.texts("instruction_attributes");
    return text.isEmpty() || attributes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Wish(text, attributes, List.of()));
  }

  /** Returns the human instructions; those without attributes are skipped, as in WebShop. */
  private static List<Wish> humanWishes(JsonElement list, String where) {
    List<Wish> wishes = new ArrayList<>();
    if (!list.isJsonArray()) {
      throw new UserException(
          where + ": expected a list of instructions, found '" + JsonItems.shown(list) + "'");
    }
    for (JsonElement element : list.getAsJsonArray()) {
      JsonFields fields = new JsonFields(JsonItems.object(element, where), where);
      List<String> attributes = fields.texts("instruction_attributes");
      if (!attributes.isEmpty()) {
        String text = fields.required("instruction");
        wishes.add(new Wish(text, attributes, fields.texts("instruction_options")));
      }
    }
    return List.copyOf(wishes);
  }
}
