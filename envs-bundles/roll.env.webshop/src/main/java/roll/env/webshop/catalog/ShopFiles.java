package roll.env.webshop.catalog;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * The data files of a web shop.
 *
 * @param products {@code items_shuffle….json}, or JSON lines
 * @param attributes {@code items_ins_v2….json}
 * @param human {@code items_human_ins.json}
 */
public record ShopFiles(Optional<Path> products, Optional<Path> attributes, Optional<Path> human) {
  private static final Option<String> FILE_PATH =
      Option.text("file_path", "product file; by default the catalog is generated");
  private static final Option<String> ATTR_PATH =
      Option.text(
          "attr_path", "WebShop's `items_ins_v2….json`: attributes and generated instructions");
  private static final Option<String> HUMAN_ATTR_PATH =
      Option.text("human_attr_path", "WebShop's `items_human_ins.json`: human instructions");

  /** Options of a shop's data files. */
  public static final List<Option<?>> OPTIONS = List.of(FILE_PATH, ATTR_PATH, HUMAN_ATTR_PATH);

  /**
   * Returns the files of {@code options}; the second and third may also be in the folder of the
   * first.
   *
   * @throws UserException if a file does not exist
   */
  public static ShopFiles of(Options options) {
    if (!options.has(FILE_PATH)) {
      for (Option<String> other : List.of(ATTR_PATH, HUMAN_ATTR_PATH)) {
        if (options.has(other)) {
          throw new UserException(
              options.where() + "." + other.name() + " needs " + FILE_PATH.name());
        }
      }
      return new ShopFiles(Optional.empty(), Optional.empty(), Optional.empty());
    }
    Path products = named(options, FILE_PATH);
    String name = String.valueOf(products.getFileName());
    String attributes = name.replace("items_shuffle", "items_ins_v2");
    return new ShopFiles(
        Optional.of(products),
        options.has(ATTR_PATH)
            ? Optional.of(named(options, ATTR_PATH))
            : beside(products, attributes),
        options.has(HUMAN_ATTR_PATH)
            ? Optional.of(named(options, HUMAN_ATTR_PATH))
            : beside(products, "items_human_ins.json"));
  }

  private static Path named(Options options, Option<String> option) {
    Path file = Path.of(options.get(option));
    if (!Files.isRegularFile(file)) {
      throw options.wrong(option, "an existing file");
    }
    return file.toAbsolutePath().normalize();
  }

  private static Optional<Path> beside(Path products, String name) {
    return Optional.of(products.resolveSibling(name))
        .filter(file -> !file.equals(products) && Files.isRegularFile(file));
  }

  /** Returns whether {@code options} name no files, so that the catalog is generated. */
  public static boolean none(Options options) {
    return OPTIONS.stream().noneMatch(options::has);
  }

  /** Returns all data files of the shop. */
  public List<Path> all() {
    return Stream.of(products, attributes, human).flatMap(Optional::stream).toList();
  }
}
