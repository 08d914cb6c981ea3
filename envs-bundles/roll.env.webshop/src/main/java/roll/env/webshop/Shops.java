package roll.env.webshop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import roll.env.webshop.catalog.ShopFiles;

/**
 * The shops of one environment service. A shop is built once for each set of files and number of
 * products, rebuilt when a file changes, and shared by all sessions.
 */
final class Shops {
  private final Map<Source, Stocked> shops = new ConcurrentHashMap<>();

  /**
   * Returns the shop of a source.
   *
   * @throws roll.api.option.UserException if a file is missing or malformed
   */
  Shop get(Source source) {
    List<FileTime> times = source.times();
    return shops
        .compute(
            source,
            (_, known) ->
                known != null && known.times().equals(times)
                    ? known
                    : new Stocked(times, Shop.stock(source)))
        .shop();
  }

  /** A shop and the modification times of its files. */
  private record Stocked(List<FileTime> times, Shop shop) {}

  /**
   * The source of a shop's products.
   *
   * @param files product and instruction files; none for the generated catalog
   * @param most maximum number of products
   */
  record Source(ShopFiles files, int most) {
    private List<FileTime> times() {
      List<FileTime> times = new ArrayList<>();
      for (Path file : files.all()) {
        try {
          times.add(Files.getLastModifiedTime(file));
        } catch (IOException e) {
          // reading the file reports the error
          times.add(FileTime.fromMillis(0));
        }
      }
      return times;
    }
  }
}
