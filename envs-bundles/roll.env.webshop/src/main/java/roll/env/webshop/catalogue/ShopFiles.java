package roll.env.webshop.catalogue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * WebShop's files as far as they are given.
 *
 * @param products {@code items_shuffle….json}, or JSON lines
 * @param attributes {@code items_ins_v2….json}
 * @param human {@code items_human_ins.json}
 */
public record ShopFiles(Optional<Path> products, Optional<Path> attributes, Optional<Path> human) {
  /**
   * What {@code options} name; the second and third file may also lie beside the first.
   *
   * @throws UserException if a file named does not exist
   */
  public static ShopFiles of(Options options) {
    if (!options.has("file_path")) {
      for (String other : List.of("attr_path", "human_attr_path")) {
        if (options.has(other)) {
          throw new UserException(options.where() + "." + other + " needs file_path");
        }
      }
      return new ShopFiles(Optional.empty(), Optional.empty(), Optional.empty());
    }
    Path products = named(options, "file_path");
    String name = String.valueOf(products.getFileName());
    String attributes = name.replace("items_shuffle", "items_ins_v2");
    return new ShopFiles(
        Optional.of(products),
        options.has("attr_path")
            ? Optional.of(named(options, "attr_path"))
            : beside(products, attributes),
        options.has("human_attr_path")
            ? Optional.of(named(options, "human_attr_path"))
            : beside(products, "items_human_ins.json"));
  }

  private static Path named(Options options, String key) {
    Path file = Path.of(options.text(key));
    if (!Files.isRegularFile(file)) {
      throw options.wrong(key, "a file that is there");
    }
    return file.toAbsolutePath().normalize();
  }

  private static Optional<Path> beside(Path products, String name) {
    return Optional.of(products.resolveSibling(name))
        .filter(file -> !file.equals(products) && Files.isRegularFile(file));
  }

  /** Every file there is. */
  public List<Path> all() {
    return Stream.of(products, attributes, human).flatMap(Optional::stream).toList();
  }
}
