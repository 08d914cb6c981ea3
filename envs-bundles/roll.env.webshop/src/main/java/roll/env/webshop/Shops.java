package roll.env.webshop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import roll.env.webshop.catalogue.ShopFiles;

/**
 * The shops of one environment service. A shop is built once for each set of files and number of
 * products, again when a file changed, and shared by all scenarios and sessions; it goes with the
 * service and its last session.
 */
final class Shops {
  private final Map<Source, Stocked> shops = new ConcurrentHashMap<>();

  /**
   * The shop of a source.
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

  /** A shop and how old its files were when they were read. */
  private record Stocked(List<FileTime> times, Shop shop) {}

  /**
   * Where products come from.
   *
   * @param files products, generated instructions and instructions of people, as far as there are
   *     any; none for the generated catalog
   * @param most most products
   */
  record Source(ShopFiles files, int most) {
    private List<FileTime> times() {
      List<FileTime> times = new ArrayList<>();
      for (Path file : files.all()) {
        try {
          times.add(Files.getLastModifiedTime(file));
        } catch (IOException e) {
          // who reads the file says so
          times.add(FileTime.fromMillis(0));
        }
      }
      return times;
    }
  }
}
