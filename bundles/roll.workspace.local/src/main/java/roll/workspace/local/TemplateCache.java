package roll.workspace.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The templates that a server has copied, of which some are kept while no workspace uses them. */
final class TemplateCache {
  private static final int IDLE = 64;
  private final PoolServer server;
  private final Map<Path, Integer> numbers = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Path, Integer> uses = new HashMap<>();
  private int last;

  /** Creates an empty cache of {@code server}. */
  TemplateCache(PoolServer server) {
    this.server = server;
  }

  /** Returns the number of the copy of {@code folder}, which is kept until it is released. */
  synchronized int use(Path folder) throws IOException {
    Integer number = numbers.get(folder);
    if (number == null) {
      number = ++last;
      server.addTemplate(number, folder);
      numbers.put(folder, number);
    }
    uses.merge(folder, 1, Integer::sum);
    return number;
  }

  /** Ends one use of {@code folder}. */
  synchronized void release(Path folder) throws IOException {
    uses.computeIfPresent(folder, (_, count) -> count == 1 ? null : count - 1);
    if (numbers.size() - uses.size() > IDLE) {
      Path oldest =
          numbers.keySet().stream()
              .filter(path -> !uses.containsKey(path))
              .findFirst()
              .orElseThrow();
      server.dropTemplate(numbers.remove(oldest));
    }
  }
}
